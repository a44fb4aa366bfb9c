import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../infrastructure/ids/new-id';
import { NotFound } from '../errors/request-errors';
import {
  Ledger,
  type Balance,
  type CreditOrder,
  type ReserveOrder,
  type ReserveVerdict,
  type SettleOrder,
  type Settlement,
} from './ledger';

const SWEEP_BATCH_MAX = 500;

/** The ledger in Postgres: each step is one call of a function that locks, decides and writes. */
@Injectable()
export class PostgresLedger extends Ledger {
  constructor(private readonly database: DataSource) {
    super();
  }

  async reserve(order: ReserveOrder): Promise<ReserveVerdict> {
    const row = await this.one<ReserveRow>(
      'SELECT * FROM ledger_reserve($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        order.callId,
        order.accountId,
        order.keyId,
        order.amountNanoUsd.toString(),
        order.now,
        order.leaseUntil,
        order.operation,
        order.requestId,
        order.price,
        order.priceVersion,
      ],
    );
    return verdictOf(row);
  }

  async settle(order: SettleOrder): Promise<Settlement> {
    const row = await this.one<SettleRow>(
      'SELECT * FROM ledger_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        order.callId,
        order.accountId,
        order.outcome,
        order.chargeNanoUsd.toString(),
        order.status,
        order.inputTokens,
        order.outputTokens,
        order.now,
        newId(),
        order.answer,
      ],
    );
    return {
      verdict: row.verdict,
      chargedNanoUsd: BigInt(row.charged_nano),
      balanceNanoUsd: BigInt(row.balance_nano ?? 0),
    };
  }

  async credit(order: CreditOrder): Promise<string | null> {
    const row = await this.one<{ entry_id: string | null }>(
      'SELECT * FROM ledger_credit($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        newId(),
        order.accountId,
        order.type,
        order.amountNanoUsd.toString(),
        order.description,
        order.referenceId,
        order.requestId,
        order.now,
      ],
    );
    return row.entry_id;
  }

  async sweep(now: Date): Promise<number> {
    const expired: { id: string; account_id: string }[] = await this.database.query(
      'SELECT id, account_id FROM reservations WHERE lease_until <= $1 ORDER BY lease_until LIMIT $2',
      [now, SWEEP_BATCH_MAX],
    );
    let swept = 0;
    for (const { id, account_id: accountId } of expired) {
      const ended = await this.settle({
        callId: id,
        accountId,
        outcome: 'expired',
        chargeNanoUsd: 0n,
        status: null,
        inputTokens: 0,
        outputTokens: 0,
        now,
        answer: null,
      });
      swept += ended.verdict === 'settled' ? 1 : 0;
    }
    return swept;
  }

  async balance(accountId: string): Promise<Balance> {
    const [row]: { balance_nano: string; reserved_nano: string }[] = await this.database.query(
      'SELECT balance_nano, reserved_nano FROM balances WHERE account_id = $1',
      [accountId],
    );
    if (!row) {
      throw new NotFound('account');
    }
    return { balanceNanoUsd: BigInt(row.balance_nano), reservedNanoUsd: BigInt(row.reserved_nano) };
  }

  private async one<Row>(sql: string, parameters: unknown[]): Promise<Row> {
    const [row]: Row[] = await this.database.query(sql, parameters);
    if (!row) {
      throw new Error(`no row from: ${sql}`);
    }
    return row;
  }
}

interface ReserveRow {
  verdict: ReserveVerdict['verdict'];
  balance_nano: string;
  available_nano: string;
  limit_nano: string;
  spent_nano: string;
  resets_at: Date | null;
}

interface SettleRow {
  verdict: Settlement['verdict'];
  charged_nano: string;
  balance_nano: string | null;
}

function verdictOf(row: ReserveRow): ReserveVerdict {
  switch (row.verdict) {
    case 'reserved':
      return { verdict: row.verdict, balanceNanoUsd: BigInt(row.balance_nano) };
    case 'insufficient_credits':
      return { verdict: row.verdict, availableNanoUsd: BigInt(row.available_nano) };
    case 'per_request':
    case 'daily':
    case 'monthly':
      return {
        verdict: row.verdict,
        limitNanoUsd: BigInt(row.limit_nano),
        spentNanoUsd: BigInt(row.spent_nano),
        resetsAt: row.resets_at,
      };
    default:
      return { verdict: row.verdict };
  }
}
