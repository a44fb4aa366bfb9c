import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:net';
import { until } from '../support/until';

const GUIDE = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8');
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1yZWNlaXZlcnMtZ3VpZGU=';
const BODY =
  '{"event_id":"1","event_type":"balance.low","data":{"balance":9.5,"note":"grün"},"signature":"sha256=0"}';

const LANGUAGES = [
  { fence: 'js', file: 'receiver.js', run: ['node'] },
  { fence: 'python', file: 'receiver.py', run: ['python3'] },
  { fence: 'go', file: 'receiver.go', run: ['go', 'run'] },
];

describe.each(LANGUAGES)('the guide’s receiver in $fence', ({ fence, file, run }) => {
  const [command = '', ...rest] = run;
  const isThere = spawnSync(command, command === 'go' ? ['version'] : ['--version']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  let receiver: ChildProcess | null = null;
  let url = '';

  beforeAll(async () => {
    if (!isThere) {
      return;
    }
    const path = join(folder, file);
    writeFileSync(path, programOf(fence));
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    // Its own process group: `go run` is the parent of the program that it has built.
    receiver = spawn(command, [...rest, path], {
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET, GOCACHE: join(folder, 'cache') },
      stdio: 'ignore',
      detached: true,
    });
    await until(`${file} listens`, () => accepts(port));
  });

  afterAll(() => {
    if (receiver?.pid !== undefined) {
      process.kill(-receiver.pid, 'SIGKILL');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const test = isThere ? it : it.skip;

  test.each([
    ['without a signature', BODY, {}],
    ['with the signature of another secret', BODY, { 'x-service-signature': signed(BODY, `${SECRET}x`) }],
    ['whose body was changed', BODY.replace('9.5', '9.6'), { 'x-service-signature': signed(BODY) }],
    [
      'that was serialised again',
      JSON.stringify(JSON.parse(BODY), null, 1),
      { 'x-service-signature': signed(BODY) },
    ],
    ['with half a signature', BODY, { 'x-service-signature': signed(BODY).slice(0, 30) }],
  ])('refuses a delivery %s', async (_, body, headers) => {
    expect(await post(url, body, headers)).toBe(401);
  });

  test.each([
    ['signed with its secret', { 'x-service-signature': signed(BODY) }],
    [
      'signed with its secret as the one before',
      { 'x-service-signature': signed(BODY, `${SECRET}x`), 'x-service-signature-previous': signed(BODY) },
    ],
  ])('takes a delivery %s', async (_, headers) => {
    expect(await post(url, BODY, headers)).toBe(204);
  });
});

/** The one block of code of a language. */
function programOf(fence: string): string {
  const [, program, more] = GUIDE.split(`\`\`\`${fence}\n`);
  if (program === undefined || more !== undefined) {
    throw new Error(`the guide must have one block of ${fence}`);
  }
  return program.slice(0, program.indexOf('```'));
}

function signed(body: string, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers: { connection: 'close', ...headers } });
  await response.arrayBuffer();
  return response.status;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
