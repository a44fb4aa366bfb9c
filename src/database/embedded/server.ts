import { once } from 'node:events';
import { chown, type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import {
  type Cluster,
  type ClusterOptions,
  DataFolderInUseError,
  DATABASE,
  EmbeddedPostgresError,
  findPostgresBinaries,
  findServerPlace,
  openCluster,
  SUPERUSER,
} from './cluster';
import { commandLine, type GuardedProcess, isAlive, isTaken, spawnGuarded } from './guarded-process';

const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;

/** Outside the range for outgoing connections, which could connect to themselves there and keep the port. */
export async function quietPort(): Promise<number> {
  const start = Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
  for (let offset = 0; offset < LAST_PORT - FIRST_PORT; offset += 1) {
    const port = FIRST_PORT + ((start + offset) % (LAST_PORT - FIRST_PORT));
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      listener.close();
      await once(listener, 'close');
      return port;
    }
  }
  throw new Error('no port is free');
}

/** A running server's postmaster.pid. PostgreSQL's miscadmin.h describes its lines. */
interface PostmasterFile {
  path: string;
  pid: number;
  status: string;
  lines: string[];
}

/** Undefined if the last server was not killed. An empty file has NaN for a process id. */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const lines = text.split('\n');
  return { path, pid: Number.parseInt(lines[0] ?? '', 10), status: (lines[7] ?? '').trim(), lines };
}

/** On a server's command line this names the process that started it, for exactly as long as the server lives. */
const OWNER_SETTING = 'embedded.owner_pid';
const IMPOSSIBLE_PID = 2_147_483_647;
/** A younger empty file may be of a server that is just starting. */
const EMPTY_FILE_AGE_MS = 1_000;

/** Ends a killed service's server. @throws DataFolderInUseError for a living owner's */
async function settlePreviousServer(dataDirectory: string, log: (message: string) => void): Promise<void> {
  const file = await readPostmasterFile(dataDirectory);
  if (file !== undefined && Number.isNaN(file.pid)) {
    return removeUnlessNew(file, log);
  }
  // Postgres itself replaces a dead server's file once no backend runs.
  if (file === undefined || !isTaken(file.pid)) {
    return;
  }

  const command = commandLine(file.pid);
  if (!isServerOf(dataDirectory, command)) {
    log(`Replacing a stale ${file.path}: process ${file.pid} is not the Postgres of this folder`);
    await disown(file);
    return;
  }
  const owner = Number(new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(command)?.[1]);
  if (Number.isNaN(owner) || isAlive(owner)) {
    const user = Number.isNaN(owner) ? 'a Postgres started by hand' : `the service with process id ${owner}`;
    throw new DataFolderInUseError(
      `${dataDirectory} is in use by ${user}; stop it, choose another data folder or set DATABASE_URL`,
    );
  }
  log(`Ending the Postgres, process ${file.pid}, of a service that was killed`);
  await endPostgres(file.pid, () => isAlive(file.pid));
}

function isServerOf(dataDirectory: string, command: string): boolean {
  return `${command} `.includes(`-D ${dataDirectory} `);
}

/** A power failure can leave an empty file, with which none would ever start. */
async function removeUnlessNew(file: PostmasterFile, log: (message: string) => void): Promise<void> {
  const { mtimeMs } = await stat(file.path);
  if (Date.now() - mtimeMs < EMPTY_FILE_AGE_MS) {
    return;
  }
  log(`Removing an empty ${file.path}`);
  await rm(file.path, { force: true });
}

/** Kept, because its last lines show Postgres whether a killed server's backend still writes. */
async function disown(file: PostmasterFile): Promise<void> {
  const replacement = `${file.path}.new`;
  const { uid, gid } = await stat(file.path);
  await rm(replacement, { force: true });
  const text = [IMPOSSIBLE_PID, ...file.lines.slice(1)].join('\n');
  await writeFile(replacement, text, { mode: 0o600, flag: 'wx' });
  await chown(replacement, uid, gid);
  await rename(replacement, file.path);
}

