import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createAccounts, type BenchAccount } from '../accounts';
import { startBenchPostgres } from '../bench-postgres';
import { createMigratedDatabase } from '../migrated-database';
import { memoryMiB } from '../process-figures';
import { startServer } from '../server-process';
import type { Settings } from '../settings';
import { METERED_ENVIRONMENT } from '../running-target';

export const IDLE_SOCKETS = 1_000;
export const BUSY_SOCKETS = 200;
export const MEMBERS_PER_ROOM = 10;
export const MESSAGES_PER_SECOND = 1;
const ACCOUNTS = 20;
/** How many sockets are opened at once. Opening all of them together would measure the buffers that this takes. */
const OPENING_MAX = 25;
/** A pause in which the garbage collector frees what the opening left behind. */
const SETTLED_AFTER_MS = 3_000;
const WARM_UP_MS = 2_000;
/** For what is still on its way when the load ends. */
const LAST_WITHIN_MS = 2_000;

export interface SocketResults {
  /** Memory of the server for each idle socket; null where the system does not tell. */
  idleKiB: number | null;
  /** From the sending of a message to its arrival, for each message and member. */
  latenciesMs: number[];
  sent: number;
  seconds: number;
}

/** Opens idle sockets on a fresh replica, and then lets others talk in rooms beside them. */
export async function measureSockets(
  settings: Settings,
  log: (message: string) => void,
): Promise<SocketResults> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = await startBenchPostgres(log);
    stops.push(postgres.stop);
    const databaseUrl = await createMigratedDatabase(postgres, 'sockets');
    const accounts = await createAccounts(databaseUrl, ACCOUNTS);
    const server = await startServer(join(__dirname, '../metered-server.js'), {
      DATABASE_URL: databaseUrl,
      ...METERED_ENVIRONMENT,
    });
    stops.push(server.stop);
    postgres.pin();
    const open = (account: BenchAccount) =>
      openSocket(`${server.url}/api/ws/collaborate?token=${account.secret}`);
    // The first ones load code and fill caches, which must not count as memory of the sockets.
    (await openAll(accounts, OPENING_MAX, open)).forEach((socket) => socket.terminate());
    await delay(SETTLED_AFTER_MS);
    const before = memoryMiB(server.pid);
    const idle = await openAll(accounts, IDLE_SOCKETS, open);
    await delay(SETTLED_AFTER_MS);
    const after = memoryMiB(server.pid);
    log(`${IDLE_SOCKETS} idle sockets are open`);
    const busy = await openAll(accounts, BUSY_SOCKETS, open);
    const talk = await talkInRooms(busy, settings.rounds * settings.loadSeconds);
    [...idle, ...busy].forEach((socket) => socket.terminate());
    return {
      idleKiB: before === null || after === null ? null : ((after - before) * 1024) / IDLE_SOCKETS,
      ...talk,
    };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}

/** Each socket says something once a second; members of a room belong to one account. */
async function talkInRooms(sockets: WebSocket[], seconds: number): Promise<Omit<SocketResults, 'idleKiB'>> {
  const latenciesMs: number[] = [];
  let isMeasuring = false;
  let sent = 0;
  await Promise.all(
    sockets.map(async (socket, index) => {
      const joined = new Promise((resolve) => {
        socket.on('message', (bytes: Buffer) => {
          const { type, data } = JSON.parse(bytes.toString()) as {
            type: string;
            data?: { at: number; counts: boolean };
          };
          if (type === 'joined') {
            resolve(null);
          } else if (type === 'message' && data?.counts) {
            latenciesMs.push(performance.now() - data.at);
          }
        });
      });
      socket.send(JSON.stringify({ action: 'join', room: roomOf(index) }));
      await joined;
    }),
  );
  const timers = sockets.map((socket, index) => {
    const say = () => {
      sent += isMeasuring ? 1 : 0;
      const data = { at: performance.now(), counts: isMeasuring };
      socket.send(JSON.stringify({ action: 'message', room: roomOf(index), data }));
    };
    const everyMs = 1000 / MESSAGES_PER_SECOND;
    // Spread over the second, as people would be.
    return setTimeout(() => (timers[index] = setInterval(say, everyMs)), (everyMs * index) / sockets.length);
  });
  await delay(WARM_UP_MS);
  isMeasuring = true;
  await delay(seconds * 1000);
  isMeasuring = false;
  timers.forEach((timer) => clearInterval(timer));
  await delay(LAST_WITHIN_MS);
  return { latenciesMs, sent, seconds };
}

/** The sockets of an account are every twentieth one. */
function roomOf(index: number): string {
  return `room-${Math.floor(index / (ACCOUNTS * MEMBERS_PER_ROOM))}`;
}

async function openAll(
  accounts: BenchAccount[],
  count: number,
  open: (account: BenchAccount) => Promise<WebSocket>,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const first = sockets.length;
    const next = Array.from({ length: Math.min(OPENING_MAX, count - first) }, (_, index) =>
      open(accounts[(first + index) % accounts.length] as BenchAccount),
    );
    sockets.push(...(await Promise.all(next)));
  }
  return sockets;
}

/** @throws Error where the upgrade is refused */
function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}
