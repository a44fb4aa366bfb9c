import { Client } from 'pg';
import { KeyDirectory } from '../../src/accounts/key-cache';
import { ConnectionLost, FlushConnection } from '../../src/ledger/flush-connection';
import { Ledger } from '../../src/ledger/ledger';
import { Sweeper } from '../../src/ledger/ledger.module';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { createAccount, World } from '../support/api/world';

const BODY = { key: 'k', value: 'v' };
const CLAIM_LEASE_MS = 20_000;
const LEASES_OVER_MS = 600_000;

describe('steps that break off', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('charges one Idempotency-Key once although the database stalls longer than its claim holds', async () => {
    const world = await World.create(service);
    const blocker = await lockBalance(service, world.owner.id);
    const call = () =>
      service.call('createMemory', {
        credential: world.owner.key,
        body: BODY,
        headers: { 'idempotency-key': 'stalled' },
      });
    const first = call();
    await until('the first call waits', async () => (await waitingOrders(service)) === 1);
    service.clock.advance(CLAIM_LEASE_MS + 1);
    const second = call();
    await until('the retry waits', async () => (await waitingOrders(service)) === 2);
    await blocker.query('COMMIT');
    await blocker.end();

    const [answer, late] = (await Promise.all([first, second])).sort(
      (one, other) => one.status - other.status,
    );
    // The try that fails may have stored the memory before, which the other then replaces.
    expect([200, 201]).toContain(answer?.status);
    expect(late?.status).toBe(504);
    expect(await chargesOf(service, world.owner.id)).toBe(1);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('answers a call whose settlement committed although its connection broke', async () => {
    const world = await World.create(service);
    breakOnce('a call that ends', 'after');
    const answer = await service.call('createMemory', { credential: world.owner.key, body: BODY });
    expect([answer.status, answer.headers['x-request-cost']]).toEqual([201, '0.0001']);
    expect(await chargesOf(service, world.owner.id)).toBe(1);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('answers a call whose settlement never reached the database at first', async () => {
    const world = await World.create(service);
    breakOnce('a call that ends', 'before');
    const answer = await service.call('createMemory', { credential: world.owner.key, body: BODY });
    expect(answer.status).toBe(201);
    expect(await chargesOf(service, world.owner.id)).toBe(1);
  });

  it.each(['before', 'after'] as const)(
    'serves a call whose reservation broke %s its commit, and charges it once',
    async (when) => {
      const world = await World.create(service);
      breakOnce('a lease', when);
      const answer = await service.call('createMemory', { credential: world.owner.key, body: BODY });
      expect(answer.status).toBe(201);
      expect(await chargesOf(service, world.owner.id)).toBe(1);
      expect(await service.app.get(Ledger).balance(world.owner.id)).toMatchObject({ reservedNanoUsd: 0n });
      expect(await ledgerFaults(service.database)).toEqual([]);
    },
  );

  it('sweeps all others when one reservation cannot be ended', async () => {
    const world = await World.create(service);
    const other = await createAccount(service, { creditUsd: '1' });
    await reserve(service, world.owner.id);
    await reserve(service, other.id);
    const [{ reserved_nano: reserved } = { reserved_nano: '' }]: { reserved_nano: string }[] =
      await service.database.query('SELECT reserved_nano FROM balances WHERE account_id = $1', [
        world.owner.id,
      ]);
    await service.database.query('UPDATE balances SET reserved_nano = 0 WHERE account_id = $1', [
      world.owner.id,
    ]);
    service.clock.advance(LEASES_OVER_MS);
    await service.app.get(Sweeper, { strict: false }).sweep();
    expect(await service.app.get(Ledger).balance(other.id)).toMatchObject({ reservedNanoUsd: 0n });

    await service.database.query('UPDATE balances SET reserved_nano = $2 WHERE account_id = $1', [
      world.owner.id,
      reserved,
    ]);
    await service.app.get(Sweeper, { strict: false }).sweep();
    expect(await service.app.get(Ledger).balance(world.owner.id)).toMatchObject({ reservedNanoUsd: 0n });
  });

  it('charges no secret that was rotated away, on a replica that has not heard of it either', async () => {
    const world = await World.create(service);
    const replica = await service.startReplica();
    const use = () => replica.call('createMemory', { credential: world.owner.key, body: BODY });
    expect((await use()).status).toBe(201);
    jest.spyOn(replica.app.get(KeyDirectory), 'forget').mockImplementation(() => undefined);
    const rotation = { credential: world.owner.token, params: { key_id: world.owner.keyId }, body: {} };
    expect((await service.call('rotateKey', rotation)).status).toBe(200);
    const refused = await use();
    expect([refused.status, refused.body.error]).toEqual([401, 'Invalid API key']);
    expect(await chargesOf(service, world.owner.id)).toBe(1);
    await replica.stop();
  });

  it('lets a reset end what a clock that was a year ahead did to the limits', async () => {
    const world = await World.create(service);
    const present = service.clock.now().toISOString();
    service.clock.advance(365 * 86_400_000);
    await service.call('createMemory', { credential: world.owner.key, body: BODY });
    service.clock.set(present);
    const reset = await service.call('resetKeyLimits', {
      credential: world.owner.token,
      params: { key_id: world.owner.keyId },
    });
    expect(reset.body.daily_resets_at.slice(0, 10) <= '2026-02-15').toBe(true);
  });
});

/** A connection that holds an account's balance until it commits. */
async function lockBalance(service: TestService, accountId: string): Promise<Client> {
  const blocker = new Client(service.databaseUrl);
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM balances WHERE account_id = $1 FOR UPDATE', [accountId]);
  return blocker;
}

async function waitingOrders(service: TestService): Promise<number> {
  const ledger: object = service.app.get(Ledger);
  return Promise.resolve((ledger as { lending: { waiting: number } }).lending.waiting);
}

/** Lets the next flush that carries such a thing fail as a broken connection does, before or after it ran. */
function breakOnce(carries: 'a lease' | 'a call that ends', when: 'before' | 'after'): void {
  const flush = FlushConnection.prototype.flush;
  const spy = jest.spyOn(FlushConnection.prototype, 'flush').mockImplementation(async function (
    this: FlushConnection,
    processId,
    batch,
  ) {
    const isIt = carries === 'a lease' ? batch.leases.length > 0 : batch.ends.length > 0;
    if (!isIt) {
      return flush.call(this, processId, batch);
    }
    spy.mockRestore();
    if (when === 'after') {
      await flush.call(this, processId, batch);
    }
    throw new ConnectionLost(new Error('Connection terminated unexpectedly'));
  });
}

async function chargesOf(service: TestService, accountId: string): Promise<number> {
  const rows: unknown[] = await service.database.query(
    `SELECT FROM ledger_entries WHERE account_id = $1 AND type = 'charge'`,
    [accountId],
  );
  return rows.length;
}

async function reserve(service: TestService, accountId: string): Promise<void> {
  const now = service.clock.now();
  const callId = newId();
  const verdict = await service.app.get(Ledger).reserve({
    callId,
    accountId,
    keyId: null,
    amountNanoUsd: 1000n,
    now,
    leaseUntil: new Date(now.getTime() + CLAIM_LEASE_MS),
    operation: 'createMemory',
    requestId: callId,
    price: 'memory_operation',
    priceVersion: 'test',
  });
  expect(verdict.verdict).toBe('reserved');
}
