import { useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { AccountDatabases } from '../database/account-databases';
import { newId } from '../runtime/ids';
import { Idempotency } from './idempotency';

describe('a process that is not heard of', () => {
  const { current, newHolder, orderOf, expectReserved } = useLeaseLedger();
  const others: OpenLedger[] = [];

  afterEach(async () => {
    for (const other of others.splice(0)) {
      await other.close();
    }
  });

  /** @returns the id of one that was lent what a call needs and has left without giving it back */
  const silent = async (by: Holder, now = current.clock.now()): Promise<string> => {
    const other = await openLedger(current.testDatabase.url);
    others.push(other);
    await other.ledger.reserve(orderOf(by, { now }));
    const { id } = other.register;
    await other.register.onApplicationShutdown();
    return id;
  };
  const deadOf = async (ids: readonly string[]): Promise<string[]> => {
    const rows: { id: string }[] = await current.database.query(
      'SELECT id FROM processes WHERE id = ANY($1) AND is_dead',
      [ids],
    );
    return rows.map(({ id }) => id);
  };

  it('is ended although another one cannot be', async () => {
    const other = await newHolder();
    const [stuck, free] = [await silent(current.holder), await silent(other)];
    // What its leases are not contained in the balance of cannot be taken from there.
    const bogus = newId();
    await current.database.query(
      'INSERT INTO leases (process_id, id, account_id, amount_nano, is_exact) VALUES ($1, $2, $3, 10000, true)',
      [stuck, bogus, current.holder.accountId],
    );
    await current.ledger.sweep(current.clock.now());
    expect(await deadOf([stuck, free])).toEqual([free]);
    await expectReserved(other, 0n);
    await current.database.query('DELETE FROM leases WHERE id = $1', [bogus]);
    await current.ledger.sweep(current.clock.now());
    expect(await deadOf([stuck])).toEqual([stuck]);
  });

  it.each([
    ['day', '2026-07-14T23:59:00Z', '2026-07-15T00:01:00Z'],
    ['month', '2026-07-31T23:59:00Z', '2026-08-01T00:01:00Z'],
  ])(
    'gives nothing of a past %s back to the one that a call of another has begun',
    async (_, past, present) => {
      const by = await newHolder({ dailyLimitNano: 100n });
      const ended = await silent(by, new Date(past));
      const now = new Date(present);
      const order = orderOf(by, { now, amountNanoUsd: 60n });
      expect(await current.ledger.reserve(order)).toEqual({ verdict: 'reserved' });
      await current.ledger.sweep(current.clock.now());
      expect(await deadOf([ended])).toEqual([ended]);
      await current.ledger.show(by.accountId);
      expect(
        await current.database.query('SELECT day_spent_nano, month_spent_nano FROM key_limits($1, $2, $3)', [
          by.keyId,
          by.accountId,
          now,
        ]),
      ).toEqual([{ day_spent_nano: '60', month_spent_nano: '60' }]);
    },
  );

  it('gives nothing back to sums that have begun anew since', async () => {
    const by = await newHolder({ dailyLimitNano: 100n });
    const ended = await silent(by);
    await current.database.query(
      'UPDATE access_keys SET spent_epoch = spent_epoch + 1, day_spent_nano = 0, month_spent_nano = 0 WHERE id = $1',
      [by.keyId],
    );
    await current.ledger.sweep(current.clock.now());
    expect(await deadOf([ended])).toEqual([ended]);
    await expectReserved(by, 0n);
  });

  it('is waited for no longer where the clock of the database was set back since', async () => {
    const ended = await silent(current.holder);
    const timesOf = () =>
      current.database.query<unknown[]>(
        `SELECT heartbeat_at <= clock_timestamp() AS is_past,
           extract(epoch FROM valid_until - clock_timestamp()) * 1000 <= 2000 AS is_soon FROM processes WHERE id = $1`,
        [ended],
      );
    await current.database.query(
      `UPDATE processes SET heartbeat_at = now() + interval '1 hour', valid_until = now() + interval '1 hour 2 seconds'
       WHERE id = $1`,
      [ended],
    );
    await current.ledger.sweep(current.clock.now());
    expect(await timesOf()).toEqual([{ is_past: true, is_soon: true }]);
  });

  it('leaves the Idempotency-Keys of its calls to those who try again', async () => {
    const other = await openLedger(current.testDatabase.url);
    others.push(other);
    const order = orderOf(current.holder);
    const idempotency = new Idempotency(AccountDatabases.only(current.database));
    const asked = { idempotencyKey: 'k', operationId: 'createMemory', request: {}, isBounded: true };
    await other.ledger.reserve(order);
    await idempotency.claim({ ...asked, ...order });
    await other.ledger.show(order.accountId);
    await other.register.onApplicationShutdown();
    await current.ledger.sweep(current.clock.now());
    const retry = orderOf(current.holder);
    expect(await idempotency.claim({ ...asked, ...retry })).toMatchObject({ callId: retry.callId });
  });

  it('is not ended in the middle of a flush', async () => {
    const id = newId();
    await current.database.query(
      `INSERT INTO processes (id, heartbeat_at, valid_until) VALUES ($1, now(), now() - interval '1 second')`,
      [id],
    );
    const fence = () =>
      current.database.transaction(async (manager) => {
        await manager.query("SET LOCAL lock_timeout = '100ms'");
        return manager.query<unknown[]>("SELECT ledger_fence($1, '0') AS ended", [id]);
      });
    await current.database.transaction(async (manager) => {
      const nothing = "'{}', '{}', NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL";
      await manager.query(`SELECT ledger_flush($1, ${nothing})`, [id]);
      await expect(fence()).rejects.toThrow('lock timeout');
    });
    expect(await fence()).toEqual([{ ended: '0' }]);
  });

  it.each([
    [4, null],
    [6, '0'],
  ])('and was told %i seconds ago to read everything anew is ended after five', async (seconds, ended) => {
    const id = newId();
    await current.database.query(
      `INSERT INTO processes (id, heartbeat_at, valid_until, must_reread)
       VALUES ($1, clock_timestamp() - $2 * interval '1 second', clock_timestamp() - interval '1 second', true)`,
      [id, seconds],
    );
    expect(await current.database.query("SELECT ledger_fence($1, '0') AS ended", [id])).toEqual([{ ended }]);
    expect(await deadOf([id])).toEqual(ended === null ? [] : [id]);
  });
});
