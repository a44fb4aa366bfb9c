import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { DatabaseUrl } from '../database/connection-pool';
import { ProcessRegister } from '../database/process-register';
import { Metrics } from '../observability/metrics';
import { ManualClock } from '../runtime/clock';
import { type Claimed, Dispatcher } from './dispatcher';

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
