import { DataSource, type QueryRunner } from 'typeorm';
import { accountSchema, hasCitus, refuseWhileLive } from './account-schemas';
import { withLongStatements } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { shardSchema } from './shard-schema';

/** Copying a schema of millions of rows to a worker takes long. */
const STATEMENT_MS_MAX = 12 * 60 * 60 * 1000;

const SCHEMAS = `SELECT substr(nspname, 5)::integer AS number FROM pg_namespace WHERE nspname ~ '^acc_[0-9]+$'`;

const DISTRIBUTED = `${SCHEMAS} AND oid IN (SELECT schemaid FROM pg_dist_schema) ORDER BY 1`;

const UNDISTRIBUTED = `${SCHEMAS} AND oid NOT IN (SELECT schemaid FROM pg_dist_schema) ORDER BY 1`;

/** Citus could not move their rows: partitions need an identity of their own. */
const WITHOUT_KEY = `
  SELECT c.oid::regclass::text AS name FROM pg_class AS c
  WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`;

/** Statements on workers use these; Citus runs such parts on the coordinator. */
const KNOWN_EVERYWHERE = ['ended_tokens', 'payment_places', 'payment_transfers'];

const MAKE_KNOWN = `
  SELECT citus_add_local_table_to_metadata(oid) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1) AND oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)`;

export class NoCitus extends Error {
  constructor() {
    super(
      'DISTRIBUTE_SCHEMAS is true, and the database is no Citus: run CREATE EXTENSION citus, or leave the setting out.',
    );
  }
}

/**
 * One schema after the other, so that what was done before a failure stays done.
 * @returns the schemas that it has distributed
 * @throws NoCitus, ProcessesLive
 */
export async function distributeSchemas(url: string): Promise<string[]> {
  const main = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    if (!(await hasCitus(main))) {
      throw new NoCitus();
    }
    const left: { number: number }[] = await main.query(UNDISTRIBUTED);
    const schemas = left.map(({ number }) => accountSchema(number));
    await main.query(MAKE_KNOWN, [KNOWN_EVERYWHERE]);
    for (const schema of schemas) {
      await withLongStatements(main, STATEMENT_MS_MAX, (runner) => distribute(runner, schema));
    }
    return schemas;
  } finally {
    await main.destroy();
  }
}

async function distribute(runner: QueryRunner, schema: string): Promise<void> {
  await refuseWhileLive(runner);
  // New accounts keep names themselves: on a worker the trigger finds no table of names.
  await runner.query(`DROP TRIGGER IF EXISTS account_names_keep ON ${schema}.accounts`);
  await runner.query(`CREATE TABLE ${schema}.ledger_processes (LIKE public.processes INCLUDING ALL)`);
  await runner.query(
    `INSERT INTO ${schema}.ledger_processes SELECT * FROM public.processes
     WHERE id IN (SELECT process_id FROM ${schema}.leases UNION SELECT process_id FROM ${schema}.reservations)`,
  );
  const tables: { name: string }[] = await runner.manager.query(WITHOUT_KEY, [schema]);
  for (const { name } of tables) {
    await runner.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
  }
  // Each trigger touches only its own schema.
  await runner.query('SET LOCAL citus.enable_unsafe_triggers = on');
  await runner.query('SELECT citus_schema_distribute(to_regnamespace($1))', [schema]);
}

/**
 * Runs statements one by one, because Citus sends some texts whole to workers. Nobody may work: the views on
 * the tables go until the next process makes them.
 * @throws ProcessesLive
 */
export async function allowChanges(
  runner: QueryRunner,
  lockedMsMax: number,
  areTablesChanged: boolean,
): Promise<void> {
  const { manager } = runner;
  const distributed: { number: number }[] = (await hasCitus(manager)) ? await manager.query(DISTRIBUTED) : [];
  if (distributed.length === 0) {
    return;
  }
  await runner.query(MAKE_KNOWN, [KNOWN_EVERYWHERE]);
  if (areTablesChanged) {
    await refuseWhileLive(runner);
    for (const { number } of distributed) {
      await hide(runner, number);
    }
  }
  await runner.query("SET LOCAL citus.propagate_set_commands = 'local'");
  await runner.query(`SET LOCAL lock_timeout = ${lockedMsMax}`);
  await runner.query("SET LOCAL citus.propagate_set_commands = 'none'");
  await runner.query('SET LOCAL citus.enable_unsafe_triggers = on');
  const query = runner.query.bind(runner) as (text: string, ...rest: unknown[]) => Promise<unknown>;
  runner.query = (async (text: string, ...rest: unknown[]) => {
    let result: unknown;
    for (const statement of statementsOf(text)) {
      result = await query(statement, ...rest);
    }
    return result;
  }) as QueryRunner['query'];
}

async function hide(runner: QueryRunner, number: number): Promise<void> {
  const answers: { success: boolean; result: string }[] = await runner.manager.query(
    'SELECT success, result FROM run_command_on_workers($1)',
    [`DROP SCHEMA IF EXISTS ${shardSchema(number)} CASCADE`],
  );
  const refused = answers.find(({ success }) => !success);
  if (refused) {
    throw new Error(`A worker keeps its views of the schema ${accountSchema(number)}: ${refused.result}`);
  }
}

const STATEMENT = /(?:(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1|'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|[^;])+/gi;

/** Strings must not have backslashes. */
export function statementsOf(text: string): string[] {
  const statements = text.match(STATEMENT) ?? [];
  return statements.filter((statement) => !/^(?:\s|--[^\n]*)*$/.test(statement));
}
