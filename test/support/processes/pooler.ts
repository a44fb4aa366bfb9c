import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { quietPort } from '../../../src/database/embedded/server';
import { until } from '../until';

/** Debian's `nobody`: PgBouncer does not run as root. */
const UNPRIVILEGED = 65_534;
/** For each database. */
const POOL_SIZE = 20;

/** A PgBouncer before a server of Postgres, which gives each transaction whatever session is free. */
export class Pooler {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    private readonly port: number,
  ) {}

  /** @param postgresUrl any database of the server, by the role that all connections have */
  static async start(command: string, postgresUrl: string): Promise<Pooler> {
    const { hostname, port: postgresPort, username, password } = new URL(postgresUrl);
    const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
    const port = await quietPort();
    const users = join(folder, 'users.txt');
    writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
    const settings = join(folder, 'pgbouncer.ini');
    writeFileSync(
      settings,
      [
        '[databases]',
        `* = host=${hostname} port=${postgresPort}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = trust',
        `auth_file = ${users}`,
        'pool_mode = transaction',
        `default_pool_size = ${POOL_SIZE}`,
        'max_client_conn = 1000',
        'server_idle_timeout = 5',
        'server_login_retry = 1',
      ].join('\n'),
    );
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      [folder, users, settings].forEach((path) => chownSync(path, UNPRIVILEGED, UNPRIVILEGED));
    }
    chmodSync(users, 0o600);
    const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    const server = spawn(command, ['-q', settings], { ...user, cwd: folder, stdio: 'ignore' });
    const started = new Pooler(folder, server, port);
    await until('the pooler answers', () => answers(started.urlOf(postgresUrl))).catch(
      async (error: unknown) => {
        await started.stop();
        throw error;
      },
    );
    return started;
  }

  /** The address of a database through the pooler. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGINT');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client(url);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
