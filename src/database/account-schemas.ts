import type { EntityManager, QueryRunner } from 'typeorm';
import { countOf } from './bounded-statements';

export const ALL_ACCOUNTS_SCHEMA = 'everyone';

/** All other tables are in each schema of accounts. */
export const INSTALLATION_TABLES: readonly string[] = [
  'account_names',
  'account_routes',
  'call_traces',
  'chain_watches',
  'ended_tokens',
  'payment_places',
  'payment_transfers',
  'processes',
];

/**
 * Names that are unique over all schemas, and routes of accounts that are not where their ids say. Until
 * moving_until (this server's clock) no call begins; a growing `version` shows late answers.
 */
const OVER_SCHEMAS = `
  CREATE TABLE account_routes (
    account_id uuid PRIMARY KEY,
    schema integer NOT NULL,
    moving_until timestamptz,
    version bigint NOT NULL DEFAULT 1
  );
  CREATE TABLE account_names (account_id uuid PRIMARY KEY, email text NOT NULL, username text NOT NULL);
  CREATE UNIQUE INDEX accounts_email ON account_names (email);
  CREATE UNIQUE INDEX accounts_username ON account_names (lower(username));
  CREATE FUNCTION account_names_keep() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM public.account_names WHERE account_id = OLD.id;
    ELSE
      INSERT INTO public.account_names VALUES (NEW.id, NEW.email, NEW.username)
      ON CONFLICT (account_id) DO UPDATE SET email = excluded.email, username = excluded.username;
    END IF;
    RETURN NULL;
  END $$;
  INSERT INTO account_names SELECT id, email, username FROM acc_0.accounts`;

const KEEP_NAMES = `
  CREATE TRIGGER account_names_keep AFTER INSERT OR UPDATE OF email, username OR DELETE ON accounts
    FOR EACH ROW EXECUTE FUNCTION public.account_names_keep()`;

export function accountSchema(number: number): string {
  return `acc_${number}`;
}

export class WrongSchemaCount extends Error {
  constructor(present: number, configured: number) {
    super(
      `The accounts of the database are in ${present} schemas, and ACCOUNT_SCHEMAS is ${configured}. ` +
        (configured < present
          ? `There may be more of them, but never fewer: set it to ${present} or more.`
          : 'Start a process with ROLE=migrate and the new number first: it makes the others and ends.'),
    );
  }
}

/** 1 where the tables of accounts are those of `public`. */
export async function countSchemas(manager: Pick<EntityManager, 'query'>): Promise<number> {
  return Math.max(1, await countOf(manager, `pg_namespace WHERE nspname ~ '^acc_[0-9]+$'`));
}

export async function hasCitus(manager: Pick<EntityManager, 'query'>): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    "SELECT FROM pg_class WHERE oid = to_regclass('pg_catalog.pg_dist_schema')",
  );
  return rows.length > 0;
}

/** Schemas are made while no process works: it would miss what others put there. */
export class ProcessesLive extends Error {
  constructor(count: number) {
    super(
      `Schemas of accounts can't be made or changed so while ${count} processes of the service run: stop them first.`,
    );
  }
}

/** @throws ProcessesLive */
export async function refuseWhileLive(runner: QueryRunner): Promise<void> {
  const live = await countOf(runner.manager, 'processes WHERE valid_until > clock_timestamp()');
  if (live > 0) {
    throw new ProcessesLive(live);
  }
}

/** Moves the tables of accounts and their migrations to their own schema, without copying. */
export async function moveIntoFirst(runner: QueryRunner): Promise<void> {
  const schema = accountSchema(0);
  if ((await runner.getCurrentSchema()) !== 'public') {
    throw new Error('Accounts can be divided only where the tables of the service are in the schema public.');
  }
  await runner.query(`CREATE SCHEMA ${schema}`);
  await runner.query(
    'ALTER TABLE payment_transfers DROP CONSTRAINT IF EXISTS payment_transfers_payment_id_fkey',
  );
  for (const { kind, name } of await moved(runner)) {
    await runner.query(`ALTER ${kind} public.${name} SET SCHEMA ${schema}`);
  }
  await runner.query(OVER_SCHEMAS);
  await within(runner, schema, () => runner.query(KEEP_NAMES));
}

function moved({ manager }: QueryRunner): Promise<{ kind: string; name: string }[]> {
  return manager.query(
    `SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind, quote_ident(relname) AS name FROM pg_class AS c
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND relname <> ALL($1)
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
     UNION ALL
     SELECT 'ROUTINE', p.oid::regprocedure::text FROM pg_proc AS p WHERE pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
     UNION ALL
     SELECT 'TYPE', quote_ident(typname) FROM pg_type AS t LEFT JOIN pg_class AS c ON c.oid = t.typrelid
     WHERE typnamespace = 'public'::regnamespace AND (c.relkind = 'c' OR (t.typtype IN ('e', 'd')))
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = t.oid AND deptype = 'e')`,
    [INSTALLATION_TABLES],
  );
}

/** Drops installation tables that `build` has made in a new schema: they would hide the real ones. */
export async function completeSchema(runner: QueryRunner): Promise<void> {
  const own = INSTALLATION_TABLES.filter((table) => !['account_names', 'account_routes'].includes(table));
  const schema = await runner.getCurrentSchema();
  await runner.query(`DROP TABLE ${own.map((table) => `${schema}.${table}`).join(', ')}`);
  await runner.query(KEEP_NAMES);
  // Sums as far as the others': accounts can only be moved between such schemas.
  await runner.query(
    `UPDATE roll_ups SET (hours_from, ledger_days_to) = (SELECT hours_from, ledger_days_to FROM ${accountSchema(0)}.roll_ups)`,
  );
}

export async function within<Result>(
  runner: QueryRunner,
  schema: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const [own]: { search_path: string }[] = await runner.manager.query('SHOW search_path');
  await runner.query(`SET LOCAL search_path TO ${schema}, ${own?.search_path}`);
  const result = await work();
  await runner.query(`SET LOCAL search_path TO ${own?.search_path}`);
  return result;
}

export async function hideEveryone(runner: QueryRunner): Promise<void> {
  await runner.query(`DROP SCHEMA IF EXISTS ${ALL_ACCOUNTS_SCHEMA} CASCADE`);
}

/** Without pgvector's column: a new schema has it only when a process starts. */
export async function showEveryone(runner: QueryRunner, schemas: number): Promise<void> {
  await runner.query(`CREATE SCHEMA ${ALL_ACCOUNTS_SCHEMA}`);
  const tables: { name: string; columns: string }[] = await runner.manager.query(
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns JOIN pg_class AS c ON c.oid = format('%I.%I', table_schema, table_name)::regclass
     WHERE table_schema = '${accountSchema(0)}' AND NOT relispartition AND udt_name <> 'vector' GROUP BY table_name`,
  );
  for (const { name, columns } of tables) {
    const parts = Array.from(
      { length: schemas },
      (_, number) => `SELECT ${columns} FROM ${accountSchema(number)}.${name}`,
    );
    await runner.query(`CREATE VIEW ${ALL_ACCOUNTS_SCHEMA}.${name} AS ${parts.join(' UNION ALL ')}`);
  }
}
