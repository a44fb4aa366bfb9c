import { CREDIT, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import type { ReserveOrder } from './ledger';

const HELD = 100n;
/** A first lease has room for so many calls beside the one that asks for it. */
const CALLS_FIRST = 16n;

/** Whose lease is alone in its flush, as that of an account which seldom calls. */
describe('the first call of a key in another process', () => {
  const { current, newHolder, orderOf } = useLeaseLedger();
  let other: OpenLedger;

  beforeEach(async () => {
    await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: HELD }));
    await current.ledger.show(current.holder.accountId);
    other = await openLedger(current.testDatabase.url);
  });
  afterEach(async () => {
    await other.close();
  });

  const change = (sets: string) =>
    current.database.query(`UPDATE access_keys SET ${sets} WHERE id = $1`, [current.holder.keyId]);
  const reserve = (fields: Partial<ReserveOrder> = {}) =>
    other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n, ...fields }));
  const rowsOf = async () => {
    const { accountId } = current.holder;
    const [row]: Record<'reserved' | 'day' | 'month' | 'lent' | 'used', string>[] =
      await current.database.query(
        `SELECT reserved_nano AS reserved, day_spent_nano AS day, month_spent_nano AS month, last_used_at AS used,
         (SELECT sum(amount_nano) FROM leases WHERE account_id = $1 AND process_id = $2) AS lent
       FROM balances JOIN access_keys USING (account_id) WHERE account_id = $1`,
        [accountId, other.register.id],
      );
    return row;
  };

  it('is lent room for more, which counts as reserved and as spent by the key', async () => {
    const before = await rowsOf();
    const now = new Date(current.clock.now().getTime() + 1000);
    expect(await reserve({ now })).toEqual({ verdict: 'reserved' });
    const lent = 1n + CALLS_FIRST;
    const more = (sum = '0') => String(BigInt(sum) + lent);
    expect(await rowsOf()).toEqual({
      ...{ reserved: more(before?.reserved), day: more(before?.day), month: more(before?.month) },
      ...{ lent: String(lent), used: now },
    });
  });

  it.each([
    [41, 81],
    [81, 41],
  ])(
    'is lent an eighth at most of what is left of each: %i of the day, %i of the month',
    async (day, month) => {
      await change(
        `daily_limit_nano = day_spent_nano + ${day}, monthly_limit_nano = month_spent_nano + ${month}`,
      );
      expect(await reserve()).toEqual({ verdict: 'reserved' });
      expect((await rowsOf())?.lent).toBe(String(1n + 40n / 8n));
    },
  );

  it('is lent no more than there is, for many calls that come at once', async () => {
    await change('daily_limit_nano = day_spent_nano + 16');
    const verdicts = await Promise.all(Array.from({ length: 15 }, async () => reserve()));
    expect(verdicts).toEqual(verdicts.map(() => ({ verdict: 'reserved' })));
    expect(BigInt((await rowsOf())?.lent ?? 0)).toBeLessThanOrEqual(16n);
  });

  it.each<[string, string, Partial<ReserveOrder>]>([
    ['key_invalid', 'is_active = false', {}],
    ['key_invalid', '', { secretHash: Buffer.alloc(32) }],
    ['key_expired', "expires_at = '2000-01-01T00:00Z'", {}],
    ['per_request', 'per_request_limit_nano = 1', { amountNanoUsd: 2n }],
    ['daily', `daily_limit_nano = ${HELD}`, {}],
    ['monthly', `monthly_limit_nano = ${HELD}`, {}],
    ['insufficient_credits', '', { amountNanoUsd: CREDIT }],
  ])('is refused as %s where %s, %p', async (verdict, sets, fields) => {
    if (sets !== '') {
      await change(sets);
    }
    expect(await reserve(fields)).toMatchObject({ verdict });
  });

  it.each([
    ['alone', []],
    ['beside another', ['stranger']],
  ])('has a lease that ends with its key, where it comes %s', async (_, strangers) => {
    const nowMs = current.clock.now().getTime();
    const [before, after] = [nowMs + 89_999, nowMs + 90_000].map((ms) => new Date(ms));
    await change(`expires_at = '${new Date(nowMs + 90_000).toISOString()}'`);
    const others = await Promise.all(strangers.map(() => newHolder()));
    const orders = [current.holder, ...others].map((by) => orderOf(by, { now: before, amountNanoUsd: 1n }));
    const verdicts = await Promise.all(orders.map(async (order) => other.ledger.reserve(order)));
    expect(verdicts).toEqual(orders.map(() => ({ verdict: 'reserved' })));
    expect(reserve({ now: before })).toEqual({ verdict: 'reserved' });
    expect(await reserve({ now: after })).toEqual({ verdict: 'key_expired' });
  });

  it('has a lease that ends with the overlap of a secret that was replaced', async () => {
    const { keyId, secretHash } = current.holder;
    const nowMs = current.clock.now().getTime();
    const [before, after] = [nowMs + 89_999, nowMs + 90_000].map((ms) => new Date(ms));
    await change("secret_hash = sha256('the next one')");
    await current.database.query('INSERT INTO replaced_secrets VALUES ($1, $2, $3)', [
      secretHash,
      keyId,
      after,
    ]);
    expect(await reserve({ now: before })).toEqual({ verdict: 'reserved' });
    expect(reserve({ now: before })).toEqual({ verdict: 'reserved' });
    expect(await reserve({ now: after })).toEqual({ verdict: 'key_invalid' });
  });

  it('is refused where the account is closed', async () => {
    await current.database.query('UPDATE balances SET is_open = false WHERE account_id = $1', [
      current.holder.accountId,
    ]);
    expect(await reserve()).toEqual({ verdict: 'account_closed' });
  });

  it('is lent what the balance has beside what others were lent', async () => {
    const amountNanoUsd = CREDIT - HELD - 100n;
    await current.ledger.reserve(orderOf(current.holder, { amountNanoUsd }));
    await current.ledger.show(current.holder.accountId);
    expect(await reserve({ amountNanoUsd: 10n })).toEqual({ verdict: 'reserved' });
    const left = CREDIT - BigInt((await rowsOf())?.reserved ?? 0);
    expect(left).toBeGreaterThanOrEqual(0n);
  });
});
