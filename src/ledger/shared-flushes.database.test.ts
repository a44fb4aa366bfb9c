import { setTimeout as delay } from 'node:timers/promises';
import { CREDIT, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { until } from '../../test/support/until';
import type { LimitChange } from '../accounts/access-keys';
import type { ReserveOrder, SettleOrder } from './ledger';

const DAY_MS = 86_400_000;

describe('what one flush carries', () => {
  const { current, newHolder, newKey, orderOf, settlementOf, together, counted } = useLeaseLedger();

  const later = (milliseconds: number) => new Date(current.clock.now().getTime() + milliseconds);
  it.each(['alone', 'together'])('has of calls that end %s all that their rows say', async (how) => {
    const ends: Partial<SettleOrder>[] = [
      { chargeNanoUsd: 0n, inputTokens: 5 },
      { chargeNanoUsd: 40n, inputTokens: 1, outputTokens: 2, cachedTokens: 3, cacheWriteTokens: 4 },
      { chargeNanoUsd: 30n, model: 'a model', status: 201, now: later(7) },
      { outcome: 'released', chargeNanoUsd: 0n, status: null, now: later(30 * DAY_MS) },
      { chargeNanoUsd: 20n, now: later(-1) },
    ];
    const orders = ends.map((_, index) =>
      orderOf(current.holder, {
        ...{ operation: `operation ${index}`, price: `price ${index}`, priceVersion: `version ${index}` },
        ...{ requestId: `request ${index}`, clientRequestId: `client ${index}`, amountNanoUsd: 50n },
      }),
    );
    await together(orders);
    const left: bigint[] = [];
    const settle = async (order: ReserveOrder, index: number) => {
      left[index] = (await current.ledger.settle(settlementOf(order, ends[index]))).balanceNanoUsd;
    };
    if (how === 'together') {
      await Promise.all(orders.map(settle));
    } else {
      await orders.reduce(
        (before, order, index) => before.then(() => settle(order, index)),
        Promise.resolve(),
      );
    }
    // What the database refuses is tried again alone, which would hide it.
    expect(await counted('ledger_splits_total')).toBe(0);
    expect(left).toEqual([CREDIT, 960n, 930n, 930n, 910n]);
    const rows: Record<string, unknown>[] = await current.database.query(
      'SELECT * FROM calls WHERE account_id = $1 ORDER BY request_id',
      [current.holder.accountId],
    );
    const columnsOf = (row: Record<string, unknown>) => [
      ...[row.input_tokens, row.output_tokens, row.cached_tokens, row.cache_write_tokens, row.model],
      ...[row.outcome, row.status, row.charged_nano, row.balance_after_nano, row.latency_ms],
    ];
    expect(rows.map(columnsOf)).toEqual([
      [5, 0, 0, 0, null, 'settled', 200, '0', null, 0],
      [1, 2, 3, 4, null, 'settled', 200, '40', '960', 0],
      [0, 0, 0, 0, 'a model', 'settled', 201, '30', '930', 7],
      [0, 0, 0, 0, null, 'released', null, '0', null, 2 ** 31 - 1],
      [0, 0, 0, 0, null, 'settled', 200, '20', '910', 0],
    ]);
    expect(rows).toMatchObject(
      ends.map(({ now = current.clock.now() }, index) => ({
        ...{ id: orders[index]?.callId, key_id: current.holder.keyId, reserved_nano: '50' },
        ...{ operation: `operation ${index}`, price: `price ${index}`, price_version: `version ${index}` },
        ...{ request_id: `request ${index}`, client_request_id: `client ${index}` },
        ...{ created_at: current.clock.now(), completed_at: now },
      })),
    );
  });

  it('reads no leases but those of its calls, however many its process has', async () => {
    const leases = `SELECT gen_random_uuid(), gen_random_uuid(), 0, true FROM generate_series(1, 1000)`;
    await current.database.query(
      `INSERT INTO leases (process_id, id, account_id, amount_nano, is_exact) SELECT $1, * FROM (${leases}) AS other`,
      [current.register.id],
    );
    const before = await readLeases();
    const orders = [1n, 2n, 3n, 4n].map((amountNanoUsd) => orderOf(current.holder, { amountNanoUsd }));
    await together(orders);
    const settle = (order: ReserveOrder) => current.ledger.settle(settlementOf(order));
    await Promise.all(orders.slice(1).map(settle));
    // What a connection has read it tells others with a commit, but once a second at most.
    await delay(1_050);
    await Promise.all(orders.slice(0, 1).map(settle));
    await until('the flush is told of', async () => (await readLeases()).updated > before.updated);
    expect((await readLeases()).read - before.read).toBeLessThan(100);
    await current.database.query('DELETE FROM leases WHERE amount_nano = 0 AND key_id IS NULL');
  });

  async function readLeases(): Promise<{ read: number; updated: number }> {
    const [row] = await current.database.query<[{ read: number; updated: number }]>(
      `SELECT idx_tup_fetch::integer AS read, n_tup_upd::integer AS updated
       FROM pg_stat_user_tables WHERE relname = 'leases'`,
    );
    return row;
  }

  it('counts what all of its leases are lent in what it tells of an account and of its keys', async () => {
    const [by, stranger] = [
      await newHolder({ dailyLimitNano: 100n, monthlyLimitNano: 120n }),
      await newHolder(),
    ];
    const other = await newKey(by.accountId);
    const yesterday = orderOf(by, { amountNanoUsd: 40n });
    await current.ledger.reserve(yesterday);
    await current.ledger.settle(settlementOf(yesterday));
    const now = later(DAY_MS);
    // Whoever shows no secret has another lease of the key.
    const verdicts = await together([
      orderOf(stranger, { now, amountNanoUsd: 7n }),
      orderOf(by, { now, amountNanoUsd: 20n, secretHash: null }),
      ...[10n, 90n, 60n].map((amountNanoUsd) => orderOf(by, { now, amountNanoUsd })),
      ...[5n, CREDIT].map((amountNanoUsd) => orderOf(other, { now, amountNanoUsd })),
    ]);
    const [reserved, roomNanoUsd] = [{ verdict: 'reserved' }, 50n];
    const day = { limitNanoUsd: 100n, spentNanoUsd: 30n, resetsAt: new Date('2026-01-17T00:00Z') };
    const month = { limitNanoUsd: 120n, spentNanoUsd: 70n, resetsAt: new Date('2026-02-01T00:00Z') };
    expect(verdicts.map((result) => result.status === 'fulfilled' && result.value)).toEqual([
      ...[reserved, reserved, reserved],
      { verdict: 'daily', ...day, roomNanoUsd },
      { verdict: 'monthly', ...month, roomNanoUsd },
      reserved,
      { verdict: 'insufficient_credits', availableNanoUsd: 925n, roomNanoUsd: 925n },
    ]);
  });

  const NEW_EPOCH = 'spent_epoch = spent_epoch + 1, day_spent_nano = 0, month_spent_nano = 0';
  it.each<[string, LimitChange, string, string]>([
    ['daily', { dailyLimitNano: 100n }, '2026-01-15T12:00Z', ''],
    ['daily', { dailyLimitNano: 100n }, '2026-01-16T00:00Z', ''],
    ['daily', { dailyLimitNano: 100n }, '2026-01-15T12:00Z', NEW_EPOCH],
    ['monthly', { monthlyLimitNano: 100n }, '2026-01-16T00:00Z', ''],
    ['monthly', { monthlyLimitNano: 100n }, '2026-02-01T00:00Z', ''],
    ['monthly', { monthlyLimitNano: 100n }, '2026-01-15T12:00Z', NEW_EPOCH],
  ])('tells of a %s limit %p at %s without what it takes back of that period (%s)', async (...row) => {
    const [verdict, limits, time, change] = row;
    const by = await newHolder(limits);
    const [now, secretHash] = [new Date(time), null];
    const before = orderOf(by, { amountNanoUsd: 30n });
    await current.ledger.reserve(before);
    if (change !== '') {
      await current.database.query(`UPDATE access_keys SET ${change} WHERE id = $1`, [by.keyId]);
    }
    await current.ledger.reserve(orderOf(by, { now, secretHash, amountNanoUsd: 20n }));
    const [, , refused] = await Promise.all([
      current.ledger.settle(settlementOf(before, { outcome: 'released', chargeNanoUsd: 0n, now })),
      current.ledger.reserve(orderOf(by, { now, secretHash, amountNanoUsd: 10n })),
      current.ledger.reserve(orderOf(by, { now, secretHash, amountNanoUsd: 75n })),
    ]);
    expect(refused).toMatchObject({ verdict, spentNanoUsd: 30n, roomNanoUsd: 70n });
  });
});
