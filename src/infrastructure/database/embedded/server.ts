import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, DATABASE, SUPERUSER } from './cluster';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { endPostgres } from './end-postgres';
import { type GuardedProcess, spawnGuarded } from './guarded-process';
import { readPostmasterFile } from './postmaster-file';
import { quietPort } from './quiet-port';
import { ownerMark, settlePreviousServer } from './previous-server';
import { openServerLog } from './server-log';
import type { ServerPlace } from './server-place';

/** A running server. */
export interface EmbeddedPostgres {
  /** Connection string of the database `app`, usable from this machine only. */
  url: string;
  port: number;
  /** Ends the server with a fast shutdown and resolves once it is gone. May be called more than once. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  place: ServerPlace;
  binaries: string;
  cluster: Cluster;
  durable: boolean;
  log: (message: string) => void;
  /** Chooses the TCP port; by default any free one. */
  choosePort?: () => Promise<number>;
  /** Is called when the server ends although nobody asked it to. */
  ended?: () => void;
}

const ATTEMPTS_MAX = 10;
/**
 * The messages of failures that may not happen again: the port was taken meanwhile, another server was faster, or
 * backends of a killed server have not ended yet.
 */
const PASSING_FAILURE =
  /address already in use|could not bind|lock file .* (already exists|is empty)|is still in use/i;
/**
 * Long enough for recovery after a crash, which repeats all changes since the last checkpoint. Postgres makes one
 * every 5 minutes.
 */
const READY_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/**
 * Starts the server of a cluster on a free port of the loopback address and resolves once it takes connections.
 *
 * @throws DataFolderInUseError when another live service runs a server on this cluster.
 * @throws EmbeddedPostgresError with the messages of Postgres when it does not start.
 */
export async function startServer(options: ServerOptions): Promise<EmbeddedPostgres> {
  const startedAtMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    await settlePreviousServer(options.cluster.dataDirectory, options.log);
    const port = await (options.choosePort ?? quietPort)();
    const serverLog = await openServerLog(join(options.place.folder, 'postgres.log'));
    try {
      const server = await launch(options, port, serverLog.handle.fd);
      const tookMs = Math.round(performance.now() - startedAtMs);
      options.log(`Embedded Postgres is ready on 127.0.0.1:${port} after ${tookMs} ms`);
      return server;
    } catch (cause) {
      const said = await serverLog.read();
      if (attempt === ATTEMPTS_MAX || !PASSING_FAILURE.test(said)) {
        throw new EmbeddedPostgresError(`embedded Postgres did not start, see ${serverLog.path}: ${said}`, {
          cause,
        });
      }
    } finally {
      await serverLog.handle.close();
    }
    await delay(attempt * 50);
  }
}

async function launch(options: ServerOptions, port: number, logFd: number): Promise<EmbeddedPostgres> {
  const { cluster, place, log, ended } = options;
  const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${DATABASE}`;
  const server = spawnGuarded(serverCommand(options, port), place.account, ['ignore', logFd, logFd]);
  try {
    await becomeReady(server, cluster.dataDirectory);
    await connectOnce(url, server);
  } catch (error) {
    await end(server);
    throw error;
  }
  server.unref();
  const reportLoss = (): void => {
    log('Embedded Postgres ended although nobody asked it to; see postgres.log');
    ended?.();
  };
  server.child.once('exit', reportLoss);
  if (!server.isRunning()) {
    throw new Error('Postgres ended while starting');
  }
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    server.child.off('exit', reportLoss);
    stopping ??= end(server);
    return stopping;
  };
  return { url, port, stop };
}

function serverCommand({ binaries, cluster, durable }: ServerOptions, port: number): string[] {
  const settings = [
    ownerMark(),
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    // The service reports the statements that fail; this log is for what happens to the server itself.
    'log_min_messages=log',
    'log_checkpoints=off',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const postgres = join(binaries, 'bin', 'postgres');
  return [postgres, '-D', cluster.dataDirectory, ...settings.flatMap((setting) => ['-c', setting])];
}

/**
 * Waits until the server says in its postmaster.pid that it is ready: earlier attempts to connect would fill its log.
 */
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

async function connectOnce(url: string, server: GuardedProcess): Promise<void> {
  const deadline = performance.now() + CONNECT_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // A connection that breaks outside of a query would otherwise end this process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!server.isRunning() || performance.now() > deadline) {
        throw error;
      }
      await delay(POLL_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
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
