import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { DatabaseUrl } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { Metrics } from '../observability/metrics';
import { ManualClock } from '../runtime/clock';
import { type Claimed, claimInAll, Dispatcher } from './dispatcher';

/** Its claims wait until the test lets them end. */
class SlowDispatcher extends Dispatcher<string, number> {
  letEnd: (claimed?: Partial<Claimed<string, number>>) => void = () => undefined;
  readonly added: string[] = [];

  constructor() {
    const register = new ProcessRegister(
      new DatabaseUrl(''),
      {} as DataSource,
      new ManualClock(),
      new Metrics(),
      AccountDatabases.only({} as DataSource),
    );
    const clock = new ManualClock();
    super({ kind: 'tests', clock, register, channel: 'tests', queues: [], jobsWaitingMax: 1 });
  }

  protected override claim(): Promise<Claimed<string, number>> {
    return new Promise((resolve) => {
      this.letEnd = (claimed) =>
        resolve({
          items: [],
          after: null,
          isMore: false,
          isFull: false,
          areKeptBack: false,
          isQuiet: true,
          leasesOver: 0,
          ...claimed,
        });
    });
  }

  protected override add(items: readonly string[]): Promise<void> {
    this.added.push(...items);
    return Promise.resolve();
  }

  protected override putBack(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the shutdown of a dispatcher', () => {
  it('keeps no other module from being told, and what it needs open until its run has ended', async () => {
    const dispatcher = new SlowDispatcher();
    const run = dispatcher.run();
    await new Promise(setImmediate);
    expect(dispatcher.onModuleDestroy()).toBeUndefined();
    let isOver = false;
    const over = dispatcher.beforeApplicationShutdown().then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    dispatcher.letEnd();
    await Promise.all([run, over]);
    expect(isOver).toBe(true);
  });
});

it('adds what was claimed although one schema failed, and fails then, so that the next run waits', async () => {
  const dispatcher = new SlowDispatcher();
  const run = dispatcher.run();
  await new Promise(setImmediate);
  const failure = new Error('a table is locked');
  dispatcher.letEnd({ items: ['claimed'], failure });
  await expect(run).rejects.toBe(failure);
  expect(dispatcher.added).toEqual(['claimed']);
});

describe('a round in each schema of accounts', () => {
  const schemas = ['a', 'b'].map((name) => ({ name }) as unknown as DataSource) as [DataSource, DataSource];
  const databases = new AccountDatabases(schemas, schemas[0]);
  const [a, b] = schemas;
  const none = { items: [], isMore: false, isFull: false, leasesOver: 0, areKeptBack: false, isQuiet: true };

  it('goes on in each after its own place, and ends when all have been looked at to their last', async () => {
    const last = new Map([
      [a, 2],
      [b, 3],
    ]);
    const claim = (database: DataSource, after: number | null) => {
      const place = (after ?? 0) + 1;
      const isLast = place === last.get(database);
      return Promise.resolve({ ...none, after: isLast ? null : place, isMore: !isLast });
    };
    const first = await claimInAll(databases, null, claim);
    expect(first).toMatchObject({ after: new Map(schemas.map((each) => [each, 1])), isMore: true });
    const second = await claimInAll(databases, first.after, claim);
    expect(second).toMatchObject({ after: new Map([[b, 2]]), isMore: true });
    expect(await claimInAll(databases, second.after, claim)).toMatchObject({ after: null, isMore: false });
  });

  it('keeps the place where another process was at work, and what it claimed elsewhere', async () => {
    const places = new Map(schemas.map((each) => [each, 7]));
    const claim = (database: DataSource) =>
      Promise.resolve({ ...none, items: database === a ? [1] : [], after: null, isBusy: database === b });
    const round = await claimInAll(databases, places, claim);
    expect(round).toMatchObject({ items: [1], after: new Map([[b, 7]]), isBusy: true });
  });

  it('keeps the place where it failed, and what it claimed elsewhere', async () => {
    const failure = new Error('a table is locked');
    const claim = (database: DataSource) =>
      database === a ? Promise.reject(failure) : Promise.resolve({ ...none, items: [1], after: null });
    const round = await claimInAll(databases, new Map(schemas.map((each) => [each, 7])), claim);
    expect(round).toMatchObject({ items: [1], after: new Map([[a, 7]]), failure });
    await expect(claimInAll(databases, null, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
