import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AccountRows, type ListQuery, type BoundedRowPage } from '../accounts/account-rows';
import { AccountDatabases } from '../database/account-databases';
import { boundedPage, type BoundedPage, pageOf } from '../database/bounded-statements';
import { newId } from '../runtime/ids';
import { detectLanguage } from '../text/detect-language';
import { searchableKey, searchableText, stemmingConfiguration } from '../text/searchable-text';
import { eachOf, rankedByWords, SAMPLED_BY_ID } from './full-text-search';

@Entity('memories')
export class MemoryEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') namespace!: string;
  @Column('text') key!: string;
  @Column('text') value!: string;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
}

const NAMESPACES_MAX = 1000;
const CANDIDATES_MAX = 100;
const COUNTED_MAX = 10_000;
const SWEEP_BATCHES = { sizeMax: 500, batchesMax: 100 };

export interface MemoryFields {
  namespace: string;
  key: string;
  value: string;
  metadata: Record<string, unknown>;
  /** Null for never. */
  ttlSeconds: number | null;
}

export interface MemoryFilter {
  namespace: string | null;
  keys: string[] | null;
  keyPrefix: string | null;
  metadata: Record<string, unknown> | null;
}

interface RankedMemory {
  memory: MemoryEntity;
  /** A BM25 score, comparable only within the same search. */
  score: number;
}

interface NamespaceTotals {
  namespace: string;
  memories: number;
  bytes: number;
}

/** Sizes are those of the values, in bytes of UTF-8. */
interface MemoryTotals {
  memories: number;
  bytes: number;
  namespaces: NamespaceTotals[];
  oldestAt: Date | null;
  newestAt: Date | null;
}

@Injectable()
export class MemoriesRepository {
  private readonly rows: AccountRows<MemoryEntity>;

  constructor(private readonly databases: AccountDatabases) {
    this.rows = new AccountRows(databases, MemoryEntity, { name: 'memory', size: SIZE });
  }

  /** The last of equal names is stored. Rows are locked in the order of names, so that batches never deadlock. */
  async upsert(
    accountId: string,
    items: MemoryFields[],
    now: Date,
  ): Promise<(MemoryEntity & { isNew: boolean })[]> {
    const distinct = [...new Map(items.map((item) => [nameOf(item), item])).values()];
    const sorted = distinct
      .map((item) => ({ ...item, id: newId() }))
      .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.key, b.key));
    const database = this.databases.of(accountId);
    const records: MemoryEntity[] = await database.query(UPSERT, [
      accountId,
      now,
      sorted.map(({ id }) => id),
      sorted.map(({ namespace }) => namespace),
      sorted.map(({ key }) => key),
      sorted.map(({ value }) => value),
      sorted.map(({ metadata }) => JSON.stringify(metadata)),
      sorted.map(({ ttlSeconds }) =>
        ttlSeconds === null ? null : new Date(now.getTime() + ttlSeconds * 1000),
      ),
      sorted.map(({ key }) => searchableKey(key)),
      sorted.map(({ value }) => searchableText(value)),
      sorted.map(({ value }) => stemmingConfiguration(detectLanguage(value))),
    ]);
    const newIds = new Set(sorted.map(({ id }) => id));
    const byName = new Map(records.map((record) => [nameOf(record), record]));
    return items.map((item) => {
      const record = byName.get(nameOf(item));
      if (!record) {
        throw new Error('a stored memory was not returned');
      }
      return { ...record, isNew: newIds.has(record.id) };
    });
  }

  /** Null also for an expired one whose row is not deleted yet. */
  async find(accountId: string, id: string, now: Date): Promise<MemoryEntity | null> {
    const memory = await this.rows.find(accountId, id);
    return memory?.expiresAt && memory.expiresAt <= now ? null : memory;
  }

  async query(
    accountId: string,
    { namespace, keys, keyPrefix, metadata }: MemoryFilter,
    page: ListQuery & { now: Date },
  ): Promise<BoundedRowPage<MemoryEntity>> {
    return this.rows.list(accountId, page, {
      '(expires_at IS NULL OR expires_at > $)': page.now,
      'namespace = $': namespace,
      'metadata @> $': metadata && JSON.stringify(metadata),
      'key = ANY ($)': keys,
      'starts_with(key, $)': keyPrefix,
    });
  }

  /** The best first, up to 1 MiB of JSON. Stop words ("the", "of") and punctuation do not count as words. */
  async search(
    accountId: string,
    { namespace, metadata }: Pick<MemoryFilter, 'namespace' | 'metadata'>,
    search: { query: string; limit: number; now: Date },
  ): Promise<BoundedPage<RankedMemory>> {
    const database = this.databases.of(accountId);
    const rows: (MemoryEntity & { score: number; listed: number })[] = await database.query(SEARCH, [
      accountId,
      search.now,
      namespace,
      metadata && JSON.stringify(metadata),
      searchableText(search.query),
      search.limit,
    ]);
    const { items, isTruncated } = pageOf<MemoryEntity & { score: number }>(rows);
    return { items: items.map(({ score, ...memory }) => ({ memory, score })), isTruncated };
  }

  async totals(accountId: string, now: Date): Promise<MemoryTotals> {
    const [{ memories, bytes, oldestAt, newestAt }, ...namespaces]: [MemoryTotals, ...NamespaceTotals[]] =
      await this.databases.of(accountId).query(TOTALS, [accountId, now, NAMESPACES_MAX + 1]);
    return { memories, bytes, namespaces, oldestAt, newestAt };
  }

  /** At most 50,000 per schema. Skips locked rows, so that every replica may run it. */
  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    return this.databases.deleteInEach(REMOVE_EXPIRED, now, { ...SWEEP_BATCHES, signal });
  }
}

