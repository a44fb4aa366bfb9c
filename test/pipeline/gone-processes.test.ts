import { Ledger, type ReserveOrder } from '../../src/ledger/ledger';
import { ProcessRegister } from '../../src/database/process-register';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { openLedger, type OpenLedger } from '../support/ledger/open-ledger';

const LEASE_MS = 24 * 60_000;
/** Others wait for a process for so long after it was heard of. */
const VALID_FOR_SECONDS = 2;

describe('the calls of a process that is gone', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  let other: OpenLedger;
  beforeAll(async () => {
    // Processes of this role do not sweep by themselves.
    service = await TestService.start({ ROLE: 'api' });
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
    other = await openLedger(service.databaseUrl);
  });
  afterEach(async () => {
    await other.close();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const reserve = async (ledger: Ledger, times: number): Promise<ReserveOrder[]> => {
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
    const verdicts = await Promise.all(orders.map(async (order) => ledger.reserve(order)));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(orders.map(() => 'reserved'));
    await ledger.show(null);
    return orders;
  };
  const settle = ({ callId }: ReserveOrder) =>
    other.ledger.settle({
      callId,
      accountId: world.owner.id,
      outcome: 'settled',
      chargeNanoUsd: 50n,
      status: 200,
      inputTokens: 1,
      outputTokens: 1,
      now: service.clock.now(),
      answer: null,
    });
  const processesOf = async (orders: ReserveOrder[]): Promise<unknown[]> => {
    const rows: { process_id: string }[] = await service.database.query(
      'SELECT process_id FROM reservations WHERE id = ANY($1)',
      [orders.map(({ callId }) => callId)],
    );
    return rows.map(({ process_id: id }) => id);
  };
  const receiptsOf = async (orders: ReserveOrder[]): Promise<unknown[]> => {
    const rows: { outcome: string; charged_nano: string }[] = await service.database.query(
      'SELECT outcome, charged_nano FROM calls WHERE id = ANY($1)',
      [orders.map(({ callId }) => callId)],
    );
    return rows.map(({ outcome, charged_nano: charged }) => [outcome, charged]);
  };
  const sweep = (by = service) => by.app.get(Ledger).sweep(service.clock.now());
  /** The other process sends no heartbeat any more, and was heard of so long ago. */
  const heardOf = async (id: string, secondsAgo: number): Promise<void> => {
    await service.database.query(
      `UPDATE processes SET heartbeat_at = clock_timestamp() - $2 * interval '1 second',
         valid_until = clock_timestamp() - ($2::float8 - ${VALID_FOR_SECONDS}) * interval '1 second' WHERE id = $1`,
      [id, secondsAgo],
    );
  };
  const lent = async (id: string): Promise<number> => {
    const rows: unknown[] = await service.database.query('SELECT FROM leases WHERE process_id = $1', [id]);
    return rows.length;
  };

  it('each tell their process, and stay while it lives and their leases last', async () => {
    const orders = [
      ...(await reserve(service.app.get(Ledger), 1)),
      ...(await reserve(service.app.get(Ledger), 20)),
    ];
    const { id } = service.app.get(ProcessRegister);
    expect(await processesOf(orders)).toEqual(orders.map(() => id));
    service.clock.advance(LEASE_MS - 1);
    expect(await sweep()).toBe(0);
    service.clock.advance(1);
    expect(await sweep()).toBe(21);
    expect(await receiptsOf(orders)).toEqual(orders.map(() => ['expired', '0']));
  });

  it('end after 40 seconds without a heartbeat, once where two replicas sweep', async () => {
    const { id } = other.register;
    const orders = await reserve(other.ledger, 10);
    await other.register.onApplicationShutdown();
    await heardOf(id, 35);
    expect(await sweep()).toBe(0);
    expect(await processesOf(orders)).toEqual(orders.map(() => id));
    await heardOf(id, 41);
    const ended = await Promise.all([sweep(), sweep(replica)]);
    expect(ended.reduce((sum, count) => sum + count)).toBe(10);
    expect([await processesOf(orders), await lent(id)]).toEqual([[], 0]);
    expect(await receiptsOf(orders)).toEqual(orders.map(() => ['expired', '0']));
  });

  it('are gone for a process that was only paused: it charges nothing more, and reserves as another one', async () => {
    const { id } = other.register;
    const [order] = (await reserve(other.ledger, 1)) as [ReserveOrder];
    await other.register.onApplicationShutdown();
    await heardOf(id, 100);
    expect(await sweep()).toBe(1);
    const before = await world.balanceNanoUsd();
    expect(await settle(order)).toMatchObject({ verdict: 'gone', chargedNanoUsd: 0n });
    expect(await world.balanceNanoUsd()).toBe(before);
    const [anew] = (await reserve(other.ledger, 1)) as [ReserveOrder];
    expect(await processesOf([anew])).toEqual([other.register.id]);
    expect(other.register.id).not.toBe(id);
    expect(await settle(anew)).toMatchObject({ verdict: 'settled', chargedNanoUsd: 50n });
    expect(before - (await world.balanceNanoUsd())).toBe(50n);
  });

  it('end as soon as others need what it was lent, two seconds after it was heard of last', async () => {
    const { id } = other.register;
    const [order] = (await reserve(other.ledger, 1)) as [ReserveOrder];
    await other.register.onApplicationShutdown();
    await heardOf(id, VALID_FOR_SECONDS + 0.1);
    const all = await world.balanceNanoUsd();
    const ledger = service.app.get(Ledger);
    const verdict = await ledger.reserve({
      ...order,
      callId: newId(),
      requestId: newId(),
      amountNanoUsd: all,
    });
    expect(verdict).toEqual({ verdict: 'reserved' });
    expect(await settle(order)).toMatchObject({ verdict: 'gone', chargedNanoUsd: 0n });
    service.clock.advance(LEASE_MS);
    expect(await sweep()).toBe(1);
  });

  it('leave nothing lent where it stops, and it is forgotten ten minutes later', async () => {
    const stopped = await service.startReplica();
    const { id } = stopped.app.get(ProcessRegister);
    await reserve(stopped.app.get(Ledger), 1).then(([order]) =>
      stopped.app.get(Ledger).settle({
        callId: order?.callId ?? '',
        accountId: world.owner.id,
        outcome: 'released',
        chargeNanoUsd: 0n,
        status: 500,
        inputTokens: 0,
        outputTokens: 0,
        now: service.clock.now(),
        answer: null,
      }),
    );
    expect(await lent(id)).toBe(1);
    await stopped.stop();
    expect(await lent(id)).toBe(0);
    for (const [secondsAgo, rowsLeft] of [
      [100, 1],
      [500, 1],
      [601, 0],
    ] as const) {
      await heardOf(id, secondsAgo);
      expect(await sweep()).toBe(0);
      const rows: unknown[] = await service.database.query('SELECT FROM processes WHERE id = $1', [id]);
      expect(rows).toHaveLength(rowsLeft);
    }
  });
});
