import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { storedKeys, storeMemory } from '../support/api/store-memory';
import { World } from '../support/api/world';
import { until } from '../support/until';

const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO memories%'`;

describe('a call whose transaction the database undoes because of a deadlock', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start();
    world = await World.create(service);
  });
  afterAll(() => service.stop());

  it('is answered 503 with Retry-After, does nothing and is not charged', async () => {
    await storeMemory(world, { key: 'a', value: 'before' });
    await storeMemory(world, { key: 'b', value: 'before' });
    const before = await world.balanceNanoUsd();
    const other = service.database.createQueryRunner();
    const lock = (key: string) =>
      other.query('SELECT FROM memories WHERE account_id = $1 AND key = $2 FOR UPDATE', [
        world.owner.id,
        key,
      ]);
    await other.startTransaction();
    // So that it is the call's statement which is undone.
    await other.query("SET LOCAL deadlock_timeout = '1min'");
    await lock('b');
    const items = ['a', 'b', 'c'].map((key) => ({ key, value: 'after' }));
    const answered = callAs('createMemoryBatch', world, { body: { items } });
    await until('the call waits', async () => (await service.database.query<object[]>(WAITING)).length > 0);
    await lock('a');
    const { status, headers, body } = await answered;
    await other.rollbackTransaction();
    await other.release();
    expect([status, headers['retry-after'], body]).toMatchObject([
      503,
      '1',
      { message: 'Another change was made at the same time; call again.' },
    ]);
    expect(await storedKeys(world)).toEqual(['a', 'b']);
    expect(await world.balanceNanoUsd()).toBe(before);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
});
