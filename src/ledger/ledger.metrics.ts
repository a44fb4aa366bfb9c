import { Injectable, Logger } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { Metrics } from '../observability/metrics';
import type { Reconciliation } from './reconciliation';
import { nanoToUsd } from './money';

const ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

@Injectable()
export class LedgerMetrics {
  readonly reservedInMemory;
  readonly reservedByFlush;
  readonly recalls;
  readonly splits;
  readonly lostConnections;
  readonly refusals;
  readonly sweptCalls;
  readonly sweepSeconds;
  private readonly settlements;
  private readonly changedLeases;
  private readonly flushSeconds;
  private readonly ledgers: { waiting: () => number; leases: () => number }[] = [];

  constructor(metrics: Metrics) {
    const counter = (name: string, help: string) => metrics.counter(name, help).labelled({});
    const seconds = (name: string, help: string) => metrics.histogram(name, help, SECONDS).labelled({});
    const sum = (of: (ledger: { waiting: () => number; leases: () => number }) => number) =>
      this.ledgers.reduce((all, ledger) => all + of(ledger), 0);
    const items = metrics.histogram(
      'ledger_flush_items',
      'Calls that one flush ended, and leases that it changed.',
      ITEMS,
    );
    this.settlements = items.labelled({ kind: 'settlement' });
    this.changedLeases = items.labelled({ kind: 'lease' });
    this.flushSeconds = seconds('ledger_flush_seconds', 'Time of one flush, commit included.');
    metrics.gauge('ledger_queue_depth', 'Orders that wait for a flush.', () =>
      sum(({ waiting }) => waiting()),
    );
    metrics.gauge('ledger_leases', 'Leases from which this process reserves in memory.', () =>
      sum(({ leases }) => leases()),
    );
    const decided = metrics.counter(
      'ledger_reservations_total',
      'Reservations that were made in memory, from what this process was lent, or by a flush that asked for more.',
    );
    this.reservedInMemory = decided.labelled({ path: 'memory' });
    this.reservedByFlush = decided.labelled({ path: 'flush' });
    this.recalls = counter(
      'ledger_recalls_total',
      'Times that calls had to wait until other processes had given back what they did not use.',
    );
    this.splits = counter('ledger_splits_total', 'Flushes that were split after a failure.');
    this.lostConnections = counter(
      'ledger_lost_connections_total',
      'Connections to Postgres that a flush lost.',
    );
    this.refusals = counter(
      'ledger_refused_for_load_total',
      'Calls that were answered with 503 as the queue was full.',
    );
    this.sweptCalls = counter('ledger_swept_total', 'Reservations of dead calls that this process released.');
    this.sweepSeconds = seconds(
      'ledger_sweep_seconds',
      'Time of one sweep of dead calls that ran to its end.',
    );
  }

  flushed(fields: { settlements: number; leases: number; durationMs: number }): void {
    if (fields.settlements > 0) {
      this.settlements.observe(fields.settlements);
    }
    if (fields.leases > 0) {
      this.changedLeases.observe(fields.leases);
    }
    this.flushSeconds.observe(fields.durationMs / 1000);
  }

  observe(ledger: { waiting: () => number; leases: () => number }): void {
    this.ledgers.push(ledger);
  }
}

const COUNTED_MAX = 100_000;

@Injectable()
export class LedgerFigures {
  private check: { unbalanced: number; differenceNanoUsd: bigint; atMs: number } | null = null;

  constructor(metrics: Metrics, { everyone }: AccountDatabases) {
    const none = { open: 0, overdue: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await everyone.query<(typeof none)[]>(COUNTS, [COUNTED_MAX]);
      return row ?? none;
    });
    metrics.gauges('ledger_reservations_open', 'Reservations of calls that have not ended.', () => [
      { labels: { lease: 'held' }, value: figures.latest.open - figures.latest.overdue },
      { labels: { lease: 'over' }, value: figures.latest.overdue },
    ]);
    metrics.gauges(
      'ledger_unbalanced_accounts',
      'Accounts whose balance is not the sum of its entries.',
      () => this.shown(({ unbalanced }) => unbalanced),
    );
    metrics.gauges('ledger_difference_usd', 'All balances less all entries, in USD.', () =>
      this.shown(({ differenceNanoUsd }) => Number(differenceNanoUsd) / 1e9),
    );
    metrics.gauges('ledger_checked_seconds', 'Time since this process last checked the books.', () =>
      this.shown(({ atMs }) => (performance.now() - atMs) / 1000),
    );
  }

  checked({ mismatches, balanceNanoUsd, ledgerNanoUsd }: Reconciliation): void {
    const differenceNanoUsd = balanceNanoUsd - ledgerNanoUsd;
    this.check = { unbalanced: mismatches.length, differenceNanoUsd, atMs: performance.now() };
  }

  private shown(value: (check: NonNullable<typeof this.check>) => number) {
    return this.check === null ? [] : [{ labels: {}, value: value(this.check) }];
  }
}

const COUNTS = `
  SELECT count(*)::integer AS open, (count(*) FILTER (WHERE lease_until < clock_timestamp()))::integer AS overdue
  FROM (SELECT lease_until FROM reservations LIMIT $1) AS r`;

/** Costs of calls beyond what their accounts could be charged, borne by the operator. */
@Injectable()
export class OperatorLoss {
  private readonly logger = new Logger('OperatorLoss');
  private readonly lostUsd;

  constructor(metrics: Metrics) {
    this.lostUsd = metrics
      .counter(
        'operator_loss_usd_total',
        'USD that calls cost beyond their reservations and that could not be charged.',
      )
      .labelled({ reason: 'no_room' });
  }

  note(nanoUsd: bigint, requestId: string): void {
    this.lostUsd.add(nanoToUsd(nanoUsd));
    this.logger.warn({
      message: 'a call cost more than could be charged',
      reason: 'no_room',
      request_id: requestId,
      loss_nano_usd: nanoUsd.toString(),
    });
  }
}
