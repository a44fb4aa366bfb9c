import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { endlessText } from '../../test/support/hostile-files/hostile-pdfs';
import { until } from '../../test/support/until';
import { FilesBusy, FileTooComplex } from './file-errors';
import { FileProcesses, type FileUse } from './file-readers';

/** Deadlines of the clock only end what hangs, but where one is the subject. */
const LONG_MS = 120_000;
/** A page of forty million letters: more work than any of these tests waits for. */
const ENDLESS = endlessText();
const SMALL = Buffer.from('hello');
const OWN = { accountId: 'own' };
const nodeProcesses = jest.requireActual<typeof import('node:child_process')>('node:child_process');

describe('FileProcesses', () => {
  const pools: FileProcesses[] = [];
  const pool = (options: ConstructorParameters<typeof FileProcesses>[0] = {}): FileProcesses => {
    const made = new FileProcesses({ deadlineMs: LONG_MS, waitMsMax: LONG_MS, ...options });
    pools.push(made);
    return made;
  };
  const readSmall = async (processes: FileProcesses, order = OWN) =>
    (await processes.run('read', { kind: 'txt' }, SMALL, order)).text;
  afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));

  it('keeps a process for the next file, and ends it once it has been idle', async () => {
    const processes = pool({ idleMs: 50 });
    await readSmall(processes);
    const [first] = children();
    expect(first).toBeDefined();
    await until('the idle process has ended', () => Promise.resolve(children().length === 0));
    expect(await readSmall(processes)).toBe('hello');
  });

  it('gives its processes nothing of the environment', async () => {
    const processes = pool();
    await readSmall(processes);
    const names = children()
      .flatMap((id) => readFileSync(`/proc/${id}/environ`, 'utf8').split('\0'))
      .map((each) => each.split('=')[0]);
    expect(names.filter((name) => name !== '' && !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
  });

  it('kills a process that takes too long, which fails its own file only', async () => {
    const uses: FileUse[] = [];
    const processes = pool({ atOnceMax: 1, deadlineMs: 1_000, used: (use) => uses.push(use) });
    const endless = processes.run('read', { kind: 'pdf' }, ENDLESS, OWN);
    const next = readSmall(processes);
    await expect(endless).rejects.toThrow(FileTooComplex);
    expect(uses[0]?.wasKilled).toBe(true);
    expect(await next).toBe('hello');
  });

  it('kills a process that takes too much memory', async () => {
    const processes = pool({ growthBytesMax: 20 * 1024 * 1024 });
    const large = Buffer.alloc(24 * 1024 * 1024, 'a,b\n');
    await expect(processes.run('read', { kind: 'csv' }, large, OWN)).rejects.toThrow(
      'The file needs too much memory to be read.',
    );
    expect(await readSmall(processes)).toBe('hello');
  });

  it('replaces a process that has done enough, or has grown', async () => {
    const processes = pool({ wornJobs: 1 });
    await readSmall(processes);
    expect(children()).toEqual([]);
    const grown = pool({ wornBytes: 1 });
    await readSmall(grown);
    expect(children()).toEqual([]);
  });

  it('refuses files when too many wait, or too many bytes, or one waited too long', async () => {
    const processes = pool({ atOnceMax: 1, waitingMax: 1, waitingBytesMax: 1_000 });
    const first = readSmall(processes);
    await expect(processes.run('read', { kind: 'txt' }, Buffer.alloc(1_001, 'a'), OWN)).rejects.toThrow(
      FilesBusy,
    );
    const second = readSmall(processes);
    await expect(readSmall(processes)).rejects.toThrow(FilesBusy);
    expect(await Promise.all([first, second])).toEqual(['hello', 'hello']);

    const hurried = pool({ atOnceMax: 1, waitMsMax: 1 });
    const taken = readSmall(hurried);
    await expect(readSmall(hurried)).rejects.toThrow(FilesBusy);
    expect(await taken).toBe('hello');
  });

  it('has a process left for the files of others, and some room to wait, whatever one account sends', async () => {
    const processes = pool({ waitingMax: 4, accountWaitingMax: 1 });
    const stop = new AbortController();
    const slow = [1, 2].map(() =>
      processes.run('read', { kind: 'pdf' }, ENDLESS, { ...OWN, signal: stop.signal }),
    );
    const ended = Promise.allSettled(slow);
    await expect(readSmall(processes)).rejects.toThrow(FilesBusy);
    const others = ['a', 'b', 'a'].map((accountId) => readSmall(processes, { accountId }));
    expect(await Promise.all(others)).toEqual(['hello', 'hello', 'hello']);
    stop.abort(new Error('stopped'));
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readSmall(processes)).toBe('hello');
  });

  it('frees the place of a file for which no process can be started', async () => {
    const processes = pool({ atOnceMax: 1, waitMsMax: 1_000 });
    jest.spyOn(nodeProcesses, 'fork').mockImplementationOnce(() => {
      throw new Error('spawn ENOMEM');
    });
    const failed = readSmall(processes);
    const next = readSmall(processes);
    await expect(failed).rejects.toThrow('spawn ENOMEM');
    expect(await next).toBe('hello');
  });

  it('gives up with the reason when the caller goes away, before, while it waits and while it works', async () => {
    const gone = new Error('gone');
    const processes = pool({ atOnceMax: 1 });
    await expect(
      processes.run('read', { kind: 'txt' }, SMALL, { ...OWN, signal: AbortSignal.abort(gone) }),
    ).rejects.toBe(gone);
    const working = new AbortController();
    const waiting = new AbortController();
    const first = processes.run('read', { kind: 'pdf' }, ENDLESS, { ...OWN, signal: working.signal });
    const second = processes.run('read', { kind: 'txt' }, SMALL, { ...OWN, signal: waiting.signal });
    waiting.abort(gone);
    await expect(second).rejects.toBe(gone);
    working.abort(gone);
    await expect(first).rejects.toBe(gone);
    expect(await readSmall(processes)).toBe('hello');
  });

  it('ends its processes when it is closed, and refuses what comes after', async () => {
    const processes = pool({ atOnceMax: 1 });
    const working = processes.run('read', { kind: 'pdf' }, ENDLESS, OWN);
    const waiting = readSmall(processes);
    const ended = Promise.allSettled([working, waiting]);
    await until('a process works', () => Promise.resolve(children().length === 1));
    await processes.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(children()).toEqual([]);
    await expect(readSmall(processes)).rejects.toThrow(FilesBusy);
  });
});

/** The ids of this process' children that work on files. Linux only, as are the bounds of memory that are tested here. */
function children(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => parentOf(id) === process.pid && commandOf(id).includes('file-worker'));
}

function parentOf(id: number): number {
  const status = existsSync(`/proc/${id}/stat`) ? contentOf(`/proc/${id}/stat`) : '';
  return Number(status.slice(status.lastIndexOf(')')).split(' ')[2]);
}

function commandOf(id: number): string {
  return contentOf(`/proc/${id}/cmdline`);
}

/** Processes come and go while they are looked at. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