export interface EmbeddedPostgres {
  url: string;
  /** By Unix socket, faster than TCP; `url` where there is none. */
  socketUrl: string;
  port: number;
  stop(): Promise<void>;
}

interface StartedServer extends EmbeddedPostgres {
  gone: Promise<void>;
}

export interface ServerOptions extends ClusterOptions {
  cluster: Cluster;
  choosePort?: () => Promise<number>;
}

const ATTEMPTS_MAX = 10;
/** Failures that may pass: port taken, another server faster, old backends alive. */
const PASSING_FAILURE =
  /address already in use|could not bind|lock file .* (already exists|is empty)|is still in use/i;
/** For recovery since the last checkpoint; there is one every 5 minutes. */
const READY_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** @throws DataFolderInUseError, EmbeddedPostgresError with Postgres' messages */
export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    await settlePreviousServer(options.cluster.dataDirectory, options.log);
    const port = await (options.choosePort ?? quietPort)();
    const logPath = join(options.place.folder, 'postgres.log');
    const serverLog = await openServerLog(logPath);
    try {
      const server = await launch(options, port, serverLog.handle.fd);
      const tookMs = Math.round(performance.now() - startedAtMs);
      options.log(`Embedded Postgres is ready on 127.0.0.1:${port} after ${tookMs} ms`);
      return server;
    } catch (cause) {
      const said = await serverLog.read();
      if (attempt === ATTEMPTS_MAX || !PASSING_FAILURE.test(said)) {
        throw new EmbeddedPostgresError(`embedded Postgres did not start, see ${logPath}: ${said}`, {
          cause,
        });
      }
    } finally {
      await serverLog.handle.close();
    }
    await delay(attempt * 50);
  }
}

async function launch(options: ServerOptions, port: number, logFd: number): Promise<StartedServer> {
  const { cluster, place } = options;
  const urlAt = (host: string) =>
    `postgres://${SUPERUSER}:${cluster.password}@${encodeURIComponent(host)}:${port}/${DATABASE}`;
  const url = urlAt('127.0.0.1');
  const server = spawnGuarded(serverCommand(options, port), place.account, ['ignore', logFd, logFd]);
  let socketUrl = urlAt(socketFolder(cluster) || '127.0.0.1');
  try {
    await becomeReady(server, cluster.dataDirectory);
    await connectOnce(url);
    // A root without its rights cannot enter another user's folder.
    await connectOnce(socketUrl).catch(() => (socketUrl = url));
  } catch (error) {
    await end(server);
    throw error;
  }
  server.unref();
  let stopping: Promise<void> | undefined;
  return { url, socketUrl, port, gone: server.gone, stop: () => (stopping ??= end(server)) };
}

/** Bytes of a socket's path. Source: Linux, unix(7), and one less than macOS allows. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Only the server's user and root can enter it; empty where the path is unfit. */
function socketFolder({ dataDirectory }: Cluster): string {
  const path = join(dataDirectory, `.s.PGSQL.${LAST_PORT}`);
  const isPossible = process.platform !== 'win32' && Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX;
  // Postgres separates folders by commas.
  return isPossible && !dataDirectory.includes(',') ? dataDirectory : '';
}

