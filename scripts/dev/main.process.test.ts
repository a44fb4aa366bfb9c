import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietPort } from '../../src/database/embedded/server';
import { PlainServer } from '../../test/support/processes/plain-server';
import { runningProcesses } from '../../test/support/processes/running-processes';
import { until } from '../../test/support/until';

const ROOT = join(__dirname, '../..');
const ADA = { email: 'ada@example.com', password: 'a long and lovely password' };

/** Of the health operations' answers. */
const VERSION = 'src/contract/operation.ts';

describe('npm run dev', () => {
  let folder: string;
  let port: number;
  let dev: ChildProcess;
  let output = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dev-'));
    // Postgres is another user's process where the tests run as root.
    await chmod(folder, 0o755);
    for (const name of ['src', 'generated', 'scripts/dev', 'package.json', '.swcrc']) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    port = await quietPort();
    dev = spawn('npm', ['run', 'dev'], {
      cwd: folder,
      // A group of its own, which then gets Ctrl-C as a terminal's foreground group does.
      detached: true,
      env: { PATH: process.env.PATH, HOME: folder, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [dev.stdout, dev.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
  });
  afterAll(async () => {
    await end('SIGTERM');
    await rm(folder, { recursive: true });
  });

  const server = () => new PlainServer(`http://127.0.0.1:${port}`);
  const version = async () => {
    const answer = await server()
      .get('/health/ready')
      .catch(() => null);
    return answer && ((await answer.json()) as { version: string }).version;
  };
  async function save(code: string): Promise<void> {
    const source = await readFile(join(folder, VERSION), 'utf8');
    const changed = source.replace(/(API_VERSION: string =).*;/, `$1 ${code};`);
    expect(changed).not.toBe(source);
    await writeFile(join(folder, VERSION), changed);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (dev.exitCode === null && dev.signalCode === null) {
      const closed = once(dev, 'close');
      process.kill(-(dev.pid ?? NaN), signal);
      await closed;
    }
  }

  it('runs what was saved last, keeps its data and survives what does not compile', async () => {
    await until('the service is up', async () => (await version()) !== null);
    expect(output).toContain(`Service            http://127.0.0.1:${port}\n`);
    const admin = await readFile(join(folder, '.data/admin.json'), 'utf8');
    expect((await server().post('/api/auth/register', { ...ADA, username: 'ada' }, {})).status).toBe(201);

    await save("'1.2.3'");
    await until('it runs the new code', async () => (await version()) === '1.2.3');
    expect((await server().post('/api/auth/login', ADA, {})).status).toBe(200);
    expect(await readFile(join(folder, '.data/admin.json'), 'utf8')).toBe(admin);

    await save('');
    await until('the fault is told', () => output.includes('This does not compile:'));
    expect(output).toContain(VERSION);
    expect(output).toContain('The service runs on as it was until the next save.');
    expect(await version()).toBe('1.2.3');

    await save("'1.2.4'");
    await until('it runs the repaired code', async () => (await version()) === '1.2.4');
  });

  it('leaves no process behind after Ctrl-C', async () => {
    const left = () => runningProcesses().filter(({ command }) => command.includes(folder));
    expect(left().map(({ command }) => command)).toContainEqual(expect.stringContaining('postgres'));
    await end('SIGINT');
    await until('all have ended', () => left().length === 0);
  });
});
