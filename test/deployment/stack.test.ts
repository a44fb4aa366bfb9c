import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { automaticRefusals } from '../support/api/automatic-refusals';
import type { DescribeStatus } from '../support/api/describe-operation';
import { callersOf, expectExactly, expectStrangersHeld } from '../support/api/exact-rates';
import { createAccount, World } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { callerOf, itHoldsCaps } from '../support/ledger/caps-behaviour';
import { runningProcesses } from '../support/processes/running-processes';
import { itLosesNothing } from '../support/processes/stack-faults';
import { runStack, TestStack } from '../support/processes/test-stack';
import { itSharesRooms, roomClients } from '../support/sockets/room-behaviour';
import type { SocketClient } from '../support/sockets/socket-client';
import { TaskUpstream } from '../support/tasks/task-upstream';
import { until } from '../support/until';
import { LedStreams } from '../support/upstream/led-streams';
import { itCapsStreams } from '../support/upstream/shared-streams';

const METRICS_TOKEN = 'a token for metrics that nobody else has: 0123456789';
const PRO_CALLS_A_SECOND = 20;
const PRO_CALLS_A_MINUTE = 1_000;
const BURSTS_MAX = 50;
/** The minute of a pro key is full after fifty seconds. */
const MINUTES = depth('PRO_MINUTES', { short: 0, deep: 1 });
/** Members of a killed replica are gone after its lease. */
const ROOM_KILLS = depth('ROOM_REPLICA_KILLS', { short: 0, deep: 1 });

/** They need a clock that the test moves, or a controller that it breaks. */
const OF_ONE_PROCESS = [
  'refuses a key that has expired',
  'answers an unexpected fault barely, and charges nothing',
];

let stack: TestStack;
let led: LedStreams;
let tasks: TaskUpstream;
beforeAll(async () => {
  [led, tasks] = await Promise.all([LedStreams.start(), TaskUpstream.start()]);
  const upstreams = [...(JSON.parse(tasks.environment.UPSTREAMS) as unknown[]), ...led.entries];
  const environment = {
    UPSTREAMS: JSON.stringify(upstreams),
    ALLOW_INSECURE_WEBHOOKS: 'true',
    METRICS_TOKEN,
  };
  stack = await TestStack.start({ apis: 3, workers: 2, environment });
});
afterAll(async () => {
  await stack?.stop();
  await Promise.all([led.stop(), tasks.stop()]);
});

/** Calls at once as an access key, or as nobody. */
const callsOf = (credential: string, ip?: string) => (count: number) =>
  Promise.all(Array.from({ length: count }, () => stack.service.call('listModels', { credential, ip })));

