import { Injectable } from '@nestjs/common';
import { AccountDatabases } from '../../database/account-databases';
import { Metrics } from '../../observability/metrics';
import type { AttemptResult } from './delivery-attempts.repository';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

const COUNTED_MAX = 100_000;
const STAGES = ['due', 'handed', 'later'] as const;

interface Figures {
  waiting: number;
  oldest_seconds: number;
  due: number;
  handed: number;
  later: number;
}

@Injectable()
export class DeliveryMetrics {
  private readonly counters;
  private readonly firstAttemptSeconds;
  /** By performance.now(); null before the dispatcher has run. */
  private emptyAtMs: number | null = null;

  constructor(metrics: Metrics, databases: AccountDatabases) {
    metrics.gauges(
      'events_outbox_age_seconds',
      'Seconds since the dispatcher of this process last found no event waiting: none that waits is older.',
      () =>
        this.emptyAtMs === null ? [] : [{ labels: {}, value: (performance.now() - this.emptyAtMs) / 1000 }],
    );
    const counter = (name: string, help: string) => metrics.counter(name, help).labelled({});
    this.counters = {
      queued: counter('webhook_deliveries_queued_total', 'Attempts that this process put in the queue.'),
      delivered: counter('webhook_deliveries_delivered_total', 'Deliveries that a receiver took.'),
      failed: counter('webhook_attempts_failed_total', 'Attempts that failed.'),
      abandoned: counter(
        'webhook_deliveries_abandoned_total',
        'Deliveries whose last automatic attempt failed.',
      ),
    };
    this.firstAttemptSeconds = metrics
      .histogram(
        'webhook_first_attempt_seconds',
        'Time from a fact to the first attempt to tell of it.',
        SECONDS,
      )
      .labelled({});
    const none: Figures = { waiting: 0, oldest_seconds: 0, due: 0, handed: 0, later: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await databases.everyone.query<Figures[]>(COUNTS, [COUNTED_MAX]);
      return row ?? none;
    });
    metrics.gauge(
      'events_outbox_rows',
      'Events of which no deliveries are made yet.',
      () => figures.latest.waiting,
    );
    metrics.gauge(
      'events_outbox_oldest_seconds',
      'Age of the oldest of these events.',
      () => figures.latest.oldest_seconds,
    );
    metrics.gauges('webhook_deliveries_open', 'Deliveries that are not over, by their stage.', () =>
      STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
    );
  }

  outboxIsEmpty(): void {
    this.emptyAtMs = performance.now();
  }

  queued(count: number): void {
    this.counters.queued.add(count);
  }

  attempted(result: AttemptResult): void {
    if (result === 'success') {
      this.counters.delivered.add();
      return;
    }
    this.counters.failed.add();
    if (result === 'abandoned') {
      this.counters.abandoned.add();
    }
  }

  /** @param sinceFactMs less than nothing where the clock was set back */
  firstAttempt(sinceFactMs: number): void {
    this.firstAttemptSeconds.observe(Math.max(0, sinceFactMs) / 1000);
  }
}

// Each part has an index of just these rows.
const COUNTS = `
  SELECT waiting, oldest_seconds,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'due' LIMIT $1) AS d) AS due,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'handed' LIMIT $1) AS d) AS handed,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'later' LIMIT $1) AS d) AS later
  FROM (
    SELECT count(*)::integer AS waiting,
      greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0))::float8 AS oldest_seconds
    FROM (SELECT occurred_at FROM events WHERE relayed_at IS NULL LIMIT $1) AS e
  ) AS outbox`;
