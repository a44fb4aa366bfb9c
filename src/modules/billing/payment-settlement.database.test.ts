import type { TestService } from '../../../test/support/api/service';
import type { TestAccount } from '../../../test/support/api/world';
import { ledgerFaults } from '../../../test/support/ledger/ledger-faults';
import { PaymentWorld } from '../../../test/support/payments/payment-world';
import { Outbox } from '../../events/outbox';
import { Ledger } from '../../ledger/ledger';
import { NANO_PER_USD } from '../../ledger/money';
import { newId } from '../../runtime/ids';
import type { Look, Payment } from './payment';
import { PaymentReviews, reviewVersionOf } from './payment-reviews';
import { PaymentSettlement, type Applied } from './payment-settlement';
import { PaymentWatch } from './payment-watch';
import { CREDITED_TRANSFER_RETURNED } from './reducer';

/** They wait for each other; on a busy machine more would wait so long that the database counted as away. */
const RACERS = 40;
const CALLS_AT_ONCE = 8;

describe('the settlement of payments', () => {
  let world: PaymentWorld;
  let replica: TestService;
  let account: TestAccount;
  let payment: Payment;

  beforeAll(async () => {
    world = await PaymentWorld.start();
    replica = await world.service.startReplica();
  });
  beforeEach(async () => {
    account = await world.buyer();
    payment = await world.buy(account);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(world.service.database)).toEqual([]);
    await world.service.database.query(`UPDATE payments SET is_active = false, watch_until = created_at`);
  });
  afterAll(async () => {
    await replica.stop();
    await world.service.stop();
  });

  function apply(read: Payment, look: Look, service = world.service): Promise<Applied> {
    return service.app.get(PaymentSettlement).apply(read, look, null);
  }

  function full(...ids: string[]): Look {
    return world.lookAt(ids, payment.expectedBase);
  }

  async function balanceUsd({ id }: TestAccount = account): Promise<number> {
    const { balanceNanoUsd } = await world.service.app.get(Ledger).balance(id);
    return Number(balanceNanoUsd) / Number(NANO_PER_USD);
  }

  async function stored(): Promise<unknown> {
    return world.service.database.query(
      `SELECT (SELECT to_json(p) FROM payments AS p WHERE id = $1) AS payment,
         (SELECT count(*) FROM payment_transfers WHERE payment_id = $1) AS transfers,
         (SELECT count(*) FROM ledger_entries WHERE account_id = $2) AS entries,
         (SELECT count(*) FROM events WHERE account_id = $2) AS events`,
      [payment.id, account.id],
    );
  }

  it('credits once, and says so once, when forty looks and passes of two replicas race', async () => {
    world.chain.settle(payment.id, `race-${payment.id}`, payment.expectedBase);
    const look = full(`race-${payment.id}`);
    const outcomes = await Promise.all(
      Array.from({ length: RACERS }, async (_, index) => {
        const service = index % 2 === 0 ? world.service : replica;
        if (index % 10 < 2) {
          await service.app.get(PaymentWatch).pass('BTC');
          return 'pass';
        }
        return apply(payment, look, service);
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'changed').length).toBeLessThanOrEqual(1);
    expect(await world.told(account)).toEqual({
      'payment.created': 1,
      'payment.confirming': 1,
      'payment.confirmed': 1,
    });
    expect(await balanceUsd()).toBe(50);
    expect(await world.read(payment)).toMatchObject({ status: 'confirmed', credits: 1, version: 2 });
  });

  it('changes nothing by a look that began before the last change', async () => {
    await apply(payment, full(newId()));
    const before = await stored();
    expect(await apply(payment, full(newId(), newId()))).toBe('stale');
    expect(await stored()).toEqual(before);
  });

  it('changes nothing by the same look again', async () => {
    const look = full(newId());
    await apply(payment, look);
    const before = await stored();
    expect(await apply(await world.read(payment), look)).toBe('unchanged');
    expect(await stored()).toEqual(before);
  });

  it('gives a transfer that two payments claim at once to one of them, and the other goes on', async () => {
    const other = await world.buy(account);
    const ids = Array.from({ length: 5 }, () => newId());
    const outcomes = await Promise.allSettled([
      apply(payment, full(...ids)),
      apply(other, world.lookAt(ids.toReversed(), other.expectedBase), replica),
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    const own = newId();
    await apply(await world.read(payment), full(...ids));
    await apply(await world.read(other), full(...ids));
    const [winner, loser] = await Promise.all([world.read(payment), world.read(other)]).then((both) =>
      both.sort((one, another) => another.transfers.length - one.transfers.length),
    );
    expect([winner.transfers.length, loser.transfers.length, loser.status]).toEqual([5, 0, 'created']);
    expect(await apply(loser, full(...ids, own))).toBe('changed');
    expect(await world.read(loser)).toMatchObject({
      status: 'confirmed',
      creditedNanoUsd: 50n * NANO_PER_USD,
    });
  });

  it.each(['the outbox', 'the ledger', 'the ledger after its entry'])(
    'leaves nothing behind when %s fails half-way, and credits at the next look',
    async (what) => {
      const before = await stored();
      const { app } = world.service;
      const fault = new Error('broken');
      if (what === 'the outbox') {
        const write = app.get(Outbox).write.bind(app.get(Outbox));
        jest
          .spyOn(app.get(Outbox), 'write')
          .mockImplementation((manager, event) =>
            event.type === 'payment.confirmed' ? Promise.reject(fault) : write(manager, event),
          );
      } else {
        const ledger = app.get(Ledger);
        const credit = ledger.creditWithin.bind(ledger);
        jest.spyOn(ledger, 'creditWithin').mockImplementation(async (manager, order) => {
          if (what !== 'the ledger') {
            await credit(manager, order);
          }
          throw fault;
        });
      }
      const look = full(newId());
      await expect(apply(payment, look)).rejects.toThrow('broken');
      expect(await stored()).toEqual(before);
      jest.restoreAllMocks();
      expect(await apply(payment, look)).toBe('changed');
      expect(await balanceUsd()).toBe(50);
    },
  );

  it('credits while the account spends on two replicas, without a deadlock', async () => {
    const payments = [payment, ...(await Promise.all([1, 2, 3, 4].map(() => world.buy(account))))];
    await world.service.app.get(Ledger).credit({
      accountId: account.id,
      type: 'deposit',
      amountNanoUsd: 10n * NANO_PER_USD,
      description: 'test credit',
      referenceId: null,
      requestId: null,
      now: world.service.clock.now(),
    });
    let isOver = false;
    const spenders = Array.from({ length: CALLS_AT_ONCE }, async (_, index) => {
      const ledger = (index % 2 === 0 ? world.service : replica).app.get(Ledger);
      let calls = 0;
      for (; !isOver; calls += 1) {
        await spend(ledger);
      }
      return calls;
    });
    for (let credits = 1; credits <= 10; credits += 1) {
      const applied = payments.map(async (each, index) => {
        const look = full(...Array.from({ length: credits }, (_, part) => `${each.id}:${part}`));
        return apply(await world.read(each), look, index % 2 === 0 ? world.service : replica);
      });
      expect(await Promise.all(applied)).toEqual(payments.map(() => 'changed'));
    }
    isOver = true;
    const calls = (await Promise.all(spenders)).reduce((sum, count) => sum + count, 0);
    expect(calls).toBeGreaterThan(0);
    const [row]: { sum: string }[] = await world.service.database.query(
      `SELECT sum(amount_nano) FROM ledger_entries WHERE account_id = $1 AND type = 'deposit'`,
      [account.id],
    );
    expect(BigInt(row?.sum ?? 0)).toBe((10n + 5n * 10n * 50n) * NANO_PER_USD);
  });

  it('keeps the first reason of a review, and adds a credit that is lost meanwhile', async () => {
    const id = newId();
    await apply(payment, { ...full(id), review: 'Somebody took the coins.' });
    const [first] = [await world.read(payment)];
    world.advance(1);
    const [sighting] = full(id).sightings;
    const lost = sighting && { ...sighting, state: 'missing' as const, confirmations: 0, blockTime: null };
    await apply(first, { ...full(), sightings: lost ? [lost] : [], review: 'Somebody took the coins.' });
    const { review } = await world.read(payment);
    expect([review.reason, review.since]).toEqual([
      'Somebody took the coins. A credited transfer is no longer on the chain.',
      first.review.since,
    ]);
    await decide('looked at');
    expect(await apply(await world.read(payment), { ...full(id), review: 'Somebody took the coins.' })).toBe(
      'changed',
    );
    // The old reason is not brought up again; that the transfer is back is a new one.
    expect((await world.read(payment)).review).toMatchObject({
      isNeeded: true,
      reason: CREDITED_TRANSFER_RETURNED,
    });
  });

  it('credits nothing more of what a person has settled', async () => {
    const small = world.lookAt([newId()], payment.expectedBase / 2n);
    await apply(payment, { ...small, review: 'Somebody took the coins.' });
    await decide('credited by hand');
    world.advance(60);
    await apply(await world.read(payment), {
      ...small,
      at: world.service.clock.now(),
      tipTime: world.service.clock.now(),
    });
    expect([await balanceUsd(), (await world.read(payment)).creditedNanoUsd]).toEqual([25, 0n]);
  });

  async function decide(note: string): Promise<void> {
    const call = { adminId: account.id, operation: 'resolvePayment', requestId: newId() } as const;
    await world.service.app.get(PaymentReviews).resolve(
      { ...call, idempotencyId: null },
      {
        paymentId: payment.id,
        note,
        expectedVersion: reviewVersionOf(await world.read(payment)),
        adjustNanoUsd: note === 'credited by hand' ? 25n * NANO_PER_USD : 0n,
      },
    );
  }

  async function spend(ledger: Ledger): Promise<void> {
    const now = world.service.clock.now();
    const call = { callId: newId(), accountId: account.id, now };
    const names = { operation: 'test', requestId: call.callId, price: 'test', priceVersion: 'test' };
    const leaseUntil = new Date(now.getTime() + 60_000);
    await ledger.reserve({ ...call, ...names, keyId: null, amountNanoUsd: 1_000n, leaseUntil });
    const nothingUsed = { inputTokens: 0, outputTokens: 0, answer: null, status: 200 };
    await ledger.settle({ ...call, ...nothingUsed, outcome: 'settled', chargeNanoUsd: 1_000n });
  }
});
