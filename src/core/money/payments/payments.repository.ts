import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Currency } from '../../../infrastructure/chain/payment-chain';
import { isId } from '../../../infrastructure/ids/ids';
import { NotFound } from '../../errors/request-errors';
import type { Payment, PaymentStatus } from './payment';
import { PAYMENT_COLUMNS, paymentOf, type PaymentRow } from './payment-rows';

/** The conditions that a payment has to meet; null means no condition. */
export interface PaymentFilter {
  accountId: string | null;
  status: PaymentStatus | null;
  currency: Currency | null;
  needsReview: boolean | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
}

export interface PaymentPage {
  sort: 'created_at' | 'amount_usd';
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Which payments a look at a chain is for. */
export interface WatchQuery {
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
