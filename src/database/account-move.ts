import type { EntityManager } from 'typeorm';
import { Conflict, NotFound } from '../errors/api-errors';
import { accountSchema } from './account-schemas';

/** Tables whose rows name a row of another one in the place of an account. Their rows move before those. */
const NAMED_BY: Readonly<Record<string, { column: string; table: string }>> = {
  replaced_secrets: { column: 'key_id', table: 'access_keys' },
  sightings: { column: 'key_id', table: 'access_keys' },
  task_pauses: { column: 'key_id', table: 'access_keys' },
  document_bytes: { column: 'document_id', table: 'documents' },
  document_texts: { column: 'document_id', table: 'documents' },
};

/** What is of a schema and of no account. */
const OF_SCHEMA = ['installed_functions', 'migrations', 'roll_ups', 'room_replicas', 'slow_receivers'];

/** The columns that a row is made of again. The first sums that a process makes with moved calls begin with this transaction. */
const COLUMNS = `
  SELECT c.relname AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns,
    string_agg(CASE
      WHEN c.relname = 'calls' AND attname = 'written_by' THEN 'CASE WHEN written_by >= $2 THEN pg_current_xact_id() END'
      WHEN c.relname = 'rag_vectors' AND attname = 'written' THEN 'pg_current_xact_id()'
      ELSE quote_ident(attname) END, ', ' ORDER BY attnum) AS values
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($2)
  GROUP BY c.relname`;

interface Table {
  name: string;
  columns: string;
  values: string;
}

interface Sums {
  rolled_to: string;
  hours_from: string;
  ledger_days_to: string;
}

const BOOKS = `
  SELECT balance_nano = coalesce((SELECT sum(amount_nano) FROM %s.ledger_entries WHERE account_id = $1), 0)
    + coalesce((SELECT sum(amount_nano) FROM %s.carried_charges WHERE account_id = $1), 0) AS are_right, balance_nano
  FROM %s.balances WHERE account_id = $1 AND reserved_nano = 0
    AND NOT EXISTS (SELECT FROM %s.leases WHERE account_id = $1 AND amount_nano > 0)`;

/** Somebody still holds credit of the account; a moment later nobody may. */
export class StillReserved extends Error {}

/** Sums that a row of the same key adds to: calls that came after their account's were summed where they were. */
const ADDED: Readonly<Record<string, string>> = {
  usage_hours: added('usage_hours_key', ['requests', 'successful', 'tokens', 'cost_nano']),
  usage_days: added('usage_days_key', ['requests', 'successful', 'tokens', 'cost_nano']),
  ledger_hours: `${added('ledger_hours_pkey', ['entries', 'amount_nano'])},
    first_position = least(t.first_position, excluded.first_position),
    last_position = greatest(t.last_position, excluded.last_position)`,
};

function added(constraint: string, columns: readonly string[]): string {
  const sums = columns.map((column) => `${column} = t.${column} + excluded.${column}`);
  return `ON CONFLICT ON CONSTRAINT ${constraint} DO UPDATE SET ${sums.join(', ')}`;
}

/**
 * Moves all rows of an account from one schema to another. Triggers and foreign keys rest meanwhile: rows change their place and
 * nothing else. Nobody may work for the account; a row that somebody writes all the same stays behind and can be moved later.
 *
 * Locks roll_ups of both schemas, the balance and all rows of the account until the transaction of the manager ends.
 * @returns how many rows were moved
 * @param deadlineMs when it is given up, by performance.now()
 * @throws StillReserved; NotFound; Conflict where it takes too long, its books do not balance, or the sums of both schemas go to
 *   different days
 * @throws the error of Postgres, also where the role may not set session_replication_role
 */
export async function moveRows(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
  deadlineMs: number,
): Promise<number> {
  const [source, target] = [accountSchema(from), accountSchema(to)];
  await manager.query('SET LOCAL session_replication_role = replica');
  const sums = await lockedSums(manager, from, to);
  // Whoever gives credit has the balance locked until its entry is there.
  await manager.query(`SELECT FROM ${source}.balances WHERE account_id = $1 FOR UPDATE`, [accountId]);
  const before = await balanceOf(manager, source, accountId);
  const moved = await moveTables(manager, accountId, {
    source,
    target,
    rolledTo: sums.rolled_to,
    deadlineMs,
  });
  await manager.query(
    `INSERT INTO ${target}.carried_charges AS carried (account_id, amount_nano, summed_nano)
     SELECT $1::uuid, 0, coalesce(-sum(charged_nano), 0) FROM ${target}.calls
     WHERE account_id = $1 AND position IS NOT NULL AND written_by IS NULL
     ON CONFLICT (account_id) DO UPDATE SET summed_nano = excluded.summed_nano`,
    [accountId],
  );
  await numberBeyond(manager, source, target);
  if ((await balanceOf(manager, target, accountId)) !== before) {
    throw new Conflict('The balance would have changed; nothing was moved.');
  }
  return moved;
}

