import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { findPostgresBinaries, findServerPlace, openCluster } from '../../src/database/embedded/cluster';
import { quietPort, startEmbeddedPostgres, startServer } from '../../src/database/embedded/server';
import { type EmbeddedCheckout, makeEmbeddedCheckout } from '../support/processes/embedded-checkout';
import { EmbeddedFixture } from '../support/upstream/embedded-fixture';
import { runningProcesses } from '../support/processes/running-processes';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const LIVES = depth('EMBEDDED_POSTGRES_KILLS', { short: 2, deep: 10 });
/** The clock is asked only where the machine does nothing else. */
const READY_AGAIN_MS_MAX = depth('READY_AGAIN_MS_MAX', { short: Infinity, deep: 1_500 });

const fixture = new EmbeddedFixture();
let checkout: EmbeddedCheckout;
let messages: string[] = [];
const log = (message: string): number => messages.push(message);

beforeAll(async () => {
  checkout = await makeEmbeddedCheckout(fixture.newFolder());
});
beforeEach(() => (messages = []));
afterAll(() => fixture.cleanUp());

describe.each(fixture.isRoot ? ['root', 'nobody'] : ['the present user'])('as %s', (user) => {
  it('creates the database, keeps its rows over a restart and is then ready at once', async () => {
    const options = { checkout, dataFolder: fixture.newDataFolder(user), runAs: fixture.runAs(user) };
    const first = await fixture.ownBriefly(options);
    expect(runningWith(options.dataFolder)).toEqual([]);
    expect(statSync(join(options.dataFolder, 'postgres', 'password')).mode & 0o777).toBe(0o600);

    const startedAtMs = performance.now();
    const second = fixture.start(options);
    const url = await second.first('ready');
    expect(performance.now() - startedAtMs).toBeLessThan(READY_AGAIN_MS_MAX);
    expect(await fixture.storedIds(url)).toEqual(expect.arrayContaining(first.all('acknowledged')));
    await second.signal('SIGTERM');
  });
});

