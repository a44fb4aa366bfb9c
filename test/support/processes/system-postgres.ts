import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { quietPort } from '../../../src/database/embedded/server';
import { until } from '../until';

/** Debian's `nobody`: Postgres does not run as root. */
const UNPRIVILEGED = 65_534;

/** A server of the Postgres that is installed on the machine, for what the embedded one has no programs for. */
export class SystemPostgres {
  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
    private readonly port: number,
  ) {}

  /** jest.config.js leaves out the files that need it where the machine has none. */
  static async start(): Promise<SystemPostgres> {
    const { postgresPrograms: programs = '' } = globalThis as { postgresPrograms?: string };
    const folder = mkdtempSync(join(tmpdir(), 'system-postgres-'));
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    if (isRoot) {
      chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
    }
    const data = join(folder, 'data');
    const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await promisify(execFile)(join(programs, 'initdb'), ['-D', data, ...how], { ...user, cwd: folder });
    const port = await quietPort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    const started = new SystemPostgres(programs, folder, server, port);
    await until('Postgres answers', () =>
      started.query('postgres', 'SELECT 1').then(
        () => true,
        () => false,
      ),
    ).catch(async (error: unknown) => {
      await started.stop();
      throw error;
    });
    return started;
  }

  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async query(database: string, statement: string): Promise<void> {
    const client = new Client(this.urlOf(database));
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }

  /** Runs one of its client programs to its end. @throws its error output */
  async run(program: 'pg_dump' | 'pg_restore', ...parameters: string[]): Promise<void> {
    await promisify(execFile)(join(this.programs, program), parameters);
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
