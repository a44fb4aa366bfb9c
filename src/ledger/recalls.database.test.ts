import { Client } from 'pg';
import { CREDIT, useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { until } from '../../test/support/until';
import { FlushConnection } from './flush-connection';
import type { ReserveOrder } from './ledger';

const DAY_MS = 86_400_000;
/** What an account has beside the lease of one call of 1, whose slack is 16 such calls. */
const AVAILABLE = CREDIT - 17n;

/** Who asks has slack in no test: what it is lent is exact. */
describe('what another process has unused', () => {
  const { current, newHolder, newKey, orderOf, settlementOf, together } = useLeaseLedger();
  const others: OpenLedger[] = [];
  let listener: Client;
  let heard: string[] = [];

  beforeEach(async () => {
    heard = [];
    listener = new Client(current.testDatabase.url);
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.connect();
    await listener.query('LISTEN ledger_recall');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const other of others.splice(0)) {
      await other.close();
    }
    await listener.end();
  });

  /** The accounts of which others were asked to give back, once for each; all that was told before is heard by then. */
  const recalled = async () => {
    await listener.query('SELECT');
    return [...new Set(heard)];
  };
  const reserve = (fields: Partial<ReserveOrder>, by = current.holder) =>
    current.ledger.reserve(orderOf(by, fields));
  /** Another process that was lent what a call needs, and as much beyond it as there is room for. */
  const lend = async (by: Holder, amountNanoUsd = 1n) => {
    const other = await openLedger(current.testDatabase.url);
    others.push(other);
    const order = orderOf(by, { amountNanoUsd });
    expect(await other.ledger.reserve(order)).toEqual({ verdict: 'reserved' });
    return { ...other, order };
  };
  const nextDay = () => new Date(current.clock.now().getTime() + DAY_MS);

  it('is not asked for where there is enough beside it', async () => {
    await lend(current.holder);
    expect(await reserve({ amountNanoUsd: AVAILABLE })).toEqual({ verdict: 'reserved' });
    expect(await recalled()).toEqual([]);
  });

  it('is not asked for by who shows a secret that is not the key’s', async () => {
    await lend(current.holder);
    const stranger = { secretHash: Buffer.alloc(32), amountNanoUsd: CREDIT };
    expect(await reserve(stranger)).toEqual({ verdict: 'key_invalid' });
    expect(await recalled()).toEqual([]);
  });

  it('is not asked for where all of it is held by calls, which stay', async () => {
    await lend(current.holder, 900n);
    expect(await reserve({ amountNanoUsd: 101n })).toMatchObject({
      verdict: 'insufficient_credits',
      availableNanoUsd: 100n,
    });
    expect(await recalled()).toEqual([]);
  });

  it('is not waited for where calls have spent all of it', async () => {
    const by = await newHolder({ dailyLimitNano: 17n });
    const { ledger, order } = await lend(by);
    const second = orderOf(by, { amountNanoUsd: 16n });
    expect(ledger.reserve(second)).toEqual({ verdict: 'reserved' });
    await Promise.all([order, second].map((each) => ledger.settle(settlementOf(each))));
    await ledger.show(null);
    expect(
      await current.database.query('SELECT amount_nano, is_exact FROM leases WHERE account_id = $1', [
        order.accountId,
      ]),
    ).toEqual([{ amount_nano: '0', is_exact: false }]);
    expect(await reserve({ amountNanoUsd: CREDIT }, by)).toMatchObject({ availableNanoUsd: AVAILABLE });
    expect(await reserve({ amountNanoUsd: 1n, now: nextDay() }, by)).toEqual({ verdict: 'reserved' });
    expect(await recalled()).toEqual([]);
  });

  it('is taken from who is not heard of, also what its calls hold', async () => {
    const { register } = await lend(current.holder, 900n);
    await register.onApplicationShutdown();
    expect(await reserve({ amountNanoUsd: CREDIT })).toEqual({ verdict: 'reserved' });
  });

  describe('of another key', () => {
    it('is not asked for where the limit of the key is all that is short', async () => {
      const by = await newHolder({ dailyLimitNano: 100n });
      await lend(await newKey(by.accountId));
      expect(await reserve({ amountNanoUsd: AVAILABLE }, by)).toMatchObject({ verdict: 'daily' });
      expect(await recalled()).toEqual([]);
    });

    it('is asked for where the balance is short as well, which is what a refusal would name', async () => {
      const by = await newHolder({ dailyLimitNano: 100n });
      await lend(await newKey(by.accountId));
      const refused = await reserve({ amountNanoUsd: AVAILABLE + 1n }, by);
      expect(refused).toMatchObject({ verdict: 'daily', spentNanoUsd: 0n });
      expect(await recalled()).toEqual([by.accountId]);
    });

    it('is asked for by a call that there is enough for, but for the call before it', async () => {
      const [first, second] = [current.holder, await newKey(current.holder.accountId)];
      await lend(await newKey(current.holder.accountId));
      const verdicts = await together([
        orderOf(first, { amountNanoUsd: 495n }),
        orderOf(second, { amountNanoUsd: CREDIT - 1n - 495n }),
      ]);
      expect(verdicts).toMatchObject(verdicts.map(() => ({ value: { verdict: 'reserved' } })));
      expect(await recalled()).toEqual([first.accountId]);
    });

    it('is given back by the process that asks without a word to others', async () => {
      const key = await newKey(current.holder.accountId);
      const { ledger } = await lend(key);
      const order = orderOf(current.holder, { amountNanoUsd: AVAILABLE + 1n });
      expect(await ledger.reserve(order)).toEqual({ verdict: 'reserved' });
      expect(await recalled()).toEqual([]);
    });

    it('is not waited for by the first call of a day', async () => {
      await lend(await newKey(current.holder.accountId));
      await reserve({ amountNanoUsd: 1n });
      expect(await reserve({ now: nextDay() })).toEqual({ verdict: 'reserved' });
      expect(await recalled()).toEqual([]);
    });
  });

  describe('of the day before', () => {
    it.each([0n, 100n])('is waited for by the first call of a day, of %s', async (amountNanoUsd) => {
      const { register, order } = await lend(current.holder);
      let letGive = (): void => undefined;
      const given = new Promise<void>((resolve) => (letGive = resolve));
      const flush = Reflect.get(FlushConnection.prototype, 'flush');
      jest.spyOn(FlushConnection.prototype, 'flush').mockImplementation(async function (
        this: FlushConnection,
        ...sent
      ) {
        await (sent[0] === register.id ? given : null);
        return flush.apply(this, sent);
      });
      const verdict = reserve({ amountNanoUsd, now: nextDay() });
      await until('it is asked for', async () => (await recalled()).length > 0);
      const days = 'SELECT spent_day::text AS day FROM access_keys WHERE id = $1';
      expect(await current.database.query(days, [order.keyId])).toEqual([{ day: '2026-01-15' }]);
      letGive();
      expect(await verdict).toEqual({ verdict: 'reserved' });
      expect(await current.database.query(days, [order.keyId])).toEqual([{ day: '2026-01-16' }]);
    });

    it('is not waited for where calls hold all of it', async () => {
      await lend(current.holder, 900n);
      expect(await reserve({ amountNanoUsd: 1n, now: nextDay() })).toEqual({ verdict: 'reserved' });
      expect(await recalled()).toEqual([]);
    });
  });
});
