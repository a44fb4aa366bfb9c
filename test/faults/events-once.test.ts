import type { EventType } from '../../src/events/outbox';
import { Ledger } from '../../src/ledger/ledger';
import { SpendingLimitsRepository } from '../../src/accounts/spending-limits';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { faultsInEvents } from '../support/events/event-faults';
import { subscribe } from '../support/events/subscribe';
import { writtenEvents } from '../support/events/written-events';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';

const PRICE_NANO_USD = 100_000n;
const LOW_NANO_USD = 10_000_000_000n;
const CALLS = depth('EVENT_CALLS', { short: 60, deep: 500 });
const ROUNDS = depth('EVENT_ROUNDS', { short: 1, deep: 10 });
/** What the balance or the limit covers of the calls: at least as many again are refused. */
const AFFORDABLE = Math.floor(CALLS / 2);
const DAY_MS = 86_400_000;

describe(`the events of ${CALLS} calls at once on two replicas`, () => {
  let service: TestService;
  let replica: TestService;
  let calls = 0;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  afterEach(async () => {
    expect(await faultsInEvents(service.database)).toEqual([]);
    // The counters of a key begin anew with each month, so they are no sum of all charges.
    const faults = await ledgerFaults(service.database);
    expect(faults.filter((fault) => !fault.startsWith("a key's spent counter"))).toEqual([]);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const times = (count: number) => Array.from({ length: count }, (_, index) => index);

  it.each(times(ROUNDS))(
    'tell once in a day that a limit comes near, and that it is reached (%s)',
    async () => {
      const account = await subscriber(100n * LOW_NANO_USD);
      await limit(account, { dailyLimitNano: PRICE_NANO_USD * BigInt(AFFORDABLE) });
      for (const day of [1, 2]) {
        expect(await race(account)).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
        expect(await countsOf(account)).toEqual({
          'balance.updated': 1 + day * AFFORDABLE,
          'usage.limit_exceeded': day,
          'usage.threshold': day,
        });
        service.clock.advance(DAY_MS);
      }
      const events = await writtenEvents(service.database, account.id, ['usage.threshold']);
      const [least, most] = [0.8, 1].map((part) => (part * AFFORDABLE * Number(PRICE_NANO_USD)) / 1e9);
      for (const { data } of events) {
        expect(data.spent).toBeGreaterThanOrEqual(least ?? 0);
        expect(data.spent).toBeLessThanOrEqual(most ?? 0);
      }
      const refusals = await writtenEvents(service.database, account.id, ['usage.limit_exceeded']);
      expect(refusals).toMatchObject(
        [1, 2].map(() => ({
          operation: 'createMemory',
          data: { request_cost: 0.0001, exceeded_by: 0.0001 },
        })),
      );
    },
  );

  it.each(times(ROUNDS))(
    'tell once in a month that its limit comes near, and that it is reached (%s)',
    async () => {
      beginMonth();
      const account = await subscriber(100n * LOW_NANO_USD);
      await limit(account, { monthlyLimitNano: PRICE_NANO_USD * BigInt(AFFORDABLE) });
      for (const counts of [1, 1, 2]) {
        const served = (await race(account))[201] ?? 0;
        expect([0, AFFORDABLE]).toContain(served);
        expect(await countsOf(account)).toMatchObject({
          'usage.limit_exceeded': counts,
          'usage.threshold': counts,
        });
        // The day after the first race belongs to the same month, and what follows the second race to the next.
        if (served > 0) {
          service.clock.advance(DAY_MS);
        } else {
          beginMonth();
        }
      }
    },
  );

  it.each(times(ROUNDS))(
    'tell once for each crossing that the balance is low, and that it is 0 (%s)',
    async () => {
      const few = PRICE_NANO_USD * BigInt(AFFORDABLE);
      const account = await subscriber(LOW_NANO_USD + few / 2n);
      for (const crossing of [1, 2]) {
        expect(await race(account)).toEqual({ 201: CALLS });
        expect(await countsOf(account)).toMatchObject({ 'balance.low': crossing });
        await credit(account, PRICE_NANO_USD * BigInt(CALLS));
      }
      const poor = await subscriber(few);
      for (const crossing of [1, 2]) {
        expect(await race(poor)).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
        expect(await countsOf(poor)).toEqual({
          'balance.depleted': crossing,
          'balance.updated': crossing * (1 + AFFORDABLE),
        });
        await credit(poor, few);
      }
    },
  );

  function beginMonth(): void {
    const now = service.clock.now();
    service.clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString());
  }

  /** An account that subscribed to everything before it got its first credit. */
  async function subscriber(creditNanoUsd: bigint): Promise<TestAccount> {
    const account = await createAccount(service, { creditUsd: '0' });
    await subscribe(service.database, account.id, { events: ['*'] });
    await credit(account, creditNanoUsd);
    return account;
  }

  async function credit({ id: accountId }: TestAccount, amountNanoUsd: bigint): Promise<void> {
    await service.app.get(Ledger).credit({
      ...{ accountId, type: 'deposit', amountNanoUsd, description: 'test' },
      ...{ referenceId: null, requestId: null, now: service.clock.now() },
    });
  }

  async function limit(
    { id, keyId }: TestAccount,
    change: { dailyLimitNano: bigint } | { monthlyLimitNano: bigint },
  ): Promise<void> {
    await service.app.get(SpendingLimitsRepository).set(id, keyId, change);
  }

  /** How often each status was answered to so many calls at once, each replica with half of them. */
  async function race({ key: credential }: TestAccount): Promise<Record<number, number>> {
    const answers = await Promise.all(
      times(CALLS).map((index) =>
        (index % 2 === 0 ? service : replica).call('createMemory', {
          credential,
          body: { key: `k${(calls += 1)}`, value: 'v' },
        }),
      ),
    );
    const counts: Record<number, number> = {};
    for (const { status } of answers) {
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  async function countsOf({ id }: TestAccount): Promise<Partial<Record<EventType, number>>> {
    const counts: Partial<Record<EventType, number>> = {};
    for (const { type } of await writtenEvents(service.database, id)) {
      counts[type] = (counts[type] ?? 0) + 1;
    }
    return counts;
  }
});