describe('a service that is killed', () => {
  it('leaves no process and loses no acknowledged row, life after life', async () => {
    const dataFolder = fixture.newDataFolder();
    const acknowledged: string[] = [];
    for (let life = 1; life <= LIVES; life += 1) {
      const owner = fixture.start({ checkout, dataFolder });
      const pids = await serverPids(await owner.first('ready'));
      await until('it has written rows', () => owner.all('acknowledged').length >= 20 * life);
      await owner.signal('SIGKILL');
      acknowledged.push(...owner.all('acknowledged'));
      // Every other life starts while the guard of the one before is still at work.
      if (life % 2 === 0) {
        await until('all is gone', () => runningWith(dataFolder, pids).length === 0);
      }
    }
    const server = await startEmbeddedPostgres({ dataFolder, log });
    const stored = new Set(await fixture.storedIds(server.url));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual((20 * LIVES * (LIVES + 1)) / 2);
    await server.stop();
    expect(runningWith(dataFolder)).toEqual([]);
  });

  it('leaves no process when it is killed while it creates the database, and the next start succeeds', async () => {
    const dataFolder = fixture.newDataFolder();
    mkdirSync(join(dataFolder, 'postgres.new-2147483647-0', 'data'), { recursive: true });
    const owner = fixture.start({ checkout, dataFolder });
    const isHalf = (name: string): boolean => existsSync(join(dataFolder, name, 'data', 'PG_VERSION'));
    await until('half a database is there', () => readdirSync(dataFolder).some(isHalf));
    await owner.signal('SIGKILL');
    await until('all is gone', () => runningWith(checkout.folder).length === 0);
    expect(existsSync(join(dataFolder, 'postgres'))).toBe(false);

    const server = await startEmbeddedPostgres({ dataFolder, log });
    expect(await countTables(server.url)).toBe(0);
    await server.stop();
    expect(readdirSync(dataFolder).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('is followed by one that ends the Postgres left behind, even when the guard was killed as well', async () => {
    const dataFolder = fixture.newDataFolder();
    const owner = fixture.start({ checkout, dataFolder });
    const pids = await serverPids(await owner.first('ready'));
    await owner.first('acknowledged');
    const guard = runningWith(dataFolder).find(({ command }) => command.includes('embedded-postgres-guard'));
    process.kill(guard?.pid ?? NaN, 'SIGKILL');
    await owner.signal('SIGKILL');
    expect(runningWith(dataFolder, pids)).not.toEqual([]);

    const server = await startEmbeddedPostgres({ dataFolder, log });
    expect(messages).toContainEqual(expect.stringContaining('of a service that was killed'));
    expect(runningProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
    expect(await fixture.storedIds(server.url)).toEqual(expect.arrayContaining(owner.all('acknowledged')));
    await server.stop();
  });
});

describe('a service that is told to end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'still writes after %s reached its process group',
    async (signal) => {
      const dataFolder = fixture.newDataFolder();
      const owner = fixture.start({ checkout, dataFolder });
      await owner.first('acknowledged');
      await owner.signal(signal);
      expect(owner.child.exitCode).toBe(0);
      expect([owner.all('drained'), owner.all('stopped')]).toEqual([[expect.stringMatching(/\d/)], ['']]);
      expect(runningWith(dataFolder)).toEqual([]);
    },
  );

  it('may stop Postgres more than once', async () => {
    const server = await startEmbeddedPostgres({ dataFolder: fixture.newDataFolder(), log, durable: false });
    expect(await countTables(server.url)).toBe(0);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await expect(countTables(server.url)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('two services on one data folder', () => {
  it('refuses the second and leaves the first alone', async () => {
    const dataFolder = fixture.newDataFolder();
    const first = fixture.start({ checkout, dataFolder });
    await first.first('acknowledged');
    const second = fixture.start({ checkout, dataFolder });
    expect(await second.first('failed')).toMatch(
      new RegExp(`^DataFolderInUseError: .* in use by the service with process id ${first.child.pid};`),
    );
    const before = first.all('acknowledged').length;
    await until('the first goes on', () => first.all('acknowledged').length > before);
    await first.signal('SIGTERM');
  });

  it('lets exactly one through when both start at once on an empty folder', async () => {
    const dataFolder = fixture.newDataFolder();
    const owners = [1, 2].map(() => fixture.start({ checkout, dataFolder }));
    const having = (kind: string): typeof owners => owners.filter((owner) => owner.all(kind).length > 0);
    await until('both are through', () => having('acknowledged').length + having('failed').length === 2);
    expect(having('failed').map((owner) => owner.all('failed')[0])).toEqual([
      expect.stringContaining('DataFolderInUseError'),
    ]);
    await having('acknowledged')[0]?.signal('SIGTERM');
  });
});

describe('what earlier processes left', () => {
  it('sees through a postmaster.pid whose process id went to another program', async () => {
    const dataFolder = fixture.newDataFolder();
    const file = await leavePostmasterFile(dataFolder, (lines) => [String(process.pid), ...lines.slice(1)]);
    const server = await startEmbeddedPostgres({ dataFolder, log });
    expect(messages).toContainEqual(expect.stringContaining(`Replacing a stale ${file}`));
    await server.stop();
  });

  it('sees through a postmaster.pid that a power failure emptied', async () => {
    const dataFolder = fixture.newDataFolder();
    const file = await leavePostmasterFile(dataFolder, () => []);
    utimesSync(file, 0, 0);
    const server = await startEmbeddedPostgres({ dataFolder, log });
    expect(messages).toContainEqual(`Removing an empty ${file}`);
    await server.stop();
  });

  it('takes another port when the first was taken meanwhile', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const ports = [(blocker.address() as AddressInfo).port];
    const place = await findServerPlace(fixture.newDataFolder(), log);
    const binaries = await findPostgresBinaries(place, log);
    const cluster = await openCluster({ place, binaries, durable: false, log });
    const choosePort = (): Promise<number> => Promise.resolve(ports.pop() ?? quietPort());
    const server = await startServer({ place, binaries, cluster, durable: false, log, choosePort });
    expect(readFileSync(join(place.folder, 'postgres.log'), 'utf8')).toContain('Address already in use');
    expect(await countTables(server.url)).toBe(0);
    await server.stop();
    blocker.close();
  });
});

function runningWith(text: string, pids: number[] = []): { pid: number; command: string }[] {
  return runningProcesses().filter(({ pid, command }) => command.includes(text) || pids.includes(pid));
}

async function serverPids(url: string): Promise<number[]> {
  const others = 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
  return (await fixture.query<{ pid: number }>(url, others)).map(({ pid }) => pid);
}

async function countTables(url: string): Promise<number> {
  return (await fixture.query(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).length;
}

/** Starts and stops a server, then puts back the postmaster.pid it had, changed. Returns its path. */
async function leavePostmasterFile(
  dataFolder: string,
  change: (lines: string[]) => string[],
): Promise<string> {
  const server = await startEmbeddedPostgres({ dataFolder, log });
  const file = join(dataFolder, 'postgres', 'data', 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n');
  const { uid, gid } = statSync(file);
  await server.stop();
  writeFileSync(file, change(lines).join('\n'), { mode: 0o600 });
  execFileSync('chown', [`${uid}:${gid}`, file]);
  return file;
}
