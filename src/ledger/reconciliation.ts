import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { type StoredRow, withBigints } from '../database/bounded-statements';
import { longQuery } from '../database/connection-pool';
import { Clock } from '../runtime/clock';
import { nanoToUsd } from './money';
import { writtenSince } from './period-sums';

@Injectable()
export class Balances {
  constructor(private readonly databases: AccountDatabases) {}

  async of(accountIds: readonly string[]): Promise<Map<string, bigint>> {
    const rows: { account_id: string; balance_nano: string }[] = await this.databases.everyone.query(
      'SELECT account_id, balance_nano FROM balances WHERE account_id = ANY($1::uuid[])',
      [accountIds],
    );
    return new Map(rows.map((row) => [row.account_id, BigInt(row.balance_nano)]));
  }
}

const MISMATCHES_MAX = 100;
const SUMMED_WITHIN_MS = 30_000;

interface Sums {
  balanceNanoUsd: bigint;
  ledgerNanoUsd: bigint;
}

interface Mismatch extends Sums {
  accountId: string;
}

interface Totals extends Sums {
  accounts: number;
  openReservations: number;
}

export interface Reconciliation extends Totals {
  mismatches: Mismatch[];
  checkedAt: Date;
}

export function reconciliationRecord(reconciliation: Reconciliation) {
  return {
    accounts: reconciliation.accounts,
    ...comparison(reconciliation),
    open_reservations: reconciliation.openReservations,
    mismatches: reconciliation.mismatches.map((mismatch) => ({
      user_id: mismatch.accountId,
      ...comparison(mismatch),
    })),
    checked_at: reconciliation.checkedAt.toISOString(),
  };
}

/** Subtracts in nano-USD: the difference of rounded USD numbers could show a mismatch that is not there. */
function comparison({ balanceNanoUsd, ledgerNanoUsd }: Sums) {
  return {
    balance_usd: nanoToUsd(balanceNanoUsd),
    ledger_usd: nanoToUsd(ledgerNanoUsd),
    difference_usd: nanoToUsd(balanceNanoUsd - ledgerNanoUsd),
  };
}

/** Checks that every balance equals the sum of its account's entries, dropped rows of calls included. */
@Injectable()
export class ReconciliationRepository {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  /**
   * Sums all entries. One statement reads all schemas of a server, so an account that is moved meanwhile counts
   * once; between several servers none is moved.
   * @throws QueryFailedError when a statement takes longer than withinMs
   */
  async reconcile(withinMs = SUMMED_WITHIN_MS): Promise<Reconciliation> {
    const { everyone, places } = this.databases;
    return places
      ? this.inEachSchema((database) => this.compare(database, ALL_CHARGES, withinMs))
      : this.compare(everyone, ALL_CHARGES, withinMs);
  }

  /**
   * Sums only new charges, because entries never change; after a mismatch all entries, now and next time. An
   * account moved meanwhile may be missing from the totals or in them twice, but is no mismatch.
   * @throws QueryFailedError when a statement takes longer than withinMs
   */
  async reconcileNewCharges(withinMs: number): Promise<Reconciliation> {
    return this.inEachSchema(async (database) => {
      await longQuery(database, withinMs, 'SELECT charges_sum_up()');
      const found = await this.compare(database, NEW_CHARGES, withinMs);
      if (found.mismatches.length === 0) {
        return found;
      }
      await database.query('UPDATE roll_ups SET summed_to = NULL');
      return this.compare(database, ALL_CHARGES, withinMs);
    });
  }

  private async inEachSchema(
    compare: (database: DataSource) => Promise<Reconciliation>,
  ): Promise<Reconciliation> {
    return (await this.databases.inEach(compare)).reduce(together);
  }

  /** One statement, so that a call that settles meanwhile is in both sums or in neither. */
  private async compare(database: DataSource, charges: string, withinMs: number): Promise<Reconciliation> {
    const checkedAt = this.clock.now();
    const [row] = await longQuery<StoredRow<Totals> & { mismatches: StoredRow<Mismatch>[] }>(
      database,
      withinMs,
      reconcile(charges),
      [MISMATCHES_MAX],
    );
    if (!row) {
      throw new Error('an aggregate gave no row');
    }
    return {
      ...withBigints(row, 'balanceNanoUsd', 'ledgerNanoUsd'),
      mismatches: row.mismatches.map((one) => withBigints(one, 'balanceNanoUsd', 'ledgerNanoUsd')),
      checkedAt,
    };
  }
}

function together(one: Reconciliation, other: Reconciliation): Reconciliation {
  const mismatches = [...one.mismatches, ...other.mismatches].sort((a, b) =>
    a.accountId < b.accountId ? -1 : 1,
  );
  return {
    accounts: one.accounts + other.accounts,
    balanceNanoUsd: one.balanceNanoUsd + other.balanceNanoUsd,
    ledgerNanoUsd: one.ledgerNanoUsd + other.ledgerNanoUsd,
    openReservations: one.openReservations + other.openReservations,
    mismatches: mismatches.slice(0, MISMATCHES_MAX),
    checkedAt: one.checkedAt,
  };
}

const ALL_CHARGES = `SELECT account_id, -charged_nano AS amount_nano FROM calls WHERE position IS NOT NULL
  UNION ALL SELECT account_id, amount_nano FROM carried_charges`;

const NEW_CHARGES = `SELECT account_id, -charged_nano AS amount_nano FROM calls
    WHERE position IS NOT NULL AND ${writtenSince('summed_to')}
  UNION ALL SELECT account_id, amount_nano + summed_nano FROM carried_charges`;

// Amounts are JSON strings: the driver's JSON.parse would round numbers to doubles.
const reconcile = (charges: string) => `
  WITH sums AS (
    SELECT account_id, sum(amount_nano) AS ledger_nano FROM (
      SELECT account_id, amount_nano FROM credits UNION ALL ${charges}
    ) AS entries GROUP BY account_id
  ), compared AS MATERIALIZED (
    SELECT account_id, coalesce(balance_nano, 0) AS balance_nano, coalesce(ledger_nano, 0) AS ledger_nano
    FROM balances FULL JOIN sums USING (account_id)
  ), mismatched AS (
    SELECT account_id AS "accountId", balance_nano::text AS "balanceNanoUsd", ledger_nano::text AS "ledgerNanoUsd" FROM compared
    WHERE balance_nano <> ledger_nano ORDER BY account_id LIMIT $1
  )
  SELECT count(*)::integer AS accounts, coalesce(sum(balance_nano), 0) AS "balanceNanoUsd",
    coalesce(sum(ledger_nano), 0) AS "ledgerNanoUsd",
    (SELECT count(*) FROM reservations)::integer AS "openReservations",
    (SELECT coalesce(json_agg(mismatched), '[]') FROM mismatched) AS mismatches
  FROM compared`;
