import type { Client } from 'pg';

/**
 * The tables of a paid call that docs/scaling.md divides by account_id. With them go the tasks, which a call submits. The other
 * divided tables are those of single operations, whose statements name the account as these do.
 */
export const PAID_CALL_TABLES = [
  'balances',
  'access_keys',
  'reservations',
  'ledger_entries',
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

export interface Division {
  /** Into how many shards. */
  count: number;
  /**
   * The foreign servers that have the shards, in their order: then the partitions are the tables of these servers. Null where
   * the partitions are tables of this database.
   */
  servers: readonly string[] | null;
}

/**
 * Puts tables that are partitioned by the hash of account_id in the place of those that the migrations made, without rows.
 * Keys and unique indexes get account_id where they lack it, as they must where a table is divided; where the partitions are
 * elsewhere, keys and indexes are theirs. Triggers are not taken along: whoever wants them here installs the functions again.
 */
export async function divideTables(
  client: Client,
  tables: readonly string[],
  { count, servers }: Division,
): Promise<void> {
  for (const table of tables) {
    const parts = await partsOf(client, table);
    await client.query(`
      ALTER TABLE ${table} RENAME TO whole;
      CREATE TABLE ${table} (LIKE whole INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY INCLUDING GENERATED)
        PARTITION BY HASH (account_id);
      DROP TABLE whole`);
    for (let shard = 0; shard < count; shard += 1) {
      const kind = servers ? 'FOREIGN TABLE' : 'TABLE';
      const place = servers ? `SERVER ${servers[shard]} OPTIONS (table_name '${table}')` : '';
      await client.query(`
        CREATE ${kind} ${partitionName(table, shard)} PARTITION OF ${table}
        FOR VALUES WITH (MODULUS ${count}, REMAINDER ${shard}) ${place}`);
    }
    for (const statement of servers ? [] : parts) {
      await client.query(statement);
    }
  }
}

export function partitionName(table: string, shard: number): string {
  return `${table}_shard_${shard}`;
}

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
