import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  type Cluster,
  clusterFolder,
  DATABASE,
  findPostgresBinaries,
  findServerPlace,
  openCluster,
  SUPERUSER,
} from '../../../src/database/embedded/cluster';
import {
  type EmbeddedPostgres,
  quietPort,
  readPostmasterFile,
  type ServerOptions,
  startServer,
} from '../../../src/database/embedded/server';
import { databaseFunctions, migrate } from '../../../src/database/migrate';
import { migrateQueue } from '../../../src/work/queue.module';
import { until } from '../until';

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

  get port(): number {
    return this.server.port;
  }

  /**
   * Starts a standby, a copy that follows this server, and has commits wait from then on until it has written them too.
   * @param port by default any free one
   */
  async startStandby(port?: number): Promise<OwnPostgres> {
    const dataFolder = join(tmpdir(), `own-postgres-${randomBytes(6).toString('hex')}`);
    const place = await findServerPlace(dataFolder, this.options.log);
    const folder = clusterFolder(place.folder);
    const cluster = { ...this.options.cluster, dataDirectory: join(folder, 'data') };
    await this.copyTo(folder, cluster.dataDirectory);
    const ownPort = port ?? (await quietPort());
    const options = { ...this.options, place, cluster, choosePort: () => Promise.resolve(ownPort) };
    const standby = new OwnPostgres(dataFolder, options, await startServer(options));
    await this.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query('SELECT pg_reload_conf()');
    await until('commits wait for the standby', async () => {
      const rows = await this.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
      return rows.length === 1;
    });
    return standby;
  }

  /** The server that it follows must be dead, or both would take writes. Resolves when it takes them. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Copies the cluster while the server works, as the manual describes under "Making a Base Backup Using the Low Level API". */
  private async copyTo(folder: string, dataDirectory: string): Promise<void> {
    const client = new Client(this.url);
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('a standby', true)");
      const from = dirname(this.options.cluster.dataDirectory);
      // What vanishes meanwhile is in the log that the standby reads.
      await promisify(execFile)('cp', ['-a', from, folder]).catch((error: Error) => {
        if (!/No such file or directory/.test(error.message)) {
          throw error;
        }
      });
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      const conninfo = `host=127.0.0.1 port=${this.port} user=${SUPERUSER} password=${this.options.cluster.password}`;
      await writeFile(join(dataDirectory, 'backup_label'), rows[0]?.labelfile ?? '');
      await writeFile(join(dataDirectory, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
      await writeFile(join(dataDirectory, 'standby.signal'), '');
      await rm(join(dataDirectory, 'postmaster.pid'));
    } finally {
      await client.end();
    }
    const { account } = this.options.place;
    for (const name of account ? ['backup_label', 'postgresql.auto.conf', 'standby.signal'] : []) {
      await chown(join(dataDirectory, name), account?.uid ?? 0, account?.gid ?? 0);
    }
  }

  async query(statement: string): Promise<unknown[]> {
    const client = new Client(this.url);
    await client.connect();
    return client
      .query(statement)
      .then(({ rows }) => rows as unknown[])
      .finally(() => client.end());
  }

  /** Stops all its processes where they are, until they are continued. */
  async freeze(): Promise<void> {
    (await this.processIds()).forEach((pid) => process.kill(pid, 'SIGSTOP'));
  }

  async unfreeze(): Promise<void> {
    (await this.processIds()).forEach((pid) => process.kill(pid, 'SIGCONT'));
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
