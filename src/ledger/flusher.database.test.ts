import { DatabaseError } from 'pg';
import { CREDIT, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { until } from '../../test/support/until';
import { NothingCharged } from '../errors/api-errors';
import { FlushConnection } from './flush-connection';

describe('Flusher', () => {
  const { current, newHolder, orderOf, settlementOf, together, expectReserved, lock, endWaitingFlushes } =
    useLeaseLedger();

  afterEach(() => jest.restoreAllMocks());

  /** The ledger looks what is overdue while a charge of an account that is locked is under way. */
  const lookLater = async (afterMs: number) => {
    const order = orderOf(current.holder, { amountNanoUsd: CREDIT });
    await together([order]);
    const blocker = await lock(current.holder.accountId);
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const outcomesSent = () =>
      flush.mock.calls.flatMap(([, { ends }]) => ends.map(({ end }) => end?.order.outcome));
    const settled = current.ledger.settle(settlementOf(order));
    await until('it is sent beside those of others', () => new Set(flush.mock.contexts).size > 1);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + afterMs);
    (current.ledger as unknown as { look: () => void }).look();
    return { order, blocker, settled, clock, outcomesSent };
  };

  it('frees all of a call whose charge it has given up', async () => {
    const { blocker, settled, clock, outcomesSent } = await lookLater(16_000);
    clock.mockRestore();
    await expect(settled).rejects.toMatchObject({ status: 503 });
    await until('it is released', () => outcomesSent().includes('released'));
    await blocker.query('COMMIT');
    await blocker.end();
    await current.ledger.balance(current.holder.accountId);
    expect(await together([orderOf(current.holder, { amountNanoUsd: CREDIT })])).toEqual([
      { status: 'fulfilled', value: { verdict: 'reserved' } },
    ]);
  });

  it('tells of an account that stays locked that nothing was charged, and not that nobody knows', async () => {
    const { order, blocker, settled, clock } = await lookLater(5_000);
    await expect(settled).rejects.toBeInstanceOf(NothingCharged);
    clock.mockRestore();
    await blocker.query('COMMIT');
    await blocker.end();
    const released = settlementOf(order, { outcome: 'released', chargeNanoUsd: 0n });
    expect(await current.ledger.settle(released)).toEqual({
      verdict: 'settled',
      chargedNanoUsd: 0n,
      balanceNanoUsd: CREDIT,
    });
  });

  it('tells of a charge in the half of a flush that waits for the other half, and never makes it', async () => {
    const [order, other] = [orderOf(current.holder), orderOf(await newHolder())];
    await together([order, other]);
    const { flush } = FlushConnection.prototype;
    const refused = Object.assign(new DatabaseError('refused', 0, 'error'), { code: '22P05' });
    let goOn: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (goOn = resolve));
    const answers = [() => Promise.reject(refused), () => hanging.then(() => Promise.reject(refused))];
    // Leases that are given back meanwhile have flushes of their own.
    jest.spyOn(FlushConnection.prototype, 'flush').mockImplementation(async function (
      this: FlushConnection,
      processId,
      batch,
    ) {
      const answer = batch.ends.length > 0 ? answers.shift() : undefined;
      return answer ? answer() : flush.call(this, processId, batch);
    });
    const settled = [order, other].map((each) => current.ledger.settle(settlementOf(each)));
    const ends = settled.map((each) => each.catch((error: unknown) => error));
    await until('one half is under way', () => answers.length === 0);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    (current.ledger as unknown as { look: () => void }).look();
    clock.mockRestore();
    const told = await Promise.race([ends[1], new Promise((resolve) => setImmediate(resolve))]);
    goOn();
    expect(told).toBeInstanceOf(NothingCharged);
    expect(await ends[0]).toBe(refused);
    const released = settlementOf(other, { outcome: 'released', chargeNanoUsd: 0n });
    expect(await current.ledger.settle(released)).toMatchObject({
      chargedNanoUsd: 0n,
      balanceNanoUsd: CREDIT,
    });
  });

  it('shows no call in flight that was lost with its process', async () => {
    const { accountId } = current.holder;
    const order = orderOf(current.holder);
    await together([order]);
    let goOn: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (goOn = resolve));
    const { findOut } = FlushConnection.prototype;
    jest.spyOn(FlushConnection.prototype, 'findOut').mockImplementationOnce(async function (
      this: FlushConnection,
      ...asked
    ) {
      await ended;
      return findOut.apply(this, asked);
    });
    const blocker = await lock(accountId);
    const shown = current.ledger.show(accountId);
    await until('its flush waits', async () => (await endWaitingFlushes()) > 0);
    await blocker.query('COMMIT');
    await blocker.end();
    const { id } = current.register;
    await current.database.query("SELECT ledger_fence($1, '-1 hour')", [id]);
    await until('it goes on as another process', () => current.register.id !== id);
    goOn();
    // A busy machine may need longer for the new process than it waits.
    const refusal = await shown.catch((error: unknown) => error);
    expect([undefined, expect.objectContaining({ status: 503 })]).toContainEqual(refusal);
    const next = orderOf(current.holder);
    await together([next]);
    await current.ledger.settle(settlementOf(next));
    await expectReserved(current.holder, 0n);
  });
});
