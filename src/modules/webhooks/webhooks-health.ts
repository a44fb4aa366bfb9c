import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withLongStatements } from '../../database/connection-pool';
import { Clock } from '../../runtime/clock';

const RECEIVERS_MAX = 10;
const COUNTED_WITHIN_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A receiver with deliveries that are due or with a worker. */
export interface WaitingReceiver {
  receiver: string;
  waiting: number;
  oldestDueAt: Date;
  /** Since when it is served as a slow one; null where it is not. */
  slowSince: Date | null;
}

/** Whether the events of all accounts reach their receivers. */
export interface WebhooksHealth {
  /** Events of which no deliveries are made yet. */
  eventsWaiting: number;
  oldestEventAt: Date | null;
  due: number;
  handed: number;
  later: number;
  failedLastDay: number;
  abandonedLastDay: number;
  switchedOff: number;
  /** At most 10, those with the most waiting first. */
  receivers: WaitingReceiver[];
  checkedAt: Date;
}

/** What operators need to know of the events and their deliveries. */
@Injectable()
export class WebhooksHealthRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Counts over all accounts. */
  async read(): Promise<WebhooksHealth> {
    const checkedAt = this.clock.now();
    const dayBefore = new Date(checkedAt.getTime() - DAY_MS);
    return withLongStatements(this.database, COUNTED_WITHIN_MS, async (runner) => {
      const [counts] = (await runner.query(COUNTS, [dayBefore])) as CountsRow[];
      const receivers = (await runner.query(RECEIVERS, [RECEIVERS_MAX])) as ReceiverRow[];
      if (!counts) {
        throw new Error('an aggregate gave no row');
      }
      return {
        eventsWaiting: Number(counts.events_waiting),
        oldestEventAt: counts.oldest_event_at,
        due: Number(counts.due),
        handed: Number(counts.handed),
        later: Number(counts.later),
        failedLastDay: Number(counts.failed),
        abandonedLastDay: Number(counts.abandoned),
        switchedOff: Number(counts.switched_off),
        receivers: receivers.map((row) => ({
          receiver: row.receiver,
          waiting: Number(row.waiting),
          oldestDueAt: row.oldest_due_at,
          slowSince: row.slow_since,
        })),
        checkedAt,
      };
    });
  }
}

// Each part has an index, for most deliveries are over and there are very many. None is abandoned before it has failed.
const COUNTS = `
  SELECT events_waiting, oldest_event_at, failed, abandoned,
    (SELECT count(*) FROM deliveries WHERE stage = 'due') AS due,
    (SELECT count(*) FROM deliveries WHERE stage = 'handed') AS handed,
    (SELECT count(*) FROM deliveries WHERE stage = 'later') AS later,
    (SELECT count(*) FROM webhooks WHERE NOT is_active AND disabled_reason IS NOT NULL) AS switched_off
  FROM (SELECT count(*) AS events_waiting, min(occurred_at) AS oldest_event_at FROM events WHERE relayed_at IS NULL) AS e,
    (SELECT count(*) AS failed, count(*) FILTER (WHERE abandoned_at >= $1) AS abandoned
      FROM deliveries WHERE failed_at >= $1) AS d`;

// Apart, because each stage has an index of its own, and both in one condition have none.
const RECEIVERS = `
  SELECT receiver, count(*) AS waiting, min(next_attempt_at) AS oldest_due_at, min(since) AS slow_since
  FROM (
    SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'due'
    UNION ALL SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'handed'
  ) AS d LEFT JOIN slow_receivers USING (receiver)
  GROUP BY receiver ORDER BY waiting DESC, receiver LIMIT $1`;

interface CountsRow {
  events_waiting: string;
  oldest_event_at: Date | null;
  due: string;
  handed: string;
  later: string;
  failed: string;
  abandoned: string;
  switched_off: string;
}

interface ReceiverRow {
  receiver: string;
  waiting: string;
  oldest_due_at: Date;
  slow_since: Date | null;
}
