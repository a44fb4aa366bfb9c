import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseFunctions } from '../../../src/database-functions';
import {
  type Cluster,
  DATABASE,
  findPostgresBinaries,
  openCluster,
} from '../../../src/database/embedded/cluster';
import {
  type EmbeddedPostgres,
  quietPort,
  readPostmasterFile,
  type ServerOptions,
  startServer,
} from '../../../src/database/embedded/server';
import { findServerPlace } from '../../../src/database/embedded/server-place';
import { migrate } from '../../../src/database/migrate';
import { migrateQueue } from '../../../src/work/queue-schema';

/**
 * A migrated Postgres of a test's own, which it may kill and start again under the same address. What is committed
 * outlives the death of its processes, though not that of the machine: so it recovers fast on a slow disk too.
 */
export class OwnPostgres {
  private constructor(
    private readonly dataFolder: string,
    private readonly options: ServerOptions & { cluster: Cluster },
    private server: EmbeddedPostgres,
  ) {}

  /** @param dataFolder is made, and removed at the end */
  static async start(
    dataFolder = join(tmpdir(), `own-postgres-${randomBytes(6).toString('hex')}`),
  ): Promise<OwnPostgres> {
    const log = (): void => undefined;
    const durable = false;
    const place = await findServerPlace(dataFolder, log);
    const binaries = await findPostgresBinaries(place, log);
    const cluster = await openCluster({ place, binaries, durable, log });
    const port = await quietPort();
    const options = { place, binaries, cluster, durable, log, choosePort: () => Promise.resolve(port) };
    const server = await startServer(options);
    await writeCommitsAtOnce(server.url);
    await migrate(server.url, databaseFunctions);
    await migrateQueue(server.url);
    return new OwnPostgres(dataFolder, options, server);
  }

  get url(): string {
    return this.server.url;
  }

  /** An immediate shutdown: every process of the server quits as in a crash, whatever it is doing. */
  async kill(): Promise<void> {
    const file = await readPostmasterFile(this.options.cluster.dataDirectory);
    if (!file) {
      throw new Error('the Postgres to be killed does not run');
    }
    process.kill(file.pid, 'SIGQUIT');
    await this.server.stop();
  }

  /** `kill -9` of all its processes at once. */
  async killAtOnce(): Promise<void> {
    const pids = await this.processIds();
    pids.forEach(killNow);
    await this.server.stop();
  }

  /** `kill -9` of one process that serves a connection, after which the server ends all others and recovers by itself. */
  async killBackend(pid: number): Promise<void> {
    const pids = await this.processIds();
    if (pids.includes(pid)) {
      killNow(pid);
    }
  }

  /** The first process of the server, and its children. */
  private async processIds(): Promise<number[]> {
    const file = await readPostmasterFile(this.options.cluster.dataDirectory);
    if (!file) {
      throw new Error('the Postgres to be killed does not run');
    }
    const children = readFileSync(`/proc/${file.pid}/task/${file.pid}/children`, 'utf8');
    return [file.pid, ...children.trim().split(/\s+/).map(Number)];
  }

  /** Resolves when the server has recovered and takes connections. */
  async startAgain(): Promise<void> {
    this.server = await startServer(this.options);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended between the two looks.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}

/** A server that isn't durable would otherwise keep its last commits in its own memory for a moment, and lose them. */
async function writeCommitsAtOnce(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const setting = `ALTER DATABASE ${client.escapeIdentifier(DATABASE)} SET synchronous_commit = on`;
  await client.query(setting).finally(() => client.end());
}
