import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFound } from '../../errors/api-errors';
import { isId } from '../../runtime/ids';
import type { Payment, PaymentStatus, PaymentTransfer, PriceSource } from './payment';
import type { Currency, TransferState } from './payment-chain';

/** The columns of a payment, and its transfers as an array of JSON objects, in the order in which they were first seen. */
export const PAYMENT_COLUMNS = `p.*, coalesce((
    SELECT json_agg(json_build_object(
      'id', t.transfer_id, 'tx_hash', t.tx_hash, 'amount_base', t.amount_base::text, 'state', t.state,
      'confirmations', t.confirmations, 'is_final', t.is_final, 'block_time', t.block_time,
      'first_seen_at', t.first_seen_at, 'is_late', t.is_late, 'credited_nano', t.credited_nano::text,
      'entry_id', t.entry_id) ORDER BY t.position)
    FROM payment_transfers AS t WHERE t.payment_id = p.id), '[]') AS transfers`;

/** A row of PAYMENT_COLUMNS, as the driver returns it. */
export interface PaymentRow {
  id: string;
  account_id: string;
  currency: Currency;
  network: string;
  is_sandbox: boolean;
  amount_nano: string;
  expected_base: string;
  rate_nano: string;
  price_sources: { name: string; rate_nano: string; taken_at: string }[];
  derivation_index: number;
  address: string;
  reference: string | null;
  created_at: Date;
  expires_at: Date;
  status: PaymentStatus;
  failure_reason: string | null;
  credits: number;
  credited_nano: string;
  credited_base: string;
  received_base: string;
  confirmations: number;
  required_confirmations: number;
  tx_hash: string | null;
  is_underpaid: boolean;
  is_overpaid: boolean;
  is_late: boolean;
  was_confirming: boolean;
  detected_at: Date | null;
  confirmed_at: Date | null;
  watch_until: Date;
  version: number;
  review_needed: boolean;
  review_reason: string | null;
  review_since: Date | null;
  review_resolved_at: Date | null;
  review_resolved_by: string | null;
  review_note: string | null;
  transfers: TransferRow[];
}

interface TransferRow {
  id: string;
  tx_hash: string | null;
  amount_base: string;
  state: TransferState;
  confirmations: number;
  is_final: boolean;
  block_time: string | null;
  first_seen_at: string;
  is_late: boolean;
  credited_nano: string | null;
  entry_id: string | null;
}

export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    accountId: row.account_id,
    currency: row.currency,
    network: row.network,
    isSandbox: row.is_sandbox,
    amountNanoUsd: BigInt(row.amount_nano),
    expectedBase: BigInt(row.expected_base),
    rateNanoUsd: BigInt(row.rate_nano),
    priceSources: row.price_sources.map(priceSourceOf),
    address: row.address,
    reference: row.reference,
    derivationIndex: row.derivation_index,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    status: row.status,
    failureReason: row.failure_reason,
    credits: row.credits,
    creditedNanoUsd: BigInt(row.credited_nano),
    creditedBase: BigInt(row.credited_base),
    receivedBase: BigInt(row.received_base),
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    txHash: row.tx_hash,
    isUnderpaid: row.is_underpaid,
    isOverpaid: row.is_overpaid,
    isLate: row.is_late,
    wasConfirming: row.was_confirming,
    detectedAt: row.detected_at,
    confirmedAt: row.confirmed_at,
    watchUntil: row.watch_until,
    version: row.version,
    reviewReason: row.review_needed ? row.review_reason : null,
    review: {
      isNeeded: row.review_needed,
      reason: row.review_reason,
      since: row.review_since,
      resolvedAt: row.review_resolved_at,
      resolvedBy: row.review_resolved_by,
      note: row.review_note,
    },
    transfers: row.transfers.map(transferOf),
  };
}

function transferOf(row: TransferRow): PaymentTransfer {
  return {
    id: row.id,
    txHash: row.tx_hash,
    amountBase: BigInt(row.amount_base),
    state: row.state,
    confirmations: row.confirmations,
    isFinal: row.is_final,
    blockTime: row.block_time === null ? null : new Date(row.block_time),
    firstSeenAt: new Date(row.first_seen_at),
    isLate: row.is_late,
    creditedNanoUsd: row.credited_nano === null ? null : BigInt(row.credited_nano),
    entryId: row.entry_id,
  };
}

/** Price sources as the table holds them, in JSON. */
export function priceSourcesJson(sources: readonly PriceSource[]): string {
  return JSON.stringify(
    sources.map(({ name, rateNanoUsd, takenAt }) => ({
      name,
      rate_nano: rateNanoUsd.toString(),
      taken_at: takenAt.toISOString(),
    })),
  );
}

function priceSourceOf(source: PaymentRow['price_sources'][number]): PriceSource {
  return { name: source.name, rateNanoUsd: BigInt(source.rate_nano), takenAt: new Date(source.taken_at) };
}

