import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { distributeSchemas } from '../../../src/database/distribute';
import { databaseFunctions, migrate } from '../../../src/database/migrate';
import { migrateQueue } from '../../../src/work/queue.module';
import type { TestDatabase } from '../api/test-database';
import { until } from '../until';

export interface CitusDatabase extends TestDatabase {
  /** Asks the coordinator. */
  ask<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  /** The same in each schema of accounts. */
  askInEach(statement: string): Promise<void>;
  /** Cuts off the worker that has a schema of accounts, or lets it be reached again. */
  reach(schema: number, mayBeReached: boolean): Promise<void>;
  /** Moves a schema of accounts to the other worker, while it is written, once Citus has dropped what the move before left. */
  move(schema: number): Promise<void>;
}

interface Node {
  nodename: string;
  nodeport: number;
  is_worker: boolean;
}

/** A database of its own on all servers of the Citus of CITUS_URL, with the accounts in so many distributed schemas. */
export async function createCitusDatabase(schemas: number): Promise<CitusDatabase> {
  const { CITUS_URL: citusUrl = '' } = process.env;
  const name = `test_${randomBytes(8).toString('hex')}`;
  const nodes = await execute<Node>(
    citusUrl,
    `SELECT nodename, nodeport, groupid <> 0 AS is_worker FROM pg_dist_node WHERE isactive ORDER BY groupid`,
  );
  const urls = nodes.map(({ nodename, nodeport }) => addressOf(citusUrl, nodename, nodeport));
  for (const url of urls) {
    await execute(url, `CREATE DATABASE ${name}`);
    await execute(on(url, name), 'CREATE EXTENSION IF NOT EXISTS citus');
  }
  const url = on(citusUrl, name);
  for (const { nodename, nodeport, is_worker } of nodes) {
    const add = is_worker ? 'citus_add_node' : 'citus_set_coordinator_host';
    await execute(url, `SELECT ${add}($1, $2)`, [nodename, nodeport]);
  }
  await migrate(url, databaseFunctions, schemas);
  await migrateQueue(url);
  await distributeSchemas(url);
  const ask = <Row extends object>(statement: string, values?: unknown[]) =>
    execute<Row>(url, statement, values);
  return {
    url,
    ask,
    askInEach: async (statement) => {
      for (let number = 0; number < schemas; number += 1) {
        await execute(`${url}?options=-csearch_path%3Dacc_${number},public`, statement);
      }
    },
    reach: async (schema, mayBeReached) => {
      const [place] = await ask<Node>(PLACE, [`acc_${schema}.balances`]);
      if (!place) {
        throw new Error(`the schema ${schema} is nowhere`);
      }
      const worker = on(addressOf(url, place.nodename, place.nodeport), 'postgres');
      await execute(worker, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${mayBeReached}`);
      if (!mayBeReached) {
        await execute(worker, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          name,
        ]);
      }
    },
    move: async (schema) => {
      await until(
        'no rest of an earlier move',
        async () => (await ask('SELECT FROM pg_dist_cleanup')).length === 0,
      );
      await ask(MOVE, [`acc_${schema}`]);
    },
    drop: async () => {
      // On the coordinator last, whose maintenance would ask the others.
      for (const node of [...urls].reverse()) {
        await execute(node, `DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
  };
}

const PLACE = 'SELECT nodename, nodeport FROM citus_shards WHERE table_name = $1::regclass';

const MOVE = `
  SELECT citus_schema_move(to_regnamespace($1), nodename, nodeport, 'force_logical') FROM pg_dist_node
  WHERE groupid <> 0 AND groupid <> (
    SELECT groupid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) WHERE logicalrelid = to_regclass($1 || '.balances'))
  LIMIT 1`;

function addressOf(url: string, host: string, port: number): string {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  return address.href;
}

function on(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function execute<Row extends object>(
  url: string,
  statement: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
