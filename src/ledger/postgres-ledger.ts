import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseUnreachable, sqlStateOf } from '../database/driver-errors';
import { DatabaseAway, NotFound, NothingReserved } from '../errors/api-errors';
import { newId } from '../runtime/ids';
import type {
  Balance,
  CreditOrder,
  Ledger,
  ReserveOrder,
  ReserveVerdict,
  Settlement,
  SettleOrder,
} from './ledger';

export interface ReserveRow {
  verdict: ReserveVerdict['verdict'];
  balance_nano: string;
  available_nano: string;
  limit_nano: string;
  room_nano: string;
  spent_nano: string;
  resets_at: Date | null;
}

export function verdictOf(row: ReserveRow): ReserveVerdict {
  switch (row.verdict) {
    case 'reserved':
      return { verdict: row.verdict, balanceNanoUsd: BigInt(row.balance_nano) };
    case 'insufficient_credits':
      return {
        verdict: row.verdict,
        availableNanoUsd: BigInt(row.available_nano),
        roomNanoUsd: BigInt(row.room_nano),
      };
    case 'per_request':
    case 'daily':
    case 'monthly':
      return {
        verdict: row.verdict,
        limitNanoUsd: BigInt(row.limit_nano),
        spentNanoUsd: BigInt(row.spent_nano),
        resetsAt: row.resets_at,
        roomNanoUsd: BigInt(row.room_nano),
      };
    default:
      return { verdict: row.verdict };
  }
}

const AGAIN_AFTER_MS = [50, 200];
const AGAIN_AFTER_MS_MAX = 500;
/**
 * No further try begins after these times. For a settlement that is long enough for a database to restart: one that may be
 * durable must not be reported as failed. What was not released the sweep ends.
 */
const TRIED_FOR_MS = { settled: 12_000, released: 1_500, expired: 1_500 };
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

const RESERVE = 'SELECT * FROM ledger_reserve($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';
const CREDIT = 'SELECT * FROM ledger_credit($1, $2, $3, $4, $5, $6, $7, $8, $9)';
const SETTLE = 'SELECT * FROM ledger_settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/** Carries out each order alone, as one call of a Postgres function that locks, decides and writes. */
export class PostgresLedger implements Omit<Ledger, 'sweep' | 'endCalls'> {
  constructor(
    private readonly database: DataSource,
    private readonly processId: string | null = null,
  ) {}

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
      order.clientRequestId ?? null,
      this.processId,
    ];
    try {
      return verdictOf(await this.one<ReserveRow>(RESERVE, parameters));
    } catch (error) {
      throw nothingReserved(error) ?? error;
    }
  }

  /** Tries again when the database is away: the same settlement twice has the effect of one. */
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
    const lastTryMs = performance.now() + TRIED_FOR_MS[order.outcome];
    for (let tries = 0; ; tries += 1) {
      try {
        return settlementOf(await this.one<SettleRow>(SETTLE, parameters));
      } catch (error) {
        const waitMs = AGAIN_AFTER_MS[tries] ?? AGAIN_AFTER_MS_MAX;
        if (performance.now() + waitMs > lastTryMs || !mayPass(error)) {
          throw error;
        }
        await delay(waitMs);
      }
    }
  }

  credit(order: CreditOrder): Promise<string | null> {
    return this.creditWithin(this.database, order);
  }

  async creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null> {
    const [row] = await manager.query<{ entry_id: string | null }[]>(CREDIT, [
      newId(),
      order.accountId,
      order.type,
      order.amountNanoUsd.toString(),
      order.description,
      order.referenceId,
      order.requestId,
      order.now,
      order.operation ?? null,
    ]);
    return row?.entry_id ?? null;
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

/** The connection broke, the server restarts, has no room left, gave the statement up, or ended a deadlock. */
function mayPass(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || state === QUERY_CANCELED || /^(?:08|40|53|55P03|57P|58030)/.test(state);
}

function nothingReserved(error: unknown): NothingReserved | null {
  if (error instanceof DatabaseUnreachable) {
    return new NothingReserved(new DatabaseAway().message, error);
  }
  const state = sqlStateOf(error);
  return state === LOCK_NOT_AVAILABLE || state === QUERY_CANCELED
    ? new NothingReserved('The account is busy; call again.', error)
    : null;
}