/** Moves what was written to a schema that the account has left. @returns how many rows */
export async function moveStrays(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
): Promise<number> {
  await manager.query('SET LOCAL session_replication_role = replica');
  const { rolled_to: rolledTo } = await lockedSums(manager, from, to);
  const [source, target] = [accountSchema(from), accountSchema(to)];
  const otherwise = 'ON CONFLICT DO NOTHING';
  return moveTables(manager, accountId, { source, target, rolledTo, deadlineMs: Infinity, otherwise });
}

interface TablesMove {
  source: string;
  target: string;
  rolledTo: string;
  deadlineMs: number;
  /** What becomes of a row that is there already. */
  otherwise?: string;
}

async function moveTables(
  manager: EntityManager,
  accountId: string,
  { source, target, rolledTo, deadlineMs, otherwise = '' }: TablesMove,
): Promise<number> {
  const tables: Table[] = await manager.query(COLUMNS, [source, OF_SCHEMA]);
  const named = tables.filter(({ name }) => name in NAMED_BY);
  let moved = 0;
  for (const { name, columns, values } of [...named, ...tables.filter((table) => !named.includes(table))]) {
    if (performance.now() > deadlineMs) {
      throw new Conflict('The account has more rows than can be moved within seconds; nothing was moved.');
    }
    const usesSums = values.includes('$2');
    const [row]: { rows: string }[] = await manager.query(
      `WITH moved AS (DELETE FROM ${source}.${name} WHERE ${conditionOf(name, source, target)} RETURNING *), placed AS (
         INSERT INTO ${target}.${name} AS t (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM moved
         ${ADDED[name] ?? otherwise} RETURNING 1
       ) SELECT count(*) AS rows FROM placed`,
      usesSums ? [accountId, rolledTo] : [accountId],
    );
    moved += Number(row?.rows);
  }
  return moved;
}

function conditionOf(table: string, source: string, target: string): string {
  const named = NAMED_BY[table];
  if (!named) {
    return table === 'accounts' ? 'id = $1' : 'account_id = $1';
  }
  const ids = [source, target].map(
    (schema) => `SELECT id FROM ${schema}.${named.table} WHERE account_id = $1`,
  );
  return `${named.column} IN (${ids.join(' UNION ALL ')})`;
}

/** @returns how far the sums of the schema go that the account is in */
async function lockedSums(manager: EntityManager, from: number, to: number): Promise<Sums> {
  const sums = new Map<number, Sums>();
  for (const number of [from, to].toSorted((a, b) => a - b)) {
    const [row]: [Sums] = await manager.query(
      `SELECT rolled_to, hours_from::text, ledger_days_to::text FROM ${accountSchema(number)}.roll_ups FOR UPDATE`,
    );
    sums.set(number, row);
  }
  const [source, target] = [sums.get(from), sums.get(to)];
  if (
    !source ||
    source.hours_from !== target?.hours_from ||
    source.ledger_days_to !== target.ledger_days_to
  ) {
    throw new Conflict('The sums of the two schemas go to different days; try again in an hour.');
  }
  return source;
}

/** In nano-USD. @throws StillReserved, NotFound, Conflict */
async function balanceOf(manager: EntityManager, schema: string, accountId: string): Promise<string> {
  const [row]: { are_right: boolean; balance_nano: string }[] = await manager.query(
    BOOKS.replaceAll('%s', schema),
    [accountId],
  );
  if (!row) {
    const found: unknown[] = await manager.query(`SELECT FROM ${schema}.accounts WHERE id = $1`, [accountId]);
    throw found.length > 0 ? new StillReserved() : new NotFound('account');
  }
  if (!row.are_right) {
    throw new Conflict('The balance is not the sum of its entries; nothing was moved.');
  }
  return row.balance_nano;
}

/** Positions grow within an account, so the numbers of the new schema have to go on beyond those of the old one. */
async function numberBeyond(manager: EntityManager, source: string, target: string): Promise<void> {
  await manager.query(
    `SELECT setval(t.seqrelid::regclass, s.reached + ${NUMBERS_AHEAD}) FROM (
       SELECT relname, pg_sequence_last_value(c.oid) AS reached FROM pg_class AS c
       WHERE relnamespace = '${source}'::regnamespace AND relkind = 'S' AND relname <> 'migrations_id_seq'
     ) AS s
     JOIN pg_class AS c ON c.relname = s.relname AND c.relnamespace = '${target}'::regnamespace
     JOIN pg_sequence AS t ON t.seqrelid = c.oid
     WHERE s.reached > coalesce(pg_sequence_last_value(c.oid), 0)`,
  );
}

/** More than others take between the moment in which a sequence is looked at and that in which it is set. */
const NUMBERS_AHEAD = 1_000_000;
