import { setTimeout as delay } from 'node:timers/promises';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { depth, isDeepRun } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { WatchedService } from '../support/processes/watched-service';
import { largeFrame, OPCODES, RawSocket } from '../support/sockets/raw-socket';
import { SocketClient } from '../support/sockets/socket-client';
import { until } from '../support/until';

const STRANGERS = 20;
const FRAMES_OF_STRANGER = 100;
const FRAME_BYTES = 58 * 1024;
/** As many as a frame may have, and so many that a frame is refused for them. */
const NAMES = [3_990, 6_000] as const;
const SOCKETS_OF_STRANGER = 5;
const ROOMS_OF_SOCKET = 20;
const HONEST_CALLS_MIN = depth('HONEST_CALLS', { short: 40, deep: 200 });
const HONEST_CALLERS = 4;
/** Half the rate of a socket. */
const SAID_EVERY_MS = 100;
/** Who waits for longer has given up. */
const HONEST_MS_MAX = 10_000;
const HONEST_SHARE_MIN = 0.95;
/** Of what the same calls take while nobody attacks. A short run shares its machine with other tests. */
const HONEST_TIMES_IDLE_MAX = isDeepRun ? 5 : Infinity;
/** A short run shares its machine with other tests. */
const TURN_MS_MAX = depth('SOCKET_TURN_MS_MAX', { short: Infinity, deep: 100 });

/** How calls of a paying account went. */
interface HonestCalls {
  share: number;
  p95Ms: number;
  told: string;
}

const NO_CALLS: HonestCalls = { share: 0, p95Ms: Infinity, told: '' };