function serverCommand({ binaries, cluster, durable }: ServerOptions, port: number): string[] {
  const settings = [
    `${OWNER_SETTING}=${process.pid}`,
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${socketFolder(cluster)}`,
    'unix_socket_permissions=0700',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    // The service reports failed statements; this log is for the server itself.
    'log_min_messages=log',
    'log_checkpoints=off',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const postgres = join(binaries, 'bin', 'postgres');
  return [postgres, '-D', cluster.dataDirectory, ...settings.flatMap((setting) => ['-c', setting])];
}

/** Waits for postmaster.pid: earlier connections would fill its log. */
async function becomeReady(server: GuardedProcess, dataDirectory: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (!server.isRunning()) {
      throw new Error('Postgres ended while starting');
    }
    const file = await readPostmasterFile(dataDirectory);
    if (file?.pid === server.child.pid && file?.status === 'ready') {
      return;
    }
    await delay(POLL_MS);
  }
  throw new Error(`Postgres was not ready after ${READY_TIMEOUT_MS} ms`);
}

/** Finds a wrong password file at start, not at the first query. */
async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Otherwise a connection that breaks while idle would end this process.
  client.on('error', () => undefined);
  await client.connect().finally(() => client.end().catch(() => undefined));
}

async function end(server: GuardedProcess): Promise<void> {
  const { pid } = server.child;
  if (pid === undefined) {
    return;
  }
  server.ref();
  await endPostgres(pid, server.isRunning);
  await server.gone;
}

const AGAIN_AFTER_MS_MIN = 100;
const AGAIN_AFTER_MS_MAX = 10_000;
/** After this time a server that ends is started again at once. */
const STEADY_AFTER_MS = 60_000;

/** On the same port, so that its URL stays true, after 0.1 to 10 seconds. */
async function keepRunning(options: ServerOptions, first: StartedServer, signal: AbortSignal): Promise<void> {
  const again = { ...options, choosePort: () => Promise.resolve(first.port) };
  const stopped = once(signal, 'abort');
  let server = first;
  let pauseMs = AGAIN_AFTER_MS_MIN;
  const sayWhy = (error: unknown): null => {
    options.log(`Embedded Postgres is tried again in ${pauseMs} ms: ${String(error)}`);
    return null;
  };
  for (;;) {
    const startedAtMs = performance.now();
    await Promise.race([server.gone, stopped]);
    if (signal.aborted) {
      return server.stop();
    }
    options.log('Embedded Postgres ended although nobody asked it to; see postgres.log');
    if (performance.now() - startedAtMs > STEADY_AFTER_MS) {
      pauseMs = AGAIN_AFTER_MS_MIN;
    }
    let next: StartedServer | null = null;
    while (next === null && !signal.aborted) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, AGAIN_AFTER_MS_MAX);
      next = signal.aborted ? null : await startServer(again).catch(sayWhy);
    }
    server = next ?? server;
  }
}

/**
 * Ends with this process, and restarts under the same URL.
 * @param durable false is faster, for tests only
 * @throws DataFolderInUseError, EmbeddedPostgresError
 */
export async function startEmbeddedPostgres({
  dataFolder,
  log,
  durable = true,
}: Pick<ClusterOptions, 'log'> & { dataFolder: string; durable?: boolean }): Promise<EmbeddedPostgres> {
  const place = await findServerPlace(dataFolder, log);
  const binaries = await findPostgresBinaries(place, log);
  const cluster = await openCluster({ place, binaries, durable, log });
  const options = { place, binaries, cluster, durable, log };
  const server = await startServer(options);
  const stopping = new AbortController();
  const kept = keepRunning(options, server, stopping.signal);
  const stop = (): Promise<void> => {
    stopping.abort();
    return kept;
  };
  return { ...server, stop };
}

/** SIGINT is a fast shutdown, SIGQUIT one without a checkpoint (the next start recovers), SIGKILL force. */
const STEPS: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];

/** After 35 seconds at most. @throws EmbeddedPostgresError when it still runs */
async function endPostgres(pid: number, isRunning: () => boolean): Promise<void> {
  for (const { signal, timeoutMs } of STEPS) {
    if (!isRunning()) {
      return;
    }
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
        throw error;
      }
    }
    const deadline = performance.now() + timeoutMs;
    while (isRunning() && performance.now() < deadline) {
      await delay(POLL_MS);
    }
  }
  if (isRunning()) {
    throw new EmbeddedPostgresError(`Postgres, process ${pid}, does not end`);
  }
}

const LOG_BYTES_MAX = 1_048_576;

/** Keeps up to 1 MiB of earlier starts; `read` gives this one's. */
async function openServerLog(path: string): Promise<{ handle: FileHandle; read: () => Promise<string> }> {
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  const isLarge = size > LOG_BYTES_MAX;
  if (isLarge) {
    await handle.truncate();
  }
  const position = isLarge ? 0 : size;
  const read = async (): Promise<string> => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(LOG_BYTES_MAX), position });
    return buffer.toString('utf8', 0, bytesRead).trim();
  };
  return { handle, read };
}
