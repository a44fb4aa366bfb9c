import { Ledger, type ReserveOrder } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { ProcessRegister } from '../../src/database/process-register';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { faultsInBooks } from '../support/ledger/books';

const SILENT_FOR_MS = 40_000;
const LEASE_MS = 24 * 60_000;

describe('reservations of a process that is gone', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  let processId: string;
  beforeAll(async () => {
    // Processes of this role do not sweep by themselves.
    service = await TestService.start({ ROLE: 'api' });
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
    processId = newId();
  });
  afterEach(async () => {
    expect(await faultsInBooks(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const heardOf = (secondsAgo: number) =>
    service.database.query(
      `INSERT INTO processes (id, heartbeat_at) VALUES ($1, clock_timestamp() - $2 * interval '1 second')
       ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`,
      [processId, secondsAgo],
    );
  const reserve = async (times: number): Promise<ReserveOrder[]> => {
    const now = service.clock.now();
    const orders = Array.from({ length: times }, () => ({
      callId: newId(),
      accountId: world.owner.id,
      keyId: null,
      amountNanoUsd: 100n,
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      operation: 'createMemory',
      requestId: newId(),
      price: 'memory',
      priceVersion: '1',
    }));
    const verdicts = await Promise.all(orders.map((order) => service.app.get(Ledger).reserve(order)));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(orders.map(() => 'reserved'));
    return orders;
  };
  /** The same as if another process had made them. */
  const reserveElsewhere = async (times: number): Promise<ReserveOrder[]> => {
    const orders = await reserve(times);
    await service.database.query('UPDATE reservations SET process_id = $1 WHERE id = ANY($2)', [
      processId,
      orders.map(({ callId }) => callId),
    ]);
    return orders;
  };
  const processesOf = async (orders: ReserveOrder[]): Promise<unknown[]> => {
    const rows: { process_id: string | null }[] = await service.database.query(
      'SELECT process_id FROM reservations WHERE id = ANY($1)',
      [orders.map(({ callId }) => callId)],
    );
    return rows.map(({ process_id: id }) => id);
  };
  const sweep = (by = service) => by.app.get(Ledger).sweep(service.clock.now());

  it('each tell their process, one alone and many in one commit, and stay while it lives', async () => {
    const orders = [...(await reserve(1)), ...(await reserve(20))];
    const { id } = service.app.get(ProcessRegister);
    expect(await processesOf(orders)).toEqual(orders.map(() => id));
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(0);
    service.clock.advance(LEASE_MS);
    expect(await sweep()).toBe(21);
  });

  it('end after 40 seconds without a heartbeat, once where two replicas sweep, and not those made just now', async () => {
    const old = await reserveElsewhere(10);
    await heardOf(35);
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(0);
    await heardOf(SILENT_FOR_MS / 1000);
    const young = await reserveElsewhere(1);
    const ended = await Promise.all([sweep(), sweep(replica)]);
    expect(ended.reduce((sum, count) => sum + count)).toBe(10);
    expect([await processesOf(old), await processesOf(young)]).toEqual([[], [processId]]);
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(1);
  });

  it('are gone for a process that was only paused: it charges nothing more, and reserves anew', async () => {
    const [order] = await reserveElsewhere(1);
    await heardOf(100);
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(1);
    await heardOf(0);
    const before = await world.balanceNanoUsd();
    const settlement = await service.app.get(Ledger).settle({
      callId: order?.callId ?? '',
      accountId: world.owner.id,
      outcome: 'settled',
      chargeNanoUsd: 50n,
      status: 200,
      inputTokens: 1,
      outputTokens: 1,
      now: service.clock.now(),
      answer: null,
    });
    expect(settlement).toMatchObject({ verdict: 'gone', chargedNanoUsd: 0n });
    expect(await world.balanceNanoUsd()).toBe(before);
    await reserveElsewhere(1);
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(0);
    service.clock.advance(LEASE_MS);
    expect(await sweep()).toBe(1);
  });

  it('end at once for a process that has stopped, and is forgotten ten minutes later', async () => {
    const stopped = await service.startReplica();
    const { id } = stopped.app.get(ProcessRegister);
    processId = id;
    await reserveElsewhere(1);
    await stopped.stop();
    service.clock.advance(SILENT_FOR_MS);
    expect(await sweep()).toBe(1);
    for (const [secondsAgo, rowsLeft] of [
      [500, 1],
      [600, 0],
    ] as const) {
      await heardOf(secondsAgo);
      expect(await sweep()).toBe(0);
      const rows: unknown[] = await service.database.query('SELECT FROM processes WHERE id = $1', [id]);
      expect(rows).toHaveLength(rowsLeft);
    }
  });
});