describe('strangers without a balance', () => {
  let service: TestService;
  let victim: WatchedService;
  let honest: TestAccount;
  let strangers: TestAccount[];
  beforeAll(async () => {
    service = await TestService.start();
    victim = await WatchedService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    });
    honest = await createAccount(service, { creditUsd: '100' });
    strangers = [];
    for (let stranger = 0; stranger < STRANGERS; stranger += 1) {
      strangers.push(await createAccount(service, { creditUsd: '0' }));
    }
  });
  afterAll(async () => {
    await victim.stop();
    await service.stop();
  });

  const urlOf = ({ key }: TestAccount) => `${victim.url}/api/ws/collaborate?token=${key}`;
  const chat = async (place: number): Promise<string> => {
    const messages = [{ role: 'user', content: `Why is the sky blue? ${place}` }];
    const body = JSON.stringify({ model: 'embedded-extractive-1', max_tokens: 20, messages });
    const answer = await victim.post('/v1/chat/completions', body, {
      authorization: `Bearer ${honest.key}`,
    });
    return answer.status === 200 ? 'ok' : `${answer.status} ${await answer.text()}`;
  };
  const say = async (socket: SocketClient, place: number): Promise<string> => {
    const id = `m${place}`;
    socket.send({ action: 'message', id, room: 'honest', data: { place } });
    const answer = await socket.answer({ id });
    await delay(SAID_EVERY_MS);
    return answer.type === 'ack' ? 'ok' : JSON.stringify(answer);
  };

  /** Chats over HTTP and speaks in a room, until enough was done and what the strangers do is over. */
  async function callBeside(socket: SocketClient, strangersWork: Promise<unknown>): Promise<HonestCalls> {
    const outcomes: { outcome: string; ms: number }[] = [];
    let isOver = false;
    const over = strangersWork.finally(() => (isOver = true));
    let begun = 0;
    const call = async (caller: number) => {
      while (begun < HONEST_CALLS_MIN || !isOver) {
        begun += 1;
        const beganMs = performance.now();
        const called = caller === 0 ? say(socket, begun) : chat(begun);
        const outcome = await called.catch((error: unknown) => String(error));
        outcomes.push({ outcome, ms: performance.now() - beganMs });
      }
    };
    await Promise.all([over, ...Array.from({ length: HONEST_CALLERS }, (_, caller) => call(caller))]);
    const failed = outcomes.filter(({ outcome, ms }) => outcome !== 'ok' || ms > HONEST_MS_MAX);
    const share = 1 - failed.length / outcomes.length;
    const sorted = outcomes.map(({ ms }) => ms).sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
    const why = [...new Set(failed.map(({ outcome }) => outcome.slice(0, 200)))].slice(0, 3).join(' | ');
    return {
      share,
      p95Ms: at(0.95),
      told: `${outcomes.length} honest calls, ${(share * 100).toFixed(1)} % answered in time, p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms ${why}`,
    };
  }

  async function honestSocket(): Promise<SocketClient> {
    const socket = await SocketClient.open(urlOf(honest));
    socket.send({ action: 'join', room: 'honest' });
    await socket.answer({ type: 'joined' });
    return socket;
  }

  it('who send large frames without a pause hold nobody else up, and those who send too fast are closed', async () => {
    const socket = await honestSocket();
    const raws = await Promise.all(strangers.map((stranger) => RawSocket.open(urlOf(stranger))));
    const frames = Array.from({ length: FRAMES_OF_STRANGER }, (_, place) =>
      largeFrame(messageWithNames(NAMES[place % 2 === 0 ? 0 : 1], place)),
    );
    const ends: string[] = [];
    let calls: HonestCalls = NO_CALLS;
    const longestMs = await victim.longestTurnMs(async () => {
      const sent = Promise.all(
        raws.map(async (raw) => {
          await raw.sendAll(frames);
          await until('it is closed or answered', () => {
            const { length } = raw.frames.filter(({ opcode }) => opcode === OPCODES.text);
            return raw.isEnded || raw.closed !== null || length >= FRAMES_OF_STRANGER;
          });
          ends.push(raw.closed === null ? 'answered' : `closed with ${raw.closed}`);
        }),
      );
      calls = await callBeside(socket, sent);
    });
    await socket.leave();
    raws.forEach(({ connection }) => connection.destroy());
    process.stdout.write(
      `\nframes: longest turn ${longestMs.toFixed(0)} ms; ${calls.told}; ${ends.join(', ')}\n`,
    );
    // Where the machine is slow, so is the reading, and nobody can send too fast.
    expect(ends.filter((end) => end !== 'answered' && end !== 'closed with 4429')).toEqual([]);
    expect(calls.share).toBeGreaterThanOrEqual(HONEST_SHARE_MIN);
    expect(longestMs).toBeLessThan(TURN_MS_MAX);
  });

  it('who join rooms all at once leave connections to the database to others', async () => {
    const socket = await honestSocket();
    const openers = strangers.flatMap((stranger) =>
      Array.from({ length: SOCKETS_OF_STRANGER }, () => SocketClient.open(urlOf(stranger))),
    );
    const clients = await Promise.all(openers);
    await callBeside(socket, Promise.resolve());
    const calm = await callBeside(socket, Promise.resolve());
    let calls: HonestCalls = NO_CALLS;
    let joinedMs = 0;
    const longestMs = await victim.longestTurnMs(async () => {
      const beganMs = performance.now();
      for (const client of clients) {
        for (let room = 0; room < ROOMS_OF_SOCKET; room += 1) {
          client.send({ action: 'join', id: `j${room}`, room: `room-${room}` });
        }
      }
      const isAnswered = (client: SocketClient) =>
        client.of('joined').length + client.of('error').length >= ROOMS_OF_SOCKET;
      const answered = until('all joins are answered', () => clients.every(isAnswered)).then(() => {
        joinedMs = performance.now() - beganMs;
      });
      calls = await callBeside(socket, answered);
    });
    const refused = clients.flatMap((client) => client.of('error'));
    process.stdout.write(
      `\ncalm: ${calm.told}\njoins: longest turn ${longestMs.toFixed(0)} ms; ${calls.told}; ${clients.length * ROOMS_OF_SOCKET} joins in ${Math.round(joinedMs)} ms, ${refused.length} refused\n`,
    );
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(calls.share).toBeGreaterThanOrEqual(HONEST_SHARE_MIN);
    expect(calls.p95Ms).toBeLessThan(HONEST_TIMES_IDLE_MAX * calm.p95Ms);
    await Promise.all([socket, ...clients].map((client) => client.leave()));
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
});

/** A message whose parsing costs the most that its size allows: each of its names is new to the engine. */
function messageWithNames(names: number, seed: number): string {
  const width = Math.floor((FRAME_BYTES - 100) / names) - 5;
  const members = Array.from({ length: names }, (_, place) => {
    const name = `${seed.toString(36)}_${place.toString(36)}`;
    return `"${name.padEnd(width, 'x')}":1`;
  });
  return `{"action":"message","room":"x","data":{"all":{${members.join(',')}}}}`;
}
