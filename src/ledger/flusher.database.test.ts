import { CREDIT, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { until } from '../../test/support/until';
import { FlushConnection } from './flush-connection';

describe('Flusher', () => {
  const { current, orderOf, settlementOf, together, expectReserved, lock, endWaitingFlushes } =
    useLeaseLedger();

  afterEach(() => jest.restoreAllMocks());

  it('frees all of a call whose charge it has given up because its account was busy for too long', async () => {
    const order = orderOf(current.holder, { amountNanoUsd: CREDIT });
    await together([order]);
    const blocker = await lock(current.holder.accountId);
    const flush = jest.spyOn(FlushConnection.prototype, 'flush');
    const outcomesSent = () =>
      flush.mock.calls.flatMap(([, { ends }]) => ends.map(({ end }) => end?.order.outcome));
    const settled = current.ledger.settle(settlementOf(order));
    await until('it is sent', () => outcomesSent().includes('settled'));
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 16_000);
    await expect(settled).rejects.toMatchObject({ status: 503 });
    clock.mockRestore();
    await until('it is given up', () => outcomesSent().includes('released'));
    await blocker.query('COMMIT');
    await blocker.end();
    await current.ledger.balance(current.holder.accountId);
    expect(await together([orderOf(current.holder, { amountNanoUsd: CREDIT })])).toEqual([
      { status: 'fulfilled', value: { verdict: 'reserved' } },
    ]);
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
    await shown;
    const next = orderOf(current.holder);
    await together([next]);
    await current.ledger.settle(settlementOf(next));
    await expectReserved(current.holder, 0n);
  });
});
