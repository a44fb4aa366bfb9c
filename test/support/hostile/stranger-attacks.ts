import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SocketClient } from '../sockets/socket-client';

/** Who attacks: accounts without a balance, and one with some cents. */
export interface Strangers {
  /** Access keys of accounts that have never paid. */
  penniless: readonly string[];
  /** An access key whose account can pay for some calls. */
  cheap: string;
}

export interface Attack {
  name: string;
  run(url: string, strangers: Strangers): Promise<void>;
}

const MIB = 1024 * 1024;
const ANSWER_MS_MAX = 60_000;
const THAI = 'กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ';

/** What hostile readings of the service have found to stop, slow or empty it, each as it was found. */
export const ATTACKS: readonly Attack[] = [
  {
    name: '228 bodies of 1 MiB to the login, all completed together',
    run: (url) =>
      completedTogether(
        url,
        Array.from({ length: 228 }, (_, at) => ({
          path: '/api/auth/login',
          headers: { 'x-forwarded-for': address(at % 12) },
          body: filled('{"email":[', '{},', '{}]}', MIB),
        })),
      ),
  },
  {
    name: '12 bodies of 16 MiB from accounts without a balance',
    run: (url, { penniless }) =>
      completedTogether(
        url,
        penniless.slice(0, 12).map((key) => ({
          path: '/api/omm/process',
          headers: { 'x-api-key': key },
          body: filled('{"task":"summarize","inputs":[', '{},', '{}]}', 16 * MIB - 1024),
        })),
      ),
  },
  {
    name: '570 logins',
    run: (url) =>
      all(570, (at) =>
        post(url, '/api/auth/login', { 'x-forwarded-for': address(at % 30) }, JSON.stringify(loginOf(at))),
      ),
  },
  {
    name: '20 sockets with 100 frames of 58 KB each',
    run: (url, { penniless }) =>
      onSockets(url, penniless, 1, (client) => {
        const data = Array.from({ length: 19_000 }, () => 1);
        const frame = JSON.stringify({ action: 'message', id: 'm', room: 'r', data: { data } }).padEnd(
          58_000,
        );
        for (let sent = 0; sent < 100; sent += 1) {
          client.webSocket.send(frame);
        }
      }),
  },
  {
    name: '100 sockets that join rooms',
    run: (url, { penniless }) =>
      onSockets(url, penniless, 5, (client) => {
        for (let room = 0; room < 20; room += 1) {
          client.send({ action: 'join', room: `room-${room}` });
        }
      }),
  },
  {
    name: 'tables of commas',
    run: (url, { cheap }) =>
      all(8, (at) =>
        post(
          url,
          '/api/advanced/process',
          { 'x-api-key': cheap },
          JSON.stringify({
            processing_type: 'tables',
            content: `a${',\n'.repeat(4_000 - at)}`,
          }),
        ),
      ),
  },
  {
    name: 'texts that are slow to count, from accounts without a balance',
    run: (url, { penniless }) =>
      all(40, (at) =>
        post(
          url,
          '/v1/chat/completions',
          { 'x-api-key': penniless[at % penniless.length] ?? '' },
          JSON.stringify({
            model: 'embedded-extractive-1',
            messages: [
              { role: 'user', content: hostileText(380_000) },
              { role: 'user', content: hostileText(380_000) },
            ],
          }),
        ),
      ),
  },
  {
    name: '24 chats that are left while they are answered',
    run: (url, { cheap }) =>
      all(24, async () => {
        const content = 'The notice period is three months. '.repeat(10_000);
        const body = JSON.stringify({
          model: 'embedded-extractive-1',
          messages: [{ role: 'user', content }],
        });
        const leaving = new AbortController();
        setTimeout(() => leaving.abort(), 400);
        await post(url, '/v1/chat/completions', { 'x-api-key': cheap }, body, leaving.signal);
      }),
  },
  {
    name: '5,000 paths that nobody serves, and questions for readiness, on 200 connections',
    run: (url) =>
      all(
        5_000,
        (at) =>
          at % 2 === 0
            ? get(url, `/nowhere/${at}`, address(at % 3))
            : get(url, '/health/ready', address(at % 3)),
        200,
      ),
  },
  {
    name: '20 chats with 128 tools with patterns',
    run: (url, { penniless }) =>
      all(20, (at) => {
        const tools = Array.from({ length: 128 }, (_, tool) => ({
          type: 'function',
          function: {
            name: `tool_${tool}`,
            parameters: {
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: 4 }, (__, n) => [`p${n}`, { type: 'string', pattern: `^(a|b${n})+$` }]),
              ),
            },
          },
        }));
        const body = JSON.stringify({
          model: 'embedded-extractive-1',
          messages: [{ role: 'user', content: 'x' }],
          tools,
        });
        return post(url, '/v1/chat/completions', { 'x-api-key': penniless[at % 20] ?? '' }, body);
      }),
  },
];