const COLUMNS = `id, account_id AS "accountId", namespace, key, value, metadata,
  created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt"`;

const LIVING = 'account_id = $1 AND (expires_at IS NULL OR expires_at > $2)';
const FILTERED = `${LIVING} AND ($3::text IS NULL OR namespace = $3) AND ($4::jsonb IS NULL OR metadata @> $4)`;

// Clocks of replicas differ: a replica that is behind must not set updated_at below created_at.
const UPSERT = `
  INSERT INTO memories AS m
    (id, account_id, namespace, key, value, metadata, expires_at, created_at, updated_at, search)
  SELECT id, $1, namespace, key, value, metadata::jsonb, expires_at, $2, $2,
    setweight(to_tsvector('pg_catalog.english', key_words), 'A') || to_tsvector(configuration::regconfig, value_words)
  FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[],
      $11::text[])
    WITH ORDINALITY
    AS item (id, namespace, key, value, metadata, expires_at, key_words, value_words,
      configuration, position)
  ORDER BY position
  ON CONFLICT (account_id, namespace, key) DO UPDATE SET
    id = CASE WHEN m.expires_at <= $2 THEN excluded.id ELSE m.id END,
    created_at = CASE WHEN m.expires_at <= $2 THEN excluded.created_at ELSE m.created_at END,
    value = excluded.value, metadata = excluded.metadata, search = excluded.search,
    expires_at = excluded.expires_at, updated_at = greatest(excluded.updated_at, m.updated_at)
  RETURNING ${COLUMNS}`;

/** Ids, times and the names of the members take less than 320 bytes. A text may take six times its size as JSON. */
const SIZE = {
  storedBytes: 'octet_length(value)',
  jsonBytes: `octet_length(to_json(value)::text) + octet_length(to_json(key)::text)
    + octet_length(to_json(namespace)::text) + octet_length(metadata::text) + 320`,
};

const RANKED = rankedByWords({
  table: 'memories',
  chosen: FILTERED,
  filtered: '$3::text IS NOT NULL OR $4::jsonb IS NOT NULL',
  sampled: SAMPLED_BY_ID,
  total: `(SELECT count(*) FROM (SELECT FROM memories WHERE ${FILTERED} LIMIT ${COUNTED_MAX}) AS counted)`,
  words: '$5',
  candidatesMax: CANDIDATES_MAX,
});
const SEARCH = `
  WITH ${RANKED}, best AS (
    SELECT by_key.*, score FROM ${eachOf('scores', 'memories')} ORDER BY score DESC, by_key.id LIMIT $6
  )
  ${boundedPage({ ...SIZE, rows: 'SELECT * FROM best', order: 'score DESC, id', columns: `${COLUMNS}, score` })}`;

const TOTALS = `
  SELECT namespace, count(*)::float8 AS memories, coalesce(sum(octet_length(value)), 0)::float8 AS bytes,
    min(created_at) AS "oldestAt", max(updated_at) AS "newestAt"
  FROM memories WHERE ${LIVING}
  GROUP BY GROUPING SETS ((), (namespace))
  ORDER BY grouping(namespace) DESC, count(*) DESC, namespace LIMIT $3`;

const REMOVE_EXPIRED = `
  DELETE FROM memories WHERE id IN (
    SELECT id FROM memories WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** As JSON, because a namespace or key may contain any separator. */
function nameOf({ namespace, key }: { namespace: string; key: string }): string {
  return JSON.stringify([namespace, key]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
