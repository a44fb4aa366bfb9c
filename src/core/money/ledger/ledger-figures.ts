import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import type { Reconciliation } from './reconciliation.repository';

const COUNTED_MAX = 100_000;

/** What the metrics tell of the ledger's tables: open reservations, and whether the books balance. */
@Injectable()
export class LedgerFigures {
  /** Null until this process has checked the books. */
  private check: { unbalanced: number; differenceNanoUsd: bigint; atMs: number } | null = null;

  constructor(metrics: Metrics, database: DataSource) {
    const none = { open: 0, overdue: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await database.query<(typeof none)[]>(COUNTS, [COUNTED_MAX]);
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

  /** Shows how a check of the books ended. */
  checked({ mismatches, balanceNanoUsd, ledgerNanoUsd }: Reconciliation): void {
    const differenceNanoUsd = balanceNanoUsd - ledgerNanoUsd;
    this.check = { unbalanced: mismatches.length, differenceNanoUsd, atMs: performance.now() };
  }

  /** A process that has not checked the books says nothing of them. */
  private shown(value: (check: NonNullable<typeof this.check>) => number) {
    return this.check === null ? [] : [{ labels: {}, value: value(this.check) }];
  }
}

// The database's own clock decides elsewhere, too, which leases are over for good; here it only tells operators.
const COUNTS = `
  SELECT count(*)::integer AS open, (count(*) FILTER (WHERE lease_until < clock_timestamp()))::integer AS overdue
  FROM (SELECT lease_until FROM reservations LIMIT $1) AS r`;
