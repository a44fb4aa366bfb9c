import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import type { AttemptResult } from './attempts.repository';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

/** The metrics of events and deliveries for the operator. */
@Injectable()
export class EventMetrics {
  private readonly queuedDeliveries;
  private readonly deliveredDeliveries;
  private readonly failedAttempts;
  private readonly abandonedDeliveries;
  private readonly firstAttemptSeconds;
  /** When this process last found no event waiting, by performance.now(); null before its relay has run. */
  private emptyAtMs: number | null = null;

  constructor(metrics: Metrics) {
    metrics.gauge(
      'events_outbox_age_seconds',
      'Seconds since the relay of this process last found no event waiting: none that waits is older.',
      () => (this.emptyAtMs === null ? 0 : (performance.now() - this.emptyAtMs) / 1000),
    );
    const counter = (name: string, help: string) => metrics.counter(name, help).labelled({});
    this.queuedDeliveries = counter(
      'webhook_deliveries_queued_total',
      'Attempts that this process put in the queue.',
    );
    this.deliveredDeliveries = counter(
      'webhook_deliveries_delivered_total',
      'Deliveries that a receiver took.',
    );
    this.failedAttempts = counter('webhook_attempts_failed_total', 'Attempts that failed.');
    this.abandonedDeliveries = counter(
      'webhook_deliveries_abandoned_total',
      'Deliveries whose last automatic attempt failed.',
    );
    this.firstAttemptSeconds = metrics
      .histogram(
        'webhook_first_attempt_seconds',
        'Time from a fact to the first attempt to tell of it.',
        SECONDS,
      )
      .labelled({});
  }

  /** Notes that no event waits for the relay. */
  outboxIsEmpty(): void {
    this.emptyAtMs = performance.now();
  }

  queued(count: number): void {
    this.queuedDeliveries.add(count);
  }

  /** Counts an attempt that was recorded. */
  attempted(result: AttemptResult): void {
    if (result === 'success') {
      this.deliveredDeliveries.add();
      return;
    }
    this.failedAttempts.add();
    if (result === 'abandoned') {
      this.abandonedDeliveries.add();
    }
  }

  /** @param sinceFactMs from the fact to the beginning of the first attempt */
  firstAttempt(sinceFactMs: number): void {
    this.firstAttemptSeconds.observe(sinceFactMs / 1000);
  }
}
