import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { ListPaymentsQuery } from '../../../generated/types';
import { AccountDatabases } from '../../database/account-databases';
import { countOf, inPeriod, listRows, orderBy, type RowPage } from '../../database/bounded-statements';
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
type Amounts = (typeof AMOUNTS)[number];

export const PAYMENT_COLUMNS = `p.id, p.account_id AS "accountId", p.currency, p.network, p.is_sandbox AS "isSandbox",
  p.amount_nano AS "amountNanoUsd", p.expected_base AS "expectedBase", p.rate_nano AS "rateNanoUsd",
  p.price_sources AS "priceSources", p.derivation_index AS "derivationIndex", p.address, p.reference,
  p.created_at AS "createdAt", p.expires_at AS "expiresAt", p.status, p.failure_reason AS "failureReason", p.credits,
  p.credited_nano AS "creditedNanoUsd", p.credited_base AS "creditedBase", p.received_base AS "receivedBase",
  p.confirmations, p.required_confirmations AS "requiredConfirmations", p.tx_hash AS "txHash",
  p.is_underpaid AS "isUnderpaid", p.is_overpaid AS "isOverpaid", p.is_late AS "isLate",
  p.was_confirming AS "wasConfirming", p.detected_at AS "detectedAt", p.confirmed_at AS "confirmedAt",
  p.watch_until AS "watchUntil", p.version, p.review_needed AS "isReviewNeeded", p.review_reason AS "reviewReason",
  p.review_since AS "reviewSince", p.review_resolved_at AS "reviewResolvedAt",
  p.review_resolved_by AS "reviewResolvedBy", p.review_note AS "reviewNote"`;

/** In the order in which they were first seen. */
const TRANSFERS = `
  SELECT payment_id AS "paymentId", transfer_id AS id, tx_hash AS "txHash", amount_base AS "amountBase", state, confirmations,
    is_final AS "isFinal", block_time AS "blockTime", first_seen_at AS "firstSeenAt", is_late AS "isLate",
    credited_nano AS "creditedNanoUsd", entry_id AS "entryId"
  FROM payment_transfers WHERE payment_id = ANY ($1) ORDER BY first_seen_at, position`;

export interface PaymentRow
  extends Omit<Payment, Amounts | 'priceSources' | 'review' | 'transfers'>, Record<Amounts, string> {
  priceSources: { name: string; rate_nano: string; taken_at: string }[];
  isReviewNeeded: boolean;
  reviewSince: Date | null;
  reviewResolvedAt: Date | null;
  reviewResolvedBy: string | null;
  reviewNote: string | null;
}

type TransferRow = Omit<PaymentTransfer, 'amountBase' | 'creditedNanoUsd'> & {
  paymentId: string;
  amountBase: string;
  creditedNanoUsd: string | null;
};

type Database = Pick<EntityManager, 'query'>;

/**
 * Adds their transfers, by a statement of its own: on a Citus no statement reads tables of accounts and of the installation.
 * They may be newer than a row that is not locked; its version tells.
 */
export async function paymentsOf(database: Database, rows: readonly PaymentRow[]): Promise<Payment[]> {
  const ids = rows.map(({ id }) => id);
  const transfers: TransferRow[] = ids.length === 0 ? [] : await database.query(TRANSFERS, [ids]);
  const byPayment = new Map(rows.map(({ id }) => [id, [] as PaymentTransfer[]]));
  for (const { paymentId, ...transfer } of transfers) {
    byPayment.get(paymentId)?.push(transferOf(transfer));
  }
  return rows.map((row) => ({ ...paymentOf(row), transfers: byPayment.get(row.id) ?? [] }));
}

function paymentOf({
  isReviewNeeded: isNeeded,
  reviewReason: reason,
  reviewSince: since,
  reviewResolvedAt: resolvedAt,
  reviewResolvedBy: resolvedBy,
  reviewNote: note,
  ...row
}: PaymentRow): Omit<Payment, 'transfers'> {
  const amounts = AMOUNTS.map((name) => [name, BigInt(row[name])]);
  return {
    ...row,
    ...(Object.fromEntries(amounts) as Record<Amounts, bigint>),
    priceSources: row.priceSources.map(priceSourceOf),
    reviewReason: isNeeded ? reason : null,
    review: { isNeeded, reason, since, resolvedAt, resolvedBy, note },
  };
}

export async function storedPayment(database: Database, id: string): Promise<Payment | null> {
  const rows: PaymentRow[] = await database.query(
    `SELECT ${PAYMENT_COLUMNS} FROM payments AS p WHERE p.id = $1`,
    [id],
  );
  const [payment = null] = await paymentsOf(database, rows);
  return payment;
}

function transferOf(row: Omit<TransferRow, 'paymentId'>): PaymentTransfer {
  return {
    ...row,
    amountBase: BigInt(row.amountBase),
    creditedNanoUsd: row.creditedNanoUsd === null ? null : BigInt(row.creditedNanoUsd),
  };
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

  /** Whosever it is. */
  async find(id: string): Promise<Payment | null> {
    return isId(id) ? storedPayment(this.databases.everyone, id) : null;
  }

  async list(
    { accountId, needsReview }: { accountId: string | null; needsReview: boolean | null },
    query: ListPaymentsQuery,
  ): Promise<RowPage<Payment>> {
    const database = this.of(accountId);
    const [column, isNullable] = SORTED_BY[query.sort];
    const order = orderBy(`p.${column}`, query.order, isNullable, 'p.id');
    const { items, ...page } = await listRows<PaymentRow>(
      database,
      { columns: PAYMENT_COLUMNS, from: 'payments AS p', order },
      query,
      {
        'p.account_id = $': accountId,
        'p.status = $': query.status,
        'p.currency = $': query.currency,
        'p.review_needed = $': needsReview,
        ...inPeriod(openPeriod(query), 'p.created_at'),
      },
    );
    return { items: await paymentsOf(database, items), ...page };
  }

  /** Of an account the newest: those that wait for their chain, and those made or changed since. */
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

// One that is being changed is passed over: waiting for it could end in two that wait for each other.
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
