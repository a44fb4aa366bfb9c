import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { sqlStateOf } from '../../../infrastructure/database/driver-errors';
import { newId } from '../../../infrastructure/ids/ids';
import { NotFound } from '../../errors/request-errors';
import { ServiceUnavailable } from '../../errors/service-errors';
import type {
  Balance,
  CreditOrder,
  Ledger,
  ReserveOrder,
  ReserveVerdict,
  SettleOrder,
  Settlement,
} from './ledger';
import { verdictOf, type ReserveRow } from './reserve-row';

/**
 * The waits last long enough in all for a database to restart: a settlement that may be durable must not be reported as
 * failed.
 */
const SETTLE_AGAIN_AFTER_MS = [50, 200, ...Array.from({ length: 24 }, () => 500)];
/** A release is given up sooner: its caller is told of a failure anyway, and the sweep ends what was not released. */
const RELEASE_TRIES_MAX = 5;
const LOCK_NOT_AVAILABLE = '55P03';

const RESERVE = 'SELECT * FROM ledger_reserve($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';
const SETTLE = 'SELECT * FROM ledger_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/** Carries out each order alone, as one call of a Postgres function that locks, decides and writes. */
export class PostgresLedger implements Omit<Ledger, 'sweep'> {
  constructor(private readonly database: DataSource) {}

  async reserve(order: ReserveOrder): Promise<ReserveVerdict> {
    const parameters = [
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
      order.secretHash ?? null,
    ];
    try {
      return verdictOf(await this.one<ReserveRow>(RESERVE, parameters));
    } catch (error) {
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) {
        throw new ServiceUnavailable('The account is busy; call again.', 1);
      }
      throw error;
    }
  }

  /** Tries again when the connection breaks: the same settlement twice has the effect of one. */
  async settle(order: SettleOrder): Promise<Settlement> {
    const parameters = [
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
    ];
    for (let tries = 0; ; tries += 1) {
      try {
        return settlementOf(await this.one<SettleRow>(SETTLE, parameters));
      } catch (error) {
        const waitMs = SETTLE_AGAIN_AFTER_MS[tries];
        const isLast = order.outcome !== 'settled' && tries + 1 >= RELEASE_TRIES_MAX;
        if (waitMs === undefined || isLast || !mayPass(error)) {
          throw error;
        }
        await delay(waitMs);
      }
    }
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

interface SettleRow {
  verdict: Settlement['verdict'];
  charged_nano: string;
  balance_nano: string | null;
}

function settlementOf(row: SettleRow): Settlement {
  return {
    verdict: row.verdict,
    chargedNanoUsd: BigInt(row.charged_nano),
    balanceNanoUsd: BigInt(row.balance_nano ?? 0),
  };
}

/** Whether another try may succeed: the connection broke, the server restarts, or Postgres ended a deadlock. */
function mayPass(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|57P|40)/.test(state);
}
