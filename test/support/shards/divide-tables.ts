import type { Client } from 'pg';

/**
 * The tables of a paid call that docs/scaling.md divides by account_id. With them go the tasks, which a call submits. The other
 * divided tables are those of single operations, whose statements name the account as these do.
 */
export const PAID_CALL_TABLES = [
  'balances',
  'access_keys',
  'leases',
  'reservations',
  'credits',
  'ledger_hours',
  'calls',
  'usage_hours',
  'usage_days',
  'idempotency_claims',
  'event_subscriptions',
  'event_marks',
  'events',
  'tasks',
] as const;

export type PaidCallTable = (typeof PAID_CALL_TABLES)[number];

/**
 * Puts tables that are partitioned by the hash of account_id in the place of those that the migrations made, without rows.
 * Keys and unique indexes get account_id where they lack it, as they must where a table is divided. Triggers are not taken along: whoever wants them here installs the functions again.
 */
export async function divideTables(client: Client, tables: readonly string[], count: number): Promise<void> {
  for (const table of tables) {
    const parts = await partsOf(client, table);
    const sequences = await sequencesOf(client, table);
    await client.query(`
      ALTER TABLE ${table} RENAME TO whole;
      CREATE TABLE ${table} (LIKE whole INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY INCLUDING GENERATED)
        PARTITION BY HASH (account_id);
      DROP TABLE whole`);
    await keepNames(client, table, sequences);
    for (let shard = 0; shard < count; shard += 1) {
      await client.query(`
        CREATE TABLE ${partitionName(table, shard)} PARTITION OF ${table}
        FOR VALUES WITH (MODULUS ${count}, REMAINDER ${shard})`);
    }
    for (const statement of parts) {
      await client.query(statement);
    }
  }
}

export function partitionName(table: string, shard: number): string {
  return `${table}_shard_${shard}`;
}

interface OwnedSequence {
  column: string;
  sequence: string;
}

async function sequencesOf(client: Client, table: string): Promise<OwnedSequence[]> {
  const { rows } = await client.query<OwnedSequence>(SEQUENCES, [table]);
  return rows;
}

/** Functions name the sequences of identity columns, and the sequences went with the whole table. */
async function keepNames(client: Client, table: string, before: readonly OwnedSequence[]): Promise<void> {
  for (const { column, sequence } of await sequencesOf(client, table)) {
    const name = before.find((other) => other.column === column)?.sequence;
    if (name !== undefined && name !== sequence) {
      await client.query(`ALTER SEQUENCE ${sequence} RENAME TO ${name}`);
    }
  }
}

const SEQUENCES = `
  SELECT attname AS column, pg_get_serial_sequence($1, attname)::regclass::text AS sequence
  FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`;

/** The statements that give a divided table the keys, foreign keys and indexes of the whole one. */
async function partsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ definition: string; is_unique: boolean }>(PARTS, [table]);
  return rows.map(({ definition, is_unique: isUnique }) =>
    isUnique && !/\([^)]*\baccount_id\b[^)]*\)/.test(definition)
      ? definition.replace(/\(([^)]*)\)/, '($1, account_id)')
      : definition,
  );
}

const PARTS = `
  SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', $1::text, conname, pg_get_constraintdef(oid)) AS definition,
    contype <> 'f' AS is_unique
  FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'f')
  UNION ALL
  SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), i.indisunique
  FROM pg_index AS i
  WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`;