describe('three replicas of the API and two workers behind a proxy', () => {
  describe('hold a cap', () => {
    itHoldsCaps(
      () => stack.service,
      (key) => callerOf(stack.service, key),
    );
  });

  describe('answer as one service does', () => {
    const valid = (_: World, variant: number) => ({ body: { key: 'k', value: `variant ${variant}` } });
    const add: DescribeStatus = (status, guarantee, test) => {
      if (!OF_ONE_PROCESS.includes(guarantee)) {
        it(`${status}: ${guarantee}`, async () => test(await World.create(stack.service)));
      }
    };
    automaticRefusals('createMemory', valid, add, add);
  });

  describe('count rates together', () => {
    it('and let exactly the calls of a second pass for a pro key', async () => {
      const { key } = await createAccount(stack.service, { creditUsd: '1', tier: 'pro' });
      const calls = callsOf(key);
      for (let burst = 1; burst <= BURSTS_MAX; burst += 1) {
        // A second after its last call, the key has its whole second before it.
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        const startedMs = performance.now();
        const answers = await calls(PRO_CALLS_A_SECOND + 10);
        // One that took longer than the window shows nothing: part of the window had passed.
        if (performance.now() - startedMs < 1_000) {
          await expectExactly(PRO_CALLS_A_SECOND, answers.length, () => Promise.resolve(answers));
          return;
        }
      }
      throw new Error(`none of ${BURSTS_MAX} bursts was answered within a second`);
    });

    (MINUTES > 0 ? it : it.skip)('and exactly those of a minute', async () => {
      const { key } = await createAccount(stack.service, { creditUsd: '1', tier: 'pro' });
      const calls = callsOf(key);
      const startedMs = performance.now();
      let served = 0;
      while (performance.now() - startedMs < 58_000) {
        const answers = await calls(PRO_CALLS_A_SECOND);
        served += answers.filter(({ status }) => status === 200).length;
      }
      expect(performance.now() - startedMs).toBeLessThan(60_000);
      expect(served).toBe(PRO_CALLS_A_MINUTE);
    });

    it('and exactly the limit of an account’s own numbers, over all its keys and tokens', async () => {
      const world = await World.create(stack.service);
      await world.setRates(world.owner, { requests_per_minute: 50 });
      const callOfEach = await callersOf([stack.service], world.owner, world.ip);
      const rounds = async () => (await Promise.all(Array.from({ length: 10 }, callOfEach))).flat();
      await expectExactly(50, 120, rounds);
    });

    it('and hold strangers of one address together, whatever address they name, and no others', async () => {
      const [one, other] = await Promise.all([World.create(stack.service), World.create(stack.service)]);
      let named = 0;
      await expectStrangersHeld((count) =>
        Promise.all(
          Array.from({ length: count }, () =>
            stack.service.call('listModels', {
              credential: 'svc_test_unknown',
              ip: one.ip,
              headers: {
                'x-forwarded-for': `203.0.113.${(named += 1)}`,
                forwarded: `for=203.0.113.${named}`,
              },
            }),
          ),
        ),
      );
      await expectStrangersHeld(callsOf('svc_test_unknown', other.ip));
    });

    it('and believe nobody but the proxy about addresses', async () => {
      const { ip } = await World.create(stack.service);
      const past = stack.service.through(stack.place('api-1').url);
      let named = 0;
      await expectStrangersHeld((count) =>
        Promise.all(
          Array.from({ length: count }, () =>
            past.call('listModels', {
              credential: 'svc_test_unknown',
              ip,
              headers: { 'x-forwarded-for': `203.0.113.${(named += 1)}` },
            }),
          ),
        ),
      );
    });
  });

  // Each piece arrives while its upstream stands still, so nothing on the way keeps it back.
  describe('stream piece by piece', () => {
    itCapsStreams(() => ({ service: stack.service, led, urls: [stack.url] }));
  });

  describe('share rooms', () => {
    const rooms = roomClients(
      () => stack.service,
      () => Promise.resolve(stack.url),
    );
    itSharesRooms(rooms);

    (ROOM_KILLS > 0 ? it : it.skip)(
      'and lose the members of a replica that is killed, and nothing that was acknowledged',
      async () => {
        const clients = await Promise.all(Array.from({ length: 9 }, () => rooms.connect('one')));
        for (const client of clients) {
          client.send({ action: 'join', room: 'killed' });
          await client.answer({ type: 'joined' });
        }
        clients.forEach((client, from) =>
          client.send({ action: 'message', id: 'm', room: 'killed', data: { from } }),
        );
        await Promise.all(clients.map((client) => client.answer({ type: 'ack', id: 'm' })));
        await stack.killAndAwaitNext('api-1');
        const isLost = ({ closeCode }: SocketClient) => closeCode !== null;
        await until('the clients of the killed replica know', () => clients.some(isLost));
        const [lost, left] = [clients.filter(isLost), clients.filter((client) => !isLost(client))];
        expect(lost.map(({ closeCode }) => closeCode)).toEqual(lost.map(() => 1006));
        expect(left.length).toBeGreaterThan(0);
        for (const client of left) {
          await until('the members are gone', () => client.of('member_left').length === lost.length);
          await until('all messages', () => client.of('message').length === clients.length);
        }
      },
    );
  });

  it('take an upload of 25 MiB', async () => {
    const { token } = await createAccount(stack.service, { creditUsd: '1' });
    const form = new FormData();
    form.set('metadata', JSON.stringify({ title: 'Large', type: 'txt' }));
    form.set('file', new Blob(['a'.repeat(25 * 1_048_576)], { type: 'text/plain' }), 'large.txt');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${stack.url}/api/documents/upload`, { method: 'POST', headers, body: form });
    expect([answer.status, await answer.json()]).toMatchObject([201, { data: { title: 'Large' } }]);
  });

  describe('lose nothing', () => itLosesNothing(() => stack));

  it('have metrics of their own each, by the command that the start prints, which tells no token', async () => {
    await until('it is printed', () => stack.lines.some((line) => line.startsWith('Metrics ')));
    const line = stack.lines.find((said) => said.startsWith('Metrics ')) ?? '';
    const [, command = ''] = /(curl .*)$/.exec(line) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl --silent')], {
      env: { ...process.env, METRICS_TOKEN },
    });
    expect(stdout).toMatch(/^process_cpu_seconds_total \d/m);
    expect(command).toContain(stack.place('api-1').url);
    expect(stack.lines.join('\n')).not.toContain(METRICS_TOKEN);
  });

  it('do not start when one of them cannot', async () => {
    const environment = {
      ...stack.environment,
      STACK_APIS: '1',
      STACK_WORKERS: '0',
      RATE_TIERS_FILE: '/nowhere',
    };
    const { code, text } = await runStack(environment);
    expect(code).toBe(1);
    expect(text).toMatch(/^api-1 \| .*RATE_TIERS_FILE \(\/nowhere\)/m);
    expect(text).toMatch(/^api-1 ended with exit code 1$/m);
  });

  it.each([
    ['DATABASE_URL', { DATABASE_URL: '' }],
    ['REDIS_URL', { REDIS_URL: '' }],
    ['JWT_SECRET', { JWT_SECRET: '' }],
    ['STACK_APIS', { STACK_APIS: '0' }],
    ['STACK_WORKERS', { STACK_WORKERS: 'two' }],
  ])('do not start without a good %s, which is named', async (name, change) => {
    const { code, text } = await runStack({ ...stack.environment, ...change });
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`^${name} (is missing|must be)`, 'm'));
  });

  it('end together, the calls in flight first', async () => {
    const account = await createAccount(stack.service, { creditUsd: '1' });
    const names = ['api-1', 'api-2', 'api-3', 'worker-1', 'worker-2'];
    const pids = names.map((name) => stack.place(name).pid);
    const stream = led.begin({ url: stack.url, key: account.key, requestId: 'last', outputTokensMax: 100 });
    await led.deliver(stream, 2);
    stack.process.kill('SIGINT');
    await until('it says so', () => stack.lines.includes('stack | stops'));
    stream.lockStep.releaseAll();
    await stream.call.ends();
    expect(stream.call.isDone).toBe(true);
    await until('it has ended', () => stack.hasEnded);
    expect(stack.process.exitCode).toBe(0);
    await until('all that it said is here', () => stack.lines.at(-1) === 'stack | ended');
    const left = runningProcesses().filter(({ pid }) => pids.includes(pid));
    expect(left).toEqual([]);
    await expect(stack.server.get('/health/live')).rejects.toThrow();
  });
});
