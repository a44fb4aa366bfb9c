import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/database/embedded/server';
import { withClient } from '../bench-postgres';

/** Several Postgres servers, each with files, memory and processes of its own: one coordinator, and the shards. */
export interface ShardServers {
  version: string;
  /** The address of the coordinator's first database. */
  coordinator: string;
  /** The addresses of the shards' first databases. */
  shards: string[];
  /** Ends the servers and removes their files. */
  stop(): Promise<void>;
}

/**
 * @param count how many shards there are beside the coordinator
 * @param durable whether commits reach the disk, as in service
 */
export async function startShardServers(
  count: number,
  durable: boolean,
  log: (message: string) => void,
): Promise<ShardServers> {
  const folder = mkdtempSync(join(tmpdir(), 'shards-'));
  // When root runs this, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const servers: EmbeddedPostgres[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const starts = Array.from({ length: count + 1 }, async (_, number) => {
      const server = await startCounting({ dataFolder: join(folder, String(number)), durable, log });
      servers.push(server);
      return server.url;
    });
    // All have ended, one way or the other, before any is stopped.
    await Promise.allSettled(starts);
    const [coordinator = '', ...shards] = await Promise.all(starts);
    const version = await withClient(coordinator, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? 'unknown';
    });
    return { version, coordinator, shards, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that counts its statements: pg_stat_statements has to be loaded when it starts. */
async function startCounting(
  options: Parameters<typeof startEmbeddedPostgres>[0],
): Promise<EmbeddedPostgres> {
  const first = await startEmbeddedPostgres(options);
  await withClient(first.url, (client) =>
    client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`),
  ).finally(() => first.stop());
  return startEmbeddedPostgres(options);
}