/** A documentation address for each stranger (RFC 5737). */
function address(index: number): string {
  return `198.51.100.${index + 1}`;
}

function loginOf(index: number): object {
  return { email: `nobody-${index}@example.com`, password: 'a wrong and long password' };
}

function filled(begin: string, unit: string, end: string, bytes: number): string {
  return begin + unit.repeat(Math.floor((bytes - begin.length - end.length) / unit.length)) + end;
}

/** Letters that share no merges. They are the same in every run. */
function hostileText(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += THAI[(state >>> 8) % THAI.length];
  }
  return text;
}

/** Runs so many, all at once if nothing else is said; what a stranger is answered does not matter to the attack. */
async function all(
  count: number,
  call: (index: number) => Promise<unknown>,
  atOnceMax = count,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      await call(next++).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
}

async function post(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  signal = AbortSignal.timeout(ANSWER_MS_MAX),
): Promise<void> {
  const json = { 'content-type': 'application/json', ...headers };
  await (await fetch(url + path, { method: 'POST', headers: json, body, signal })).text();
}

async function get(url: string, path: string, forwardedFor: string): Promise<void> {
  const headers = { 'x-forwarded-for': forwardedFor };
  await (await fetch(url + path, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) })).text();
}

/** Sends all bodies but for their last byte, and then all last bytes. */
async function completedTogether(
  url: string,
  requests: readonly { path: string; headers: Record<string, string>; body: string }[],
): Promise<void> {
  const port = Number(new URL(url).port);
  const sockets = await Promise.all(
    requests.map(async ({ path, headers, body }) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const lines = Object.entries({ ...headers, 'content-length': String(body.length) });
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      socket.write(body.slice(0, -1));
      await Promise.race([drained(socket), delay(5_000)]);
      return socket;
    }),
  );
  await Promise.all(
    sockets.map(async (socket, at) => {
      socket.write(requests[at]?.body.slice(-1) ?? '');
      await Promise.race([
        once(socket.resume(), 'data').catch(() => null),
        closed(socket),
        delay(ANSWER_MS_MAX),
      ]);
      socket.destroy();
    }),
  );
}

async function drained(socket: Socket): Promise<void> {
  if (socket.writableLength > 0) {
    await Promise.race([once(socket, 'drain').catch(() => null), closed(socket)]);
  }
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) {
    await once(socket, 'close').catch(() => null);
  }
}

/** Lets sockets of each of twenty accounts send what they send, and leaves them open for a few seconds. */
async function onSockets(
  url: string,
  keys: readonly string[],
  socketsPerKey: number,
  send: (client: SocketClient) => void,
): Promise<void> {
  const asked = keys.slice(0, 20).flatMap((key) => Array.from({ length: socketsPerKey }, () => key));
  const opened = await Promise.allSettled(
    asked.map((key) => SocketClient.open(`${url}/api/ws/collaborate?token=${key}`)),
  );
  const clients = opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  clients.forEach(send);
  await delay(5_000);
  clients.forEach(({ webSocket }) => webSocket.terminate());
}
