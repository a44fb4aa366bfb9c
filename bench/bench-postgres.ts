import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/database/embedded/server';
import { OTHERS_CPU, pin } from './pinning';
import { childrenOf, parentOf } from './process-figures';

/** One embedded Postgres, as durable as in service, with a database for every target that needs one. */
export interface BenchPostgres {
  version: string;
  /** The folder with its files. */
  folder: string;
  /**
   * The id of the server's first process, whose children serve the connections; null where the system does not tell.
   */
  pid: number | null;
  /** Makes an empty database and returns its connection string, by the way that a service of embedded mode takes. */
  createDatabase(name: string, by?: 'Unix socket' | 'TCP'): Promise<string>;
  /** Keeps all processes of the server, also later ones, on the processor that they share with the load. */
  pin(): void;
  /** Ends the server; its files go with this process. */
  stop(): Promise<void>;
}

export async function startBenchPostgres(log: (message: string) => void): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  // When root runs the benchmark, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  // Removed however this process ends, because the files may be gigabytes. Postgres may still be writing then, hence
  // retries.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const server = await startEmbeddedPostgres({ dataFolder: folder, log });
  const url = server.socketUrl;
  const { version, pid } = await identify(url);
  return {
    version,
    folder,
    pid,
    createDatabase: async (name, by = 'Unix socket') => {
      await withClient(url, (client) => client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`));
      return new URL(`/${name}`, by === 'TCP' ? server.url : url).href;
    },
    pin: () => {
      if (pid !== null) {
        [pid, ...childrenOf(pid)].forEach((process) => pin(OTHERS_CPU, process));
      }
    },
    stop: () => server.stop(),
  };
}

/** Runs work on a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  // A connection that breaks also fails the query that runs on it, and that is where the error is reported.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function identify(url: string): Promise<{ version: string; pid: number | null }> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ version: string; pid: number }>(
      "SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid",
    );
    return { version: rows[0]?.version ?? 'unknown', pid: parentOf(rows[0]?.pid ?? 0) };
  });
}
