import { getEventListeners } from 'node:events';
import type { TestAccount } from '../../../test/support/api/world';
import { ledgerFaults } from '../../../test/support/ledger/ledger-faults';
import { PaymentWorld } from '../../../test/support/payments/payment-world';
import { until } from '../../../test/support/until';
import { Outbox } from '../../events/outbox';
import { NANO_PER_USD } from '../../ledger/money';
import type { Payment } from './payment';
import { PaymentSettlement } from './payment-settlement';
import { type WatchRound, PaymentMetrics, PaymentWatch } from './payment-watch';
import { Payments } from './payments.repository';
import { PriceSources } from './price-sources';

const EXPIRY_MINUTES = 15;
const DAY_MINUTES = 24 * 60;

describe('the watch of payments', () => {
  let world: PaymentWorld;
  let account: TestAccount;
  let payment: Payment;

  beforeAll(async () => (world = await PaymentWorld.start()));
  beforeEach(async () => {
    world.chain.startNode(world.service.clock.now());
    account = await world.buyer();
    payment = await world.buy(account);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    world.chain.unseen.clear();
    expect(await ledgerFaults(world.service.database)).toEqual([]);
    await world.service.database.query(
      `UPDATE payments SET is_active = false, status = 'expired', watch_until = created_at`,
    );
  });
  afterAll(() => world.service.stop());

  function pass(): Promise<WatchRound | null> {
    return world.service.app.get(PaymentWatch).pass('BTC');
  }

  /** Minutes later, with a block of now. */
  async function passLater(minutes: number): Promise<void> {
    world.advance(minutes);
    world.chain.tipTime = world.service.clock.now();
    await pass();
  }

  async function status(of = payment): Promise<string> {
    return (await world.read(of)).status;
  }

  it('ends no payment while the node is away or behind, and ends it when the chain is past its time', async () => {
    const createdAt = world.service.clock.now();
    world.chain.stopNode();
    world.advance(5 * 60);
    expect(await pass()).toBeNull();
    expect(await status()).toBe('created');

    world.chain.startNode(createdAt);
    expect(await pass()).toMatchObject({ looked: 1, changed: 0 });
    expect(await status()).toBe('created');

    world.chain.tipTime = new Date(payment.expiresAt.getTime() + 1);
    expect(await pass()).toMatchObject({ looked: 1, changed: 1 });
    expect(await status()).toBe('expired');
    expect(await world.told(account)).toEqual({ 'payment.created': 1, 'payment.expired': 1 });
  });

  it('ends no payment for a block that claims to be from later', async () => {
    world.chain.tipTime = new Date(payment.expiresAt.getTime() + 60 * 60_000);
    await pass();
    expect(await status()).toBe('created');
  });

  it('takes what was mined in time during an outage as in time', async () => {
    world.chain.stopNode();
    world.advance(5 * 60);
    await pass();
    world.chain.startNode(world.service.clock.now());
    world.chain.settle(payment.id, `outage-${payment.id}`, payment.expectedBase, payment.expiresAt);
    await pass();
    expect(await world.read(payment)).toMatchObject({
      status: 'confirmed',
      isLate: false,
      creditedNanoUsd: 50n * NANO_PER_USD,
    });
  });

  it('credits the others when one payment can not be settled, and that one when it can', async () => {
    const others = await Promise.all([1, 2, 3].map(() => world.buy(account)));
    const stranger = await world.buyer();
    const broken = await world.buy(stranger);
    for (const each of [broken, ...others]) {
      world.chain.settle(each.id, `one-${each.id}`, each.expectedBase);
    }
    const outbox = world.service.app.get(Outbox);
    const write = outbox.write.bind(outbox);
    jest
      .spyOn(outbox, 'write')
      .mockImplementation((manager, event) =>
        event.accountId === stranger.id ? Promise.reject(new Error('broken')) : write(manager, event),
      );
    expect(await pass()).toMatchObject({ looked: 5, changed: 3 });
    expect(await Promise.all(others.map((each) => status(each)))).toEqual(others.map(() => 'confirmed'));
    expect(await status(broken)).toBe('created');
    jest.restoreAllMocks();
    expect(await pass()).toMatchObject({ changed: 1 });
    expect(await status(broken)).toBe('confirmed');
  });

  it('credits what needs no price whatever is wrong with the prices', async () => {
    jest.spyOn(world.service.app.get(PriceSources), 'quote').mockRejectedValue(new TypeError('broken'));
    world.chain.settle(payment.id, `price-${payment.id}`, payment.expectedBase);
    expect(await pass()).toMatchObject({ changed: 1 });
    expect(await status()).toBe('confirmed');
  });

  it('neither ends nor forgets a payment that a look could not see', async () => {
    world.chain.unseen.add(payment.id);
    await passLater(EXPIRY_MINUTES + 1);
    expect(await status()).toBe('created');
    world.chain.unseen.clear();
    await passLater(1);
    expect(await status()).toBe('expired');
  });

  it('looks first at a payment that the last look could not see', async () => {
    const other = await world.buy(account);
    world.chain.unseen.add(payment.id);
    const before = world.service.clock.now();
    world.advance(1);
    await pass();
    const rows: { id: string; at: Date }[] = await world.service.database.query(
      'SELECT id, looked_at AS at FROM payments WHERE id = ANY($1::uuid[]) ORDER BY created_at, id',
      [[payment.id, other.id]],
    );
    expect(rows.map(({ at }) => at)).toEqual([before, world.service.clock.now()]);
  });

  it('ends the watch of a payment that has ended, though something is left that never came', async () => {
    await passLater(EXPIRY_MINUTES + 1);
    expect(await status()).toBe('expired');
    // Worth five dollars: never in a block, and never gone.
    world.chain.show(payment.id, `slow-${payment.id}`, payment.expectedBase / 10n, {
      state: 'pending',
      confirmations: 0,
    });
    await passLater(11);
    expect(await activeCount()).toBe(1);
    await passLater(8 * DAY_MINUTES);
    expect(await activeCount()).toBe(0);
    world.advance(11);
    expect(await pass()).toMatchObject({ looked: 0 });
  });

  async function activeCount(): Promise<number | undefined> {
    return (await world.service.app.get(Payments).openCounts()).get('BTC') ?? 0;
  }

  it('gives up a look that takes too long, so that another can begin', async () => {
    const timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    world.chain.held = new Promise(() => undefined);
    const slow = pass();
    await until('the look has begun', () => world.chain.running === 1);
    timeout.abort();
    expect(await slow).toBeNull();
    jest.restoreAllMocks();
    world.chain.held = Promise.resolve();
    expect(await pass()).toMatchObject({ looked: 1 });
  });

  it('gives up a look when the process ends, and blames no chain for it', async () => {
    const ending = new AbortController();
    const watch = world.service.app.get(PaymentWatch);
    const failed = jest.spyOn(world.service.app.get(PaymentMetrics), 'lookFailed');
    world.chain.held = new Promise(() => undefined);
    const slow = watch.pass('BTC', ending.signal);
    await until('the look has begun', () => world.chain.running === 1);
    ending.abort();
    expect(await slow).toBeNull();
    expect(failed).not.toHaveBeenCalled();
    world.chain.held = Promise.resolve();
    const next = new AbortController();
    expect(await watch.pass('BTC', next.signal)).toMatchObject({ looked: 1 });
    // Whatever a look leaves on this signal, which lives as long as the process, would add up.
    expect(getEventListeners(next.signal, 'abort')).toEqual([]);
  });

  it('ends at once where the node does not even tell its network', async () => {
    const ending = new AbortController();
    jest.spyOn(world.chain, 'network').mockReturnValue(new Promise(() => undefined));
    const slow = world.service.app.get(PaymentWatch).pass('BTC', ending.signal);
    ending.abort();
    expect(await slow).toBeNull();
  });

  it('leaves a payment whose chain is gone to the upkeep, which ends it after its watch, once', async () => {
    const deserted = world.service.app.get(PaymentSettlement);
    world.advance(9 * DAY_MINUTES);
    const now = world.service.clock.now();
    world.chain.unseen.add(payment.id);
    expect(await pass()).not.toBeNull();
    expect(await status()).toBe('created');
    const [one, other] = await Promise.all([deserted.endDeserted(now), deserted.endDeserted(now)]);
    expect(one + other).toBe(1);
    expect(await status()).toBe('expired');
    expect(await deserted.endDeserted(now)).toBe(0);

    world.chain.unseen.clear();
    world.chain.settle(payment.id, `outage-${payment.id}`, payment.expectedBase, payment.expiresAt);
    await passLater(11);
    expect(await status()).toBe('confirmed');
  });

  it('ends a payment that only a person can look at when its watch is over', async () => {
    world.chain.unseen.add(payment.id);
    const observe = world.chain.observe.bind(world.chain);
    const reviews = new Map([[payment.id, 'The address has received too much.']]);
    jest
      .spyOn(world.chain, 'observe')
      .mockImplementation(async (payments) => ({ ...(await observe(payments)), reviews }));
    await passLater(6 * DAY_MINUTES);
    expect(await status()).toBe('created');
    await passLater(2 * DAY_MINUTES);
    expect(await world.read(payment)).toMatchObject({ status: 'expired', review: { isNeeded: true } });
    expect(await activeCount()).toBe(0);
  });
});
