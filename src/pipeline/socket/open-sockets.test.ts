import { until } from '../../../test/support/until';
import { InvalidApiKey } from '../../accounts/credentials';
import type { ProcessRegister } from '../../database/process-register';
import type { SocketMetrics } from '../../http/sockets/client-socket';
import { type OpenSocket, OpenSockets } from './open-sockets';

describe('the credentials of open sockets', () => {
  const judged: string[] = [];
  let waiting: (() => void)[] = [];
  let isHeld = false;
  /** Accounts whose credentials have ended, and those closed for it. */
  const [ended, closed] = [new Set<string>(), [] as string[]];
  let isBusy = false;
  let changed: (accountId: string) => Promise<void>;
  let sockets: OpenSockets;
  beforeEach(() => {
    [judged, closed].forEach((told) => told.splice(0));
    ended.clear();
    waiting = [];
    isHeld = false;
    const register = { onChange: (watcher: typeof changed) => (changed = watcher) };
    const metrics = { opened: () => undefined, closed: () => undefined };
    sockets = new OpenSockets(register as unknown as ProcessRegister, metrics as unknown as SocketMetrics);
    sockets.onModuleInit();
  });
  afterEach(async () => {
    release();
    sockets.onModuleDestroy();
    await sockets.beforeApplicationShutdown();
  });

  function release(): void {
    isHeld = false;
    waiting.splice(0).forEach((go) => go());
  }

  /** Adds sockets of accounts, and waits until each was judged for the first time. */
  async function open(...accountIds: string[]): Promise<void> {
    for (const accountId of accountIds) {
      const judge = async () => {
        judged.push(accountId);
        await new Promise<void>((resolve) => (isHeld ? waiting.push(resolve) : resolve()));
        return ended.has(accountId) ? new InvalidApiKey() : null;
      };
      const socket = {
        holder: { accountId, judge },
        isAlive: true,
        get isOpen() {
          return !closed.includes(accountId);
        },
        get isBusy() {
          return isBusy;
        },
        onClose: noop,
        ping: noop,
        close: () => closed.push(accountId),
      };
      sockets.add(socket as unknown as OpenSocket);
    }
    await until('all are judged', () => judged.length === accountIds.length);
    judged.splice(0);
    isHeld = true;
  }

  it('are judged at once where something has changed, while the look at all waits for somebody else', async () => {
    await open('a', 'b', 'c');
    sockets.beat();
    await until('the look at all has begun', () => waiting.length === 1);
    void changed('c');
    await until('the account is judged', () => judged.includes('c'));
    expect(judged).toEqual(['a', 'c']);
    release();
    await until('all are judged', () => judged.length === 4);
    expect(judged.slice(2)).toEqual(['b', 'c']);
  });

  it('are judged once more where something changes while they are judged', async () => {
    await open('a');
    void changed('a');
    await until('it is judged', () => judged.length === 1);
    void changed('a');
    void changed('a');
    release();
    await until('it is judged again', () => judged.length === 2);
    expect(judged).toEqual(['a', 'a']);
  });

  it('are closed at once where they have ended, and a change waits for what they had begun', async () => {
    await open('a', 'b');
    release();
    isBusy = true;
    ['a', 'b'].forEach((accountId) => ended.add(accountId));
    const changes = [changed('a'), changed('b')];
    await new Promise(setImmediate);
    const closedMeanwhile = [...closed];
    const both = Promise.all(changes).then(() => isBusy);
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise(setImmediate);
    }
    isBusy = false;
    expect(closedMeanwhile).toEqual(['a', 'b']);
    expect(await both).toBe(false);
  });
});

function noop(): void {
  return undefined;
}
