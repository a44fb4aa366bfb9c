import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { until } from '../../test/support/until';
import { Metrics } from '../observability/metrics';
import { DatabaseClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { AccountDatabases } from './account-databases';
import { DatabaseUrl } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { ProcessRegister } from './process-register';
import type { Announce } from './process-statements';

const ACCOUNT = '0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11';

interface Process {
  register: ProcessRegister;
  told: (string | null)[];
}

describe('ProcessRegister', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let here: Process;
  let there: Process;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 4)).initialize();
  });
  beforeEach(async () => {
    here = await start();
    there = await start();
  });
  afterEach(async () => {
    await here.register.onApplicationShutdown();
    await there.register.onApplicationShutdown();
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  async function start(clock = new DatabaseClock()): Promise<Process> {
    const register = new ProcessRegister(
      new DatabaseUrl(testDatabase.url),
      database,
      clock,
      new Metrics(),
      AccountDatabases.only(database),
    );
    const told: (string | null)[] = [];
    register.onChange((accountId) => void told.push(accountId));
    await register.onModuleInit();
    return { register, told };
  }

  const change = (fails = false) =>
    here.register.changing(ACCOUNT, (announce) =>
      database.transaction(async (manager) => {
        await announce(manager);
        if (fails) {
          throw new Error('it is not made');
        }
      }),
    );
  /** Takes a process off as a pause of its machine would: it sends nothing and hears nothing. */
  const pause = ({ register }: Process) => {
    const paused = register as unknown as { beat(): Promise<void>; hear(): void; timer: NodeJS.Timeout };
    jest.spyOn(paused, 'beat').mockResolvedValue();
    jest.spyOn(paused, 'hear').mockReturnValue();
    clearTimeout(paused.timer);
  };

  it('has a change known everywhere, here too, when it returns', async () => {
    await change();
    expect([here.told, there.told].map((told) => told.includes(ACCOUNT))).toEqual([true, true]);
  });

  it('tells nobody of a change that is not made', async () => {
    await expect(change(true)).rejects.toThrow('it is not made');
    await change();
    expect(there.told.filter((accountId) => accountId === ACCOUNT)).toHaveLength(1);
  });

  it('makes few changes of one account at once, and those of others meanwhile', async () => {
    let underWay = 0;
    let underWayMax = 0;
    const work = async (announce: Announce) => {
      underWay += 1;
      underWayMax = Math.max(underWayMax, underWay);
      await announce(database);
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 12 }, () => here.register.changing(ACCOUNT, work)));
    expect(underWayMax).toBe(4);
    const accounts = Array.from({ length: 5 }, () => newId());
    await Promise.all(accounts.map((accountId) => here.register.changing(accountId, work)));
    expect(underWayMax).toBe(5);
  });

  it('waits for what others do before they acknowledge it', async () => {
    let isDone = false;
    there.register.onChange(async (accountId) => {
      await new Promise((resolve) => setTimeout(resolve, accountId === null ? 0 : 100));
      isDone ||= accountId !== null;
    });
    await change();
    expect(isDone).toBe(true);
  });

  it('does not wait for one that has stopped', async () => {
    await there.register.onApplicationShutdown();
    const beganMs = performance.now();
    await change();
    expect(performance.now() - beganMs).toBeLessThan(1_500);
  });

  it('waits for one that is not heard of, until that one relies on nothing any more', async () => {
    pause(there);
    expect(there.register.isHeard).toBe(true);
    await change();
    expect(there.register.isHeard).toBe(false);
    expect(there.told).not.toContain(ACCOUNT);
  });

  it('has one that hears of nothing forget everything', async () => {
    const register = there.register as unknown as { hear(): void };
    jest.spyOn(register, 'hear').mockReturnValue();
    const before = there.told.length;
    await change();
    expect(there.told.slice(before)).toContain(null);
    await until('it is heard of again', () => there.register.isHeard);
  });

  it('relies on nothing without its connection, and forgets everything before it does again', async () => {
    const before = there.told.length;
    const { session } = there.register as unknown as { session: { close(): Promise<void> } };
    await session.close();
    expect(there.register.isHeard).toBe(false);
    await until('it is heard of again', () => there.register.isHeard);
    expect(there.told.slice(before)).toEqual([null]);
  });

  it("carries the database's time on, whatever this machine's clock says", async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0, 1));
    const clock = new DatabaseClock();
    jest.restoreAllMocks();
    const ahead = clock.now().getTime() - Date.now();
    const { register } = await start(clock);
    expect(ahead).toBeGreaterThan(86_400_000);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000);
    await register.onApplicationShutdown();
  });
});
