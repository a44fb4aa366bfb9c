import { ChangesCollided } from '../../src/errors/api-errors';
import { Sweeper } from '../../src/ledger/ledger.module';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService, type ApiRequest } from '../support/api/service';
import { World } from '../support/api/world';
import { openReservations } from '../support/ledger/open-reservations';

const PRICE_NANO_USD = 100_000n;
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Etc/GMT+12'];

describe('spending limits under concurrency', () => {
  let service: TestService;
  let replica: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  it('let no more calls pass than the highest limit in force, while it goes up and down', async () => {
    const world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 10n * PRICE_NANO_USD });
    const calls = times(60, (index) => write(world, index));
    const changes = times(12, (index) => setLimits(world, { daily_limit: index % 2 === 0 ? 0.002 : 0.001 }));
    const served = statuses(await Promise.all(calls))[201] ?? 0;
    expect(statuses(await Promise.all(changes))).toEqual({ 200: 12 });
    expect(served).toBeGreaterThanOrEqual(10);
    expect(served).toBeLessThanOrEqual(20);
    expect(await spentNanoUsd(world)).toBe(PRICE_NANO_USD * BigInt(served));
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('let no call pass that begins after the answer to a limit of zero', async () => {
    const world = await World.create(service);
    const racing = times(30, (index) => write(world, index));
    expect((await setLimits(world, { monthly_limit: 0 })).status).toBe(200);
    const late = await Promise.all(times(10, (index) => write(world, index)));
    expect(statuses(late)).toEqual({ 402: 10 });
    const served = statuses(await Promise.all(racing))[201] ?? 0;
    expect(await spentNanoUsd(world)).toBe(PRICE_NANO_USD * BigInt(served));
  });

  it('let each reset open them once', async () => {
    const world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 5n * PRICE_NANO_USD });
    const calls = times(60, (index) => write(world, index));
    const resets = times(3, () => callAs('resetKeyLimits', world, params(world)));
    expect(statuses(await Promise.all(resets))).toEqual({ 200: 3 });
    const counts = statuses(await Promise.all(calls));
    expect(counts).toEqual({ 201: expect.any(Number), 402: expect.any(Number) });
    expect(counts[201]).toBeGreaterThanOrEqual(5);
    expect(counts[201]).toBeLessThanOrEqual(20);
    const { body } = await callAs('getKeyLimits', world, params(world));
    expect(body.daily_spent).toBeLessThanOrEqual(0.0005);
  });

  it('count every call once while the key moves through the zones', async () => {
    const world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 20n * PRICE_NANO_USD });
    const calls = times(60, (index) => write(world, index));
    const moves = times(15, (index) => setLimits(world, { timezone: ZONES[index % ZONES.length] }));
    expect(statuses(await Promise.all(moves))).toEqual({ 200: 15 });
    expect(statuses(await Promise.all(calls))).toEqual({ 201: 20, 402: 40 });
    const { body } = await callAs('getKeyLimits', world, params(world));
    expect(body).toMatchObject({ daily_spent: 0.002, monthly_spent: 0.002, daily_remaining: 0 });
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('deadlock with nothing that changes keys, accounts and money at the same time', async () => {
    const world = await World.create(service);
    const others = await Promise.all(times(6, () => callAs('createKey', world, { body: { name: 'other' } })));
    const other = (index: number) => others[index % others.length]?.body ?? { id: '', key_value: '' };
    const tiers = ['pro', 'enterprise'];
    // More would wait for each other beyond the ten seconds of a call, where the machine is busy.
    const everything = times(15, (index) => [
      write(world, index),
      write(world, index, other(index).key_value),
      setLimits(world, { daily_limit: 1 + index, timezone: ZONES[index % ZONES.length] }),
      callAs('resetKeyLimits', world, params(world)),
      callAs('deleteKeyLimits', world, params(world)),
      callAs('getKeyLimits', world, params(world)),
      callAs('rotateKey', world, { params: { key_id: other(index).id }, body: { overlap_seconds: 60 } }),
      callAs('createKey', world, { body: { name: 'more' } }),
      credit(world),
      callAs('updateUser', world, { params: { user_id: world.owner.id }, body: { tier: tiers[index % 2] } }),
      service.app.get(Sweeper, { strict: false }).sweep(),
    ]).flat();
    const ends = others
      .slice(3)
      .flatMap(({ body: { id } }) => [
        callAs('revokeKey', world, { params: { key_id: id } }),
        callAs('deleteKey', world, { params: { key_id: id } }),
      ]);
    const answers = await Promise.all([...everything, ...ends]);
    // Another 503 says that a statement waited for five seconds, as on a machine that is busy with other things.
    const failed = answers.filter(
      (answer) =>
        typeof answer === 'object' &&
        answer.status >= 500 &&
        (answer.status !== 503 || answer.body.message === new ChangesCollided().message),
    );
    expect(failed).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await reservations(world)).toBe(0);
  });

  it('are enforced to the end when the account is disabled in the middle', async () => {
    const world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 40n * PRICE_NANO_USD });
    const racing = times(60, (index) => write(world, index));
    const disabled = await callAs('updateUser', world, {
      params: { user_id: world.owner.id },
      body: { is_active: false },
    });
    expect(disabled.status).toBe(200);
    expect(statuses(await Promise.all(times(10, (index) => write(world, index))))).toEqual({ 401: 10 });
    const counts = statuses(await Promise.all(racing));
    expect(Object.keys(counts).filter((code) => !['201', '401', '402'].includes(code))).toEqual([]);
    expect(await spentNanoUsd(world)).toBe(PRICE_NANO_USD * BigInt(counts[201] ?? 0));
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  /** Every second call goes to the other replica. */
  async function write(world: World, index: number, credential = world.owner.key) {
    // Each from an address of its own: refused keys are also limited per address.
    const ip = world.ip.replace(/^10/, String(11 + (index % 200)));
    const request = { body: { key: `k${index}`, value: 'v' }, credential, ip };
    return (index % 2 === 0 ? service : replica).call('createMemory', request);
  }
});

function times<Result>(count: number, make: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function statuses(answers: { status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

function params({ owner }: World): ApiRequest {
  return { params: { key_id: owner.keyId } };
}

async function setLimits(world: World, body: object) {
  return callAs('setKeyLimits', world, { ...params(world), body });
}

async function credit(world: World) {
  const body = { user_id: world.owner.id, amount_usd: 0.01, reason: 'race' };
  return callAs('addCredits', world, { body });
}

async function spentNanoUsd(world: World): Promise<bigint> {
  return 10_000_000_000n - (await world.balanceNanoUsd());
}

async function reservations({ service, owner }: World): Promise<number> {
  return (await openReservations(service, owner.id)).length;
}
