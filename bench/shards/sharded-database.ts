import { randomBytes } from 'node:crypto';
import { databaseFunctions } from '../../src/database-functions';
import { migrate } from '../../src/database/migrate';
import { withClient } from '../bench-postgres';
import { divideTables, PAID_CALL_TABLES } from './divide-tables';
import type { ShardServers } from './shard-servers';

/** The role by which the coordinator comes to the shards, so that its statements are told from those that are sent to them. */
export const COORDINATOR_ROLE = 'coordinator';

/** postgres_fdw empties the search path of its sessions, and these look up tables there. */
const TRIGGER_FUNCTIONS = ['usage_hours_add', 'usage_hours_change', 'ledger_hours_add', 'events_wake'];

/** One database over several servers. */
export interface ShardedDatabase {
  coordinator: string;
  shards: string[];
}

/**
 * Makes a database on the coordinator and on the first `count` shards, all with the service's schema and functions. On the
 * coordinator the tables of a paid call are partitioned by the hash of account_id, and their partitions are the shards'
 * tables, through postgres_fdw.
 */
export async function createShardedDatabase(servers: ShardServers, count: number): Promise<ShardedDatabase> {
  const name = `over_${count}`;
  const [coordinator = '', ...shards] = await Promise.all(
    [servers.coordinator, ...servers.shards.slice(0, count)].map((url) => createMigrated(url, name)),
  );
  const password = randomBytes(16).toString('hex');
  await Promise.all(shards.map((url) => admitCoordinator(url, password)));
  await withClient(coordinator, async (client) => {
    await client.query('CREATE EXTENSION postgres_fdw');
    for (const [shard, url] of shards.entries()) {
      const { hostname, port } = new URL(url);
      await client.query(`
        CREATE SERVER shard_${shard} FOREIGN DATA WRAPPER postgres_fdw
          OPTIONS (host '${hostname}', port '${port}', dbname '${name}');
        CREATE USER MAPPING FOR CURRENT_USER SERVER shard_${shard}
          OPTIONS (user '${COORDINATOR_ROLE}', password '${password}')`);
    }
    await divideTables(client, PAID_CALL_TABLES, {
      count,
      servers: shards.map((_, shard) => `shard_${shard}`),
    });
  });
  return { coordinator, shards };
}

async function createMigrated(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(`/${name}`, serverUrl).href;
  await migrate(url, databaseFunctions);
  await withClient(url, (client) => client.query('CREATE EXTENSION pg_stat_statements'));
  return url;
}

async function admitCoordinator(url: string, password: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [COORDINATOR_ROLE]);
    await client.query(`
      ${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${COORDINATOR_ROLE} LOGIN PASSWORD '${password}';
      GRANT ALL ON ALL TABLES IN SCHEMA public TO ${COORDINATOR_ROLE};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${COORDINATOR_ROLE}`);
    for (const name of TRIGGER_FUNCTIONS) {
      await client.query(`ALTER FUNCTION ${name} SET search_path = public`);
    }
  });
}
