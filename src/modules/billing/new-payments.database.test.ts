import type { TestService } from '../../../test/support/api/service';
import { createAccount, type TestAccount } from '../../../test/support/api/world';
import { PaymentWorld } from '../../../test/support/payments/payment-world';
import { until } from '../../../test/support/until';
import { Conflict } from '../../errors/api-errors';
import { chunksOf } from '../../runtime/collections';
import { NewPayments } from './new-payments';
import type { Payment } from './payment';
import { ChainUnavailable } from './payment-chain';
import { PaymentChains } from './payment-chains';
import { PaymentEvents } from './payment-record';
import { OPEN_PAYMENTS_MAX, UNPAID_A_DAY_MAX } from './payment-policy';
import { PriceSources } from './price-sources';

/** Not more at once: they wait for one another, and on a busy machine the last would wait for longer than they may. */
const WAVE = 24;
const CREATIONS = 400;
const RACING_ACCOUNTS = 20;
const RACERS = 8;

describe('new payments', () => {
  let world: PaymentWorld;
  let replica: TestService;

  beforeAll(async () => {
    world = await PaymentWorld.start();
    replica = await world.service.startReplica();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await replica.stop();
    await world.service.stop();
  });

  /** The indices of all payments, in their order. */
  async function indices(): Promise<number[]> {
    const rows: { index: number }[] = await world.service.database.query(
      'SELECT derivation_index AS index FROM payments ORDER BY derivation_index',
    );
    return rows.map(({ index }) => index);
  }

  it('have addresses without gaps, each its own, though every tenth creation fails', async () => {
    const accounts = await Promise.all(
      Array.from({ length: CREATIONS / 4 }, () => createAccount(world.service, { creditUsd: '0' })),
    );
    let begun = 0;
    for (const { app } of [world.service, replica]) {
      const events = app.get(PaymentEvents);
      const created = events.created.bind(events);
      // The last thing in the transaction, when it has its index.
      jest.spyOn(events, 'created').mockImplementation(async (...told) => {
        await created(...told);
        begun += 1;
        if (begun % 10 === 0) {
          throw new Error('rolled back');
        }
      });
    }
    const buy = (index: number) => {
      const account = accounts[index % accounts.length] as TestAccount;
      return world.buy(account, 50n, index % 2 === 0 ? world.service : replica);
    };
    const outcomes: PromiseSettledResult<unknown>[] = [];
    while (outcomes.length < CREATIONS) {
      const wave = Array.from({ length: Math.min(WAVE, CREATIONS - outcomes.length) }, (_, place) =>
        buy(outcomes.length + place),
      );
      outcomes.push(...(await Promise.allSettled(wave)));
    }
    const failed = outcomes.filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(CREATIONS / 10);
    expect(await indices()).toEqual(Array.from({ length: CREATIONS - failed.length }, (_, index) => index));
  });

  it('are five for each account, however many calls race for the last place', async () => {
    const accounts = await Promise.all(Array.from({ length: RACING_ACCOUNTS }, () => world.buyer()));
    const races: PromiseSettledResult<Payment>[][] = [];
    for (const some of chunksOf(accounts, WAVE / RACERS)) {
      races.push(...(await Promise.all(some.map((account) => race(account)))));
    }
    for (const outcomes of races) {
      const made = outcomes.filter(({ status }) => status === 'fulfilled');
      const reasons = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
      );
      expect(made).toHaveLength(OPEN_PAYMENTS_MAX);
      expect(reasons.every((reason) => reason instanceof Conflict)).toBe(true);
    }
    const all = await indices();
    expect(all).toEqual(all.map((_, index) => index));
  });

  it.each(['expired', 'failed'])('that are %s count as unpaid though dust had come', async (status) => {
    const account = await world.buyer();
    const { id } = await world.buy(account);
    await world.service.database.query(`UPDATE payments SET status = $2, received_base = 1 WHERE id = $1`, [
      id,
      status,
    ]);
    const copies = `
      INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
        'places_id', 'copies of ' || p.id, 'derivation_index', n, 'address', p.id || ' ' || n))).*
      FROM payments AS p, generate_series(2, $2) AS n WHERE id = $1`;
    await world.service.database.query(copies, [id, UNPAID_A_DAY_MAX]);
    await expect(world.buy(account)).rejects.toThrow(Conflict);
  });

  it('are offered or not by faults that are foreseen, behind which no other is hidden', async () => {
    const { app } = world.service;
    jest.spyOn(world.chain, 'network').mockRejectedValueOnce(new ChainUnavailable('it is away'));
    jest.spyOn(app.get(PriceSources), 'quote').mockRejectedValueOnce(new Error('no such column'));
    await expect(app.get(NewPayments).methods()).rejects.toThrow('no such column');
  });

  it('share no address, though two replicas come to the same one by different keys', async () => {
    const { chain, service } = world;
    const other: typeof chain = Object.assign(Object.create(chain), { placesId: 'btc:other' });
    jest.spyOn(replica.app.get(PaymentChains), 'get').mockReturnValue(other);
    await service.database.query(
      'INSERT INTO payment_places SELECT $1, next_index FROM payment_places WHERE places_id = $2',
      [other.placesId, chain.placesId],
    );
    const events = service.app.get(PaymentEvents);
    const created = events.created.bind(events);
    let second: Promise<Payment | null> = Promise.resolve(null);
    // The first has its address and is not committed yet.
    jest.spyOn(events, 'created').mockImplementationOnce(async (...told) => {
      await created(...told);
      let hasEnded = false;
      second = world
        .buy(stranger, 50n, replica)
        .catch(() => null)
        .finally(() => (hasEnded = true));
      await until('the second waits or has ended', async () => hasEnded || (await areWaiting()));
    });
    const [owner, stranger] = [await world.buyer(), await world.buyer()];
    const first = await world.buy(owner);
    expect((await second)?.address).not.toBe(first.address);
  });

  async function areWaiting(): Promise<boolean> {
    const rows: unknown[] = await world.service.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }

  function race(account: TestAccount): Promise<PromiseSettledResult<Payment>[]> {
    const racers = Array.from({ length: RACERS }, (_, index) =>
      world.buy(account, 50n, index % 2 === 0 ? world.service : replica),
    );
    return Promise.allSettled(racers);
  }
});
