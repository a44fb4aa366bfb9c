import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { DatabaseUrl } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { Metrics } from '../observability/metrics';
import { ManualClock } from '../runtime/clock';
import { type Claimed, claimInAll, Dispatcher } from './dispatcher';

/** Its claims wait until the test lets them end. */
class SlowDispatcher extends Dispatcher<string, number> {
  letEnd: () => void = () => undefined;

  constructor() {
    const register = new ProcessRegister(
      new DatabaseUrl(''),
      {} as DataSource,
      new ManualClock(),
      new Metrics(),
      AccountDatabases.only({} as DataSource),
    );
    super({ kind: 'tests', clock: new ManualClock(), register, channel: 'tests' });
  }

  protected override claim(): Promise<Claimed<string, number>> {
    return new Promise((resolve) => {
      this.letEnd = () =>
        resolve({
          items: [],
          after: null,
          isMore: false,
          isFull: false,
          areKeptBack: false,
          isQuiet: true,
          leasesOver: 0,
        });
    });
  }

  protected override add(): Promise<void> {
    return Promise.resolve();
  }

  protected override putBack(): Promise<void> {
    return Promise.resolve();
  }

  protected override isQueueFull(): Promise<boolean> {
    return Promise.resolve(false);
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
});
