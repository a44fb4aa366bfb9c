import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../infrastructure/metrics/metrics';

const ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The ledger's metrics for the operator. A flush that several calls share is recorded once, not once for each call. */
@Injectable()
export class LedgerMetrics {
  private readonly settlements;
  private readonly reservations;
  private readonly flushSeconds;
  private readonly exactly;
  private readonly together;
  private readonly splits;
  private readonly lostConnections;
  private readonly refusals;
  private readonly directSettlements;
  private readonly directReservations;
  private readonly sweptCalls;
  private readonly sweepSeconds;
  private readonly queueDepths: (() => number)[] = [];

  constructor(metrics: Metrics) {
    const counter = (name: string, help: string) => metrics.counter(name, help);
    const items = metrics.histogram('ledger_flush_items', 'Calls that were written by one flush.', ITEMS);
    this.settlements = items.labelled({ kind: 'settlement' });
    this.reservations = items.labelled({ kind: 'reservation' });
    this.flushSeconds = metrics
      .histogram('ledger_flush_seconds', 'Time of one flush, commit included.', SECONDS)
      .labelled({});
    metrics.gauge('ledger_queue_depth', 'Calls that wait for a flush.', () =>
      this.queueDepths.reduce((sum, depth) => sum + depth(), 0),
    );
    const decided = counter(
      'ledger_reservations_total',
      'Reservations that a flush decided: all of them together as they all fit, or exactly, one after the other.',
    );
    this.exactly = decided.labelled({ path: 'exact' });
    this.together = decided.labelled({ path: 'together' });
    this.splits = counter('ledger_splits_total', 'Flushes that were split after a failure.').labelled({});
    this.lostConnections = counter(
      'ledger_lost_connections_total',
      'Connections to Postgres that a flush lost.',
    ).labelled({});
    this.refusals = counter(
      'ledger_refused_for_load_total',
      'Calls that were answered with 503 as the queue was full.',
    ).labelled({});
    const direct = counter('ledger_direct_total', 'Calls that were written alone, outside any flush.');
    this.directSettlements = direct.labelled({ kind: 'settlement' });
    this.directReservations = direct.labelled({ kind: 'reservation' });
    this.sweptCalls = counter(
      'ledger_swept_total',
      'Reservations of dead calls that this process released.',
    ).labelled({});
    this.sweepSeconds = metrics
      .histogram('ledger_sweep_seconds', 'Time of one sweep of dead calls that ran to its end.', SECONDS)
      .labelled({});
  }

  /** Records a flush that was committed. Its number of settlements or reservations is not recorded where that is 0. */
  flushed(fields: { settlements: number; reservations: number; durationMs: number }): void {
    if (fields.settlements > 0) {
      this.settlements.observe(fields.settlements);
    }
    if (fields.reservations > 0) {
      this.reservations.observe(fields.reservations);
    }
    this.flushSeconds.observe(fields.durationMs / 1000);
  }

  /** @param depth tells how many calls wait in one more queue; it is called only when the metrics are read */
  observeQueue(depth: () => number): void {
    this.queueDepths.push(depth);
  }

  /** Counts the reservations of a flush that were decided one after the other. */
  decidedExactly(count: number): void {
    this.exactly.add(count);
  }

  /** Counts the reservations of a flush that were decided together, because all of them fitted. */
  decidedTogether(count: number): void {
    this.together.add(count);
  }

  split(): void {
    this.splits.add();
  }

  lostConnection(): void {
    this.lostConnections.add();
  }

  refusedForLoad(): void {
    this.refusals.add();
  }

  direct(kind: 'settlement' | 'reservation'): void {
    (kind === 'settlement' ? this.directSettlements : this.directReservations).add();
  }

  swept(count: number): void {
    this.sweptCalls.add(count);
  }

  sweep(durationMs: number): void {
    this.sweepSeconds.observe(durationMs / 1000);
  }
}
