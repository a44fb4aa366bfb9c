import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { ListPaymentsQuery } from '../../../generated/types';
import { AccountDatabases } from '../../database/account-databases';
import {
  asProperties,
  countOf,
  inPeriod,
  listRows,
  orderBy,
  type RowPage,
  type StoredRow,
  withBigints,
} from '../../database/bounded-statements';
import { NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { isId } from '../../runtime/ids';
import type { Payment, PaymentTransfer, PriceSource } from './payment';
import type { Currency } from './payment-chain';

const AMOUNTS = [
  'amountNanoUsd',
  'expectedBase',
  'rateNanoUsd',
  'creditedNanoUsd',
  'creditedBase',
  'receivedBase',
] as const satisfies readonly (keyof Payment)[];

export const PAYMENT_COLUMNS = `amount_nano AS "amountNanoUsd", rate_nano AS "rateNanoUsd",
  credited_nano AS "creditedNanoUsd", ${asProperties(`id, account_id, currency, network, is_sandbox, expected_base,
  price_sources, derivation_index, address, reference, created_at, expires_at, status, failure_reason, credits,
  credited_base, received_base, confirmations, required_confirmations, tx_hash, is_underpaid, is_overpaid, is_late,
  was_confirming, detected_at, confirmed_at, watch_until, version,
  review_needed, review_reason, review_since, review_resolved_at, review_resolved_by, review_note`)}`;

const TRANSFERS = `
  SELECT transfer_id AS id, credited_nano AS "creditedNanoUsd", ${asProperties(`payment_id, tx_hash, amount_base, state,
    confirmations, is_final, block_time, first_seen_at, is_late, entry_id`)}
  FROM payment_transfers WHERE payment_id = ANY ($1) ORDER BY first_seen_at, position`;

export interface PaymentRow extends StoredRow<Omit<Payment, 'priceSources' | 'review' | 'transfers'>> {
  priceSources: { name: string; rate_nano: string; taken_at: string }[];
  reviewNeeded: boolean;
  reviewSince: Date | null;
  reviewResolvedAt: Date | null;
  reviewResolvedBy: string | null;
  reviewNote: string | null;
}

type TransferRow = StoredRow<PaymentTransfer> & { paymentId: string };

type Database = Pick<EntityManager, 'query'>;

/**
 * On Citus no statement reads tables of accounts and of the installation. Transfers may be newer than an unlocked row.
 */
export async function paymentsOf(database: Database, rows: readonly PaymentRow[]): Promise<Payment[]> {
  const ids = rows.map(({ id }) => id);
  const transfers: TransferRow[] = ids.length === 0 ? [] : await database.query(TRANSFERS, [ids]);
  const byPayment = new Map(rows.map(({ id }) => [id, [] as PaymentTransfer[]]));
  for (const { paymentId, ...transfer } of transfers) {
    byPayment.get(paymentId)?.push(withBigints(transfer, 'amountBase', 'creditedNanoUsd'));
  }
  return rows.map((row) => ({ ...paymentOf(row), transfers: byPayment.get(row.id) ?? [] }));
}

function paymentOf({
  reviewNeeded: isNeeded,
  reviewReason: reason,
  reviewSince: since,
  reviewResolvedAt: resolvedAt,
  reviewResolvedBy: resolvedBy,
  reviewNote: note,
  ...row
}: PaymentRow): Omit<Payment, 'transfers'> {
  return {
    ...withBigints(row, ...AMOUNTS),
    priceSources: row.priceSources.map(priceSourceOf),
    reviewReason: isNeeded ? reason : null,
    review: { isNeeded, reason, since, resolvedAt, resolvedBy, note },
  };
}

export async function storedPayment(database: Database, id: string): Promise<Payment | null> {
  const query = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE id = $1`;
  const [payment = null] = await paymentsOf(database, await database.query<PaymentRow[]>(query, [id]));
  return payment;
}

/** Locked until the transaction ends. Only a second statement sees what was committed during the wait for the lock. */
export async function lockedPayment(manager: EntityManager, id: string): Promise<Payment | null> {
  await manager.query('SELECT 1 FROM payments WHERE id = $1 FOR NO KEY UPDATE', [id]);
  return storedPayment(manager, id);
}

export function priceSourcesJson(sources: readonly PriceSource[]): string {
  return JSON.stringify(
    sources.map(({ name, rateNanoUsd, takenAt }) => ({
      name,
      rate_nano: rateNanoUsd.toString(),
      taken_at: takenAt.toISOString(),
    })),
  );
}

function priceSourceOf(source: PaymentRow['priceSources'][number]): PriceSource {
  return { name: source.name, rateNanoUsd: BigInt(source.rate_nano), takenAt: new Date(source.taken_at) };
}

interface WatchQuery {
  currency: Currency;
  network: string;
  now: Date;
  restingLookedBefore: Date;
  countMax: { active: number; resting: number };
}

@Injectable()
export class Payments {
  constructor(private readonly databases: AccountDatabases) {}

  async get(accountId: string, id: string): Promise<Payment> {
    const payment = isId(id) ? await storedPayment(this.databases.of(accountId), id) : null;
    if (payment === null || payment.accountId !== accountId) {
      throw new NotFound('payment');
    }
    return payment;
  }

  async find(id: string): Promise<Payment | null> {
    return isId(id) ? storedPayment(this.databases.everyone, id) : null;
  }

  async list(
    { accountId, needsReview }: { accountId: string | null; needsReview: boolean | null },
    query: ListPaymentsQuery,
  ): Promise<RowPage<Payment>> {
    const database = this.of(accountId);
    const [column, isNullable] = SORTED_BY[query.sort];
    const order = orderBy(column, query.order, isNullable);
    const { items, ...page } = await listRows<PaymentRow>(
      database,
      { columns: PAYMENT_COLUMNS, from: 'payments', order },
      query,
      {
        'account_id = $': accountId,
        'status = $': query.status,
        'currency = $': query.currency,
        'review_needed = $': needsReview,
        ...inPeriod(openPeriod(query)),
      },
    );
    return { items: await paymentsOf(database, items), ...page };
  }

  async recent(accountId: string, since: Date, countMax: number): Promise<Payment[]> {
    const database = this.of(accountId);
    const rows: PaymentRow[] = await database.query(
      `SELECT ${PAYMENT_COLUMNS} FROM (
         SELECT * FROM payments WHERE account_id = $1 AND (is_active OR created_at > $2 OR confirmed_at > $2)
         ORDER BY created_at DESC LIMIT $3
       ) AS p ORDER BY p.created_at DESC`,
      [accountId, since, countMax],
    );
    return paymentsOf(database, rows);
  }

  async due({ currency, network, now, restingLookedBefore, countMax }: WatchQuery): Promise<Payment[]> {
    const rows: PaymentRow[] = await this.databases.everyone.query(
      `SELECT ${PAYMENT_COLUMNS} FROM (
         (SELECT * FROM payments WHERE currency = $1 AND network = $2 AND is_active ORDER BY looked_at LIMIT $5)
         UNION ALL
         (SELECT * FROM payments WHERE currency = $1 AND network = $2 AND NOT is_active AND looked_at < $4
            AND watch_until > $3 ORDER BY looked_at LIMIT $6)
       ) AS p`,
      [currency, network, now, restingLookedBefore, countMax.active, countMax.resting],
    );
    return paymentsOf(this.databases.everyone, rows);
  }

  async looked(payments: readonly Payment[], now: Date): Promise<void> {
    for (const [database, together] of this.databases.split(payments)) {
      await database.query(LOOKED, [together.map(({ id }) => id), now]);
    }
  }

  async openCounts(): Promise<Map<Currency, number>> {
    const rows: { currency: Currency; count: string }[] = await this.databases.everyone.query(
      'SELECT currency, count(*) FROM payments WHERE is_active GROUP BY currency',
    );
    return new Map(rows.map(({ currency, count }) => [currency, Number(count)]));
  }

  async reviewCount(accountId: string | null = null): Promise<number> {
    const rows = 'payments WHERE review_needed AND ($1::uuid IS NULL OR account_id = $1)';
    return countOf(this.of(accountId), rows, [accountId]);
  }

  private of(accountId: string | null): DataSource {
    return accountId === null ? this.databases.everyone : this.databases.of(accountId);
  }
}

// Skips a payment that is being changed: waiting for it could deadlock.
const LOOKED = `
  UPDATE payments SET looked_at = $2,
    is_active = is_active AND (status IN ('created', 'confirming') OR watch_until > $2)
  WHERE id IN (SELECT id FROM payments WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

const SORTED_BY = {
  created_at: ['created_at', false],
  detected_at: ['detected_at', true],
  confirmed_at: ['confirmed_at', true],
  expires_at: ['expires_at', false],
  amount_usd: ['amount_nano', false],
} as const;