/** The conditions that a payment has to meet; null means no condition. */
interface PaymentFilter {
  accountId: string | null;
  status: PaymentStatus | null;
  currency: Currency | null;
  needsReview: boolean | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
}

interface PaymentPage {
  sort: 'created_at' | 'amount_usd';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Which payments a look at a chain is for. */
interface WatchQuery {
  currency: Currency;
  network: string;
  now: Date;
  /** Payments that wait for nothing are due when they were looked at before this time. */
  restingLookedBefore: Date;
  countMax: { active: number; resting: number };
}

/** Reads payments. What changes them is NewPayments, PaymentSettlement and PaymentReviews. */
@Injectable()
export class Payments {
  constructor(private readonly database: DataSource) {}

  /** @throws NotFound when the account has no such payment, whoever else may have it */
  async get(accountId: string, id: string): Promise<Payment> {
    const payment = await this.find(id);
    if (payment === null || payment.accountId !== accountId) {
      throw new NotFound('payment');
    }
    return payment;
  }

  /** The payment of any account; null where there is none. */
  async find(id: string): Promise<Payment | null> {
    const rows: PaymentRow[] = isId(id)
      ? await this.database.query(`SELECT ${PAYMENT_COLUMNS} FROM payments AS p WHERE p.id = $1`, [id])
      : [];
    return rows[0] ? paymentOf(rows[0]) : null;
  }

  /** One page of the payments that meet the filter, and how many meet it. */
  async list(filter: PaymentFilter, page: PaymentPage): Promise<{ payments: Payment[]; total: number }> {
    const values = [
      filter.accountId,
      filter.status,
      filter.currency,
      filter.needsReview,
      filter.createdFrom,
      filter.createdBefore,
    ];
    const [count]: { count: string }[] = await this.database.query(
      `SELECT count(*) FROM payments AS p WHERE ${MEETS}`,
      values,
    );
    const direction = page.order === 'asc' ? 'ASC' : 'DESC';
    const order = `p.${SORTED_BY[page.sort]} ${direction}, p.id ${direction}`;
    const rows: PaymentRow[] = await this.database.query(
      `SELECT ${PAYMENT_COLUMNS} FROM (
         SELECT * FROM payments AS p WHERE ${MEETS} ORDER BY ${order} LIMIT $7 OFFSET $8
       ) AS p ORDER BY ${order}`,
      [...values, page.limit, page.offset],
    );
    return { payments: rows.map(paymentOf), total: Number(count?.count) };
  }

  /** The payments of a chain that are due to be looked at, those that wait for longest first. */
  async due({ currency, network, now, restingLookedBefore, countMax }: WatchQuery): Promise<Payment[]> {
    const rows: PaymentRow[] = await this.database.query(
      `SELECT ${PAYMENT_COLUMNS} FROM (
         (SELECT * FROM payments WHERE currency = $1 AND network = $2 AND is_active ORDER BY looked_at LIMIT $5)
         UNION ALL
         (SELECT * FROM payments WHERE currency = $1 AND network = $2 AND NOT is_active AND looked_at < $4
            AND watch_until > $3 ORDER BY looked_at LIMIT $6)
       ) AS p`,
      [currency, network, now, restingLookedBefore, countMax.active, countMax.resting],
    );
    return rows.map(paymentOf);
  }

  /** Notes that payments were looked at. Those that have ended wait for nothing more when they are watched no longer. */
  async looked(ids: readonly string[], now: Date): Promise<void> {
    await this.database.query(LOOKED, [ids, now]);
  }

  /** How many payments wait for each chain. */
  async openCounts(): Promise<Map<Currency, number>> {
    const rows: { currency: Currency; count: string }[] = await this.database.query(
      'SELECT currency, count(*) FROM payments WHERE is_active GROUP BY currency',
    );
    return new Map(rows.map(({ currency, count }) => [currency, Number(count)]));
  }

  /** How many payments a person has to look at, of all accounts or of one. */
  async reviewCount(accountId: string | null = null): Promise<number> {
    const [row]: { count: string }[] = await this.database.query(
      'SELECT count(*) FROM payments WHERE review_needed AND ($1::uuid IS NULL OR account_id = $1)',
      [accountId],
    );
    return Number(row?.count);
  }
}

// One that is being changed was looked at by whoever changes it; waiting for it could end in two that wait for each other.
const LOOKED = `
  UPDATE payments SET looked_at = $2,
    is_active = is_active AND (status IN ('created', 'confirming') OR watch_until > $2)
  WHERE id IN (SELECT id FROM payments WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

const SORTED_BY = { created_at: 'created_at', amount_usd: 'amount_nano' } as const;

const MEETS = `($1::uuid IS NULL OR p.account_id = $1) AND ($2::text IS NULL OR p.status = $2)
  AND ($3::text IS NULL OR p.currency = $3) AND ($4::boolean IS NULL OR p.review_needed = $4)
  AND ($5::timestamptz IS NULL OR p.created_at >= $5) AND ($6::timestamptz IS NULL OR p.created_at < $6)`;
