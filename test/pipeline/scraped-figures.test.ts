import { Ledger } from '../../src/ledger/ledger';
import { Tasks } from '../../src/modules/tasks/tasks.repository';
import { newId } from '../../src/runtime/ids';
import { Metrics } from '../../src/observability/metrics';
import { BalanceCheck, Sweeper } from '../../src/ledger/ledger.module';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';

const MEMORY = { key: 'k', value: 'v' };

describe('what the metrics read at a scrape, and of steps', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const text = () => service.app.get(Metrics).text();
  const read = async (series: string) => valueOf(await text(), series);
  const remember = (credential: string) =>
    service.call('createMemory', { credential, ip: world.ip, body: MEMORY });

  it('shows reservations that nobody has ended, and those that nobody will', async () => {
    const reserve = (leaseUntil: Date) =>
      service.app.get(Ledger).reserve({
        callId: newId(),
        accountId: world.owner.id,
        keyId: world.owner.keyId,
        amountNanoUsd: 1n,
        now: service.clock.now(),
        leaseUntil,
        operation: 'test',
        requestId: newId(),
        price: 'test',
        priceVersion: 'test',
      });
    await reserve(new Date('2100-01-01'));
    await reserve(new Date('2020-01-01'));
    await until('they are shown', async () => (await read('ledger_reservations_open{lease="over"}')) > 0);
    expect(await read('ledger_reservations_open{lease="held"}')).toBeGreaterThan(0);
    await service.app.get(Ledger).sweep(new Date('2101-01-01'));
    await service.app.get(Sweeper, { strict: false }).sweep();
  });

  it('shows tasks and events that wait, and how old the oldest event is', async () => {
    await service.app.get(Tasks).submit({
      accountId: world.owner.id,
      keyId: world.owner.keyId,
      taskType: 'createMemory',
      parameters: '{}',
      priority: 'normal',
      submission: null,
      requestId: newId(),
    });
    await service.database.query(
      `INSERT INTO events (id, account_id, event_type, data, occurred_at)
       VALUES (gen_random_uuid(), $1, 'balance.low', '{}', now() - interval '90 seconds')`,
      [world.owner.id],
    );
    await until('they are shown', async () => (await read('events_outbox_rows')) === 1);
    expect(await read('tasks_unfinished{stage="waiting"}')).toBe(1);
    expect(await read('events_outbox_oldest_seconds')).toBeGreaterThanOrEqual(90);
  });

  it('says nothing of the books before they were checked, and then what is wrong with them', async () => {
    const shown = async () => (await text()).match(/^ledger_(unbalanced|difference)\w+ \S+$/gm);
    expect(await shown()).toBeNull();
    const add = (nano: number) =>
      service.database.query('UPDATE balances SET balance_nano = balance_nano + $2 WHERE account_id = $1', [
        world.owner.id,
        nano,
      ]);
    const check = service.app.get(BalanceCheck, { strict: false });
    await add(1_000_000);
    await check.check();
    expect(await shown()).toEqual(['ledger_unbalanced_accounts 1', 'ledger_difference_usd 0.001']);
    await add(-1_000_000);
    await check.check();
    expect(await shown()).toEqual(['ledger_unbalanced_accounts 0', 'ledger_difference_usd 0']);
  });

  it('counts the time of every step of a call', async () => {
    const before = await text();
    expect((await remember(world.owner.key)).status).toBe(201);
    expect((await remember('svc_test_nobodys')).status).toBe(401);
    const after = await text();
    const grown = (step: string) => {
      const series = `pipeline_step_seconds_count{step="${step}"}`;
      return valueOf(after, series) - valueOf(before, series);
    };
    expect(['rate_limit', 'authentication'].map(grown)).toEqual([2, 2]);
    const others = ['validation', 'idempotency', 'price', 'reservation', 'work', 'settlement'];
    expect(others.map(grown)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

/** A series' value; 0 where it is not shown. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}
