import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Backend } from './flush-connection';
import type { FlushQueue } from './flush-queue';
import { stillInTime, type Batch, type WaitingReserve } from './waiting-order';

const ASK_AGAIN_AFTER_MS = 100;
const ANSWER_WITHIN_MS = 2_000;

const END_BACKEND = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND backend_start = $2::text::timestamptz`;

const COMMITTED = `
  SELECT ids.id, b.balance_nano FROM unnest($1::uuid[], $2::uuid[]) AS ids (id, account_id)
  JOIN balances AS b USING (account_id)
  WHERE EXISTS (SELECT FROM reservations AS r WHERE r.id = ids.id AND r.account_id = ids.account_id)
    OR EXISTS (SELECT FROM calls AS c WHERE c.id = ids.id AND c.account_id = ids.account_id)`;

/**
 * Finds out what became of the orders whose connection broke before their answer came. The server process that may
 * still be working on reservations is ended first: a reservation that is not committed then never will be.
 */
export class LostOrders {
  constructor(
    private readonly database: DataSource,
    private readonly queue: FlushQueue,
  ) {}

  /**
   * Answers the reservations that are committed and puts all others back. Settlements are put back in any case: the
   * same one twice has the effect of one. Until the database answers, each reservation waits, up to its deadline.
   * @param backend the server process that had the orders; null when none had
   */
  async findOut(batch: Batch, backend: Backend | null): Promise<void> {
    this.queue.putBack({ settles: batch.settles, reserves: backend ? [] : batch.reserves });
    let unknown = backend ? batch.reserves : [];
    while (backend && unknown.length > 0) {
      await delay(ASK_AGAIN_AFTER_MS);
      const balances = await this.committedBalances(unknown, backend);
      if (balances) {
        unknown.forEach((waiting) => answerCommitted(waiting, balances));
        const lost = unknown.filter(({ order }) => !balances.has(order.callId));
        this.queue.putBack({ settles: [], reserves: lost });
        return;
      }
      unknown = stillInTime(unknown);
    }
  }

  /**
   * Balances in nano-USD by the ids of the calls whose reservation is committed. Null while the database does not
   * answer and while the server process is still there.
   */
  private async committedBalances(
    waiting: WaitingReserve[],
    backend: Backend,
  ): Promise<Map<string, bigint> | null> {
    const given = new AbortController();
    const late = delay(ANSWER_WITHIN_MS, null, { signal: given.signal }).catch(() => null);
    try {
      return await Promise.race([this.ask(waiting, backend), late]);
    } catch {
      return null;
    } finally {
      given.abort();
    }
  }

  private async ask(waiting: WaitingReserve[], backend: Backend): Promise<Map<string, bigint> | null> {
    const ended: unknown[] = await this.database.query(END_BACKEND, [backend.pid, backend.started_at]);
    if (ended.length > 0) {
      return null;
    }
    const rows: { id: string; balance_nano: string }[] = await this.database.query(COMMITTED, [
      waiting.map(({ order }) => order.callId),
      waiting.map(({ order }) => order.accountId),
    ]);
    return new Map(rows.map((row) => [row.id, BigInt(row.balance_nano)]));
  }
}

function answerCommitted(waiting: WaitingReserve, balances: Map<string, bigint>): void {
  const balanceNanoUsd = balances.get(waiting.order.callId);
  if (balanceNanoUsd !== undefined) {
    waiting.resolve({ verdict: 'reserved', balanceNanoUsd });
  }
}
