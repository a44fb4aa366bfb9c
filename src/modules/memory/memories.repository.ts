import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { newId } from '../../infrastructure/ids/new-id';
import { MemoryRecord } from './memory.entity';

const NAMESPACES_MAX = 1000;
/** How many memories Postgres' own ranking lets through to the finer one. */
const CANDIDATES_MAX = 100;
const QUERY_WORDS_MAX = 64;

export interface MemoryFields {
  namespace: string;
  key: string;
  value: string;
  metadata: Record<string, unknown>;
  /** How long it lives; null for ever. */
  ttlSeconds: number | null;
}

/** What a memory has to meet; null where anything will do. */
export interface MemoryFilter {
  namespace: string | null;
  keys: string[] | null;
  keyPrefix: string | null;
  /** The metadata has to contain all of this. */
  metadata: Record<string, unknown> | null;
}

export interface RankedMemory {
  memory: MemoryRecord;
  score: number;
}

export interface MemoryTotals {
  memories: number;
  bytes: number;
  /** The 1,000 with the most memories. */
  namespaces: { namespace: string; memories: number; bytes: number }[];
  oldestAt: Date | null;
  newestAt: Date | null;
}

/** The memories in Postgres. One that has expired is never found, whether or not it is deleted yet. */
@Injectable()
export class MemoriesRepository {
  constructor(private readonly database: DataSource) {}

  /**
   * Stores all in one statement and returns what is stored for each item; of items with one name the last is. Rows are
   * locked in the order of their names, so that racing batches never deadlock.
   */
  async upsert(accountId: string, items: MemoryFields[], now: Date): Promise<MemoryRecord[]> {
    const distinct = [...new Map(items.map((item) => [nameOf(item), item])).values()];
    const sorted = distinct.sort((a, b) => compare(a.namespace, b.namespace) || compare(a.key, b.key));
    const records: MemoryRecord[] = await this.database.query(UPSERT, [
      accountId,
      now,
      sorted.map(() => newId()),
      sorted.map(({ namespace }) => namespace),
      sorted.map(({ key }) => key),
      sorted.map(({ value }) => value),
      sorted.map(({ metadata }) => JSON.stringify(metadata)),
      sorted.map(({ ttlSeconds }) =>
        ttlSeconds === null ? null : new Date(now.getTime() + ttlSeconds * 1000),
      ),
    ]);
    const byName = new Map(records.map((record) => [nameOf(record), record]));
    return items.map((item) => {
      const record = byName.get(nameOf(item));
      if (!record) {
        throw new Error('a stored memory was not returned');
      }
      return record;
    });
  }

  async find(accountId: string, id: string, now: Date): Promise<MemoryRecord | null> {
    return this.living(accountId, now).andWhere('memory.id = :id', { id }).getOne();
  }

  async query(
    accountId: string,
    filter: MemoryFilter,
    page: { limit: number; offset: number; order: 'asc' | 'desc'; now: Date },
  ): Promise<{ memories: MemoryRecord[]; total: number }> {
    const direction = page.order === 'asc' ? 'ASC' : 'DESC';
    const [memories, total] = await filtered(this.living(accountId, page.now), filter)
      .orderBy('memory.createdAt', direction)
      .addOrderBy('memory.id', direction)
      .skip(page.offset)
      .take(page.limit)
      .getManyAndCount();
    return { memories, total };
  }

  /** The memories with any of the query's words, best first. Stop words and punctuation are no words. */
  async search(
    accountId: string,
    filter: Pick<MemoryFilter, 'namespace' | 'metadata'>,
    search: { query: string; limit: number; now: Date },
  ): Promise<RankedMemory[]> {
    const rows: (MemoryRecord & { score: number })[] = await this.database.query(SEARCH, [
      accountId,
      search.now,
      search.query,
      filter.namespace,
      filter.metadata === null ? null : JSON.stringify(filter.metadata),
      search.limit,
    ]);
    return rows.map(({ score, ...memory }) => ({ memory, score }));
  }

  async totals(accountId: string, now: Date): Promise<MemoryTotals> {
    const rows: TotalsRow[] = await this.database.query(TOTALS, [accountId, now, NAMESPACES_MAX + 1]);
    const [all, ...namespaces] = rows.map((row) => ({
      namespace: row.namespace,
      memories: Number(row.memories),
      bytes: Number(row.bytes),
      oldestAt: row.oldest_at,
      newestAt: row.newest_at,
    }));
    if (!all) {
      throw new Error('Postgres counts nothing as one row');
    }
    const { memories, bytes, oldestAt, newestAt } = all;
    return { memories, bytes, namespaces, oldestAt, newestAt };
  }

  /** Deletes at most so many expired memories of any account and returns how many. Passes over what is being replaced. */
  async removeExpired(now: Date, countMax: number): Promise<number> {
    const deleted: [unknown, number] = await this.database.query(REMOVE_EXPIRED, [now, countMax]);
    return deleted[1];
  }

  private living(accountId: string, now: Date): SelectQueryBuilder<MemoryRecord> {
    return this.database
      .getRepository(MemoryRecord)
      .createQueryBuilder('memory')
      .where('memory.accountId = :accountId', { accountId })
      .andWhere('(memory.expiresAt IS NULL OR memory.expiresAt > :now)', { now });
  }
}

const COLUMNS = `id, account_id AS "accountId", namespace, key, value, metadata,
  created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt"`;

const LIVING = 'account_id = $1 AND (expires_at IS NULL OR expires_at > $2)';

// Replicas' clocks differ: a memory must not seem older than its creation because the slower one replaced it.
const UPSERT = `
  INSERT INTO memories AS m (id, account_id, namespace, key, value, metadata, expires_at, created_at, updated_at)
  SELECT id, $1, namespace, key, value, metadata::jsonb, expires_at, $2, $2
  FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    WITH ORDINALITY AS item (id, namespace, key, value, metadata, expires_at, position)
  ORDER BY position
  ON CONFLICT (account_id, namespace, key) DO UPDATE SET
    id = CASE WHEN m.expires_at <= $2 THEN excluded.id ELSE m.id END,
    created_at = CASE WHEN m.expires_at <= $2 THEN excluded.created_at ELSE m.created_at END,
    value = excluded.value, metadata = excluded.metadata,
    expires_at = excluded.expires_at, updated_at = greatest(excluded.updated_at, m.updated_at)
  RETURNING ${COLUMNS}`;

// Okapi BM25 (k1 = 1.2, b = 0.75, Lucene's idf) over the best candidates of ts_rank, which knows no rare words. It is
// computed here and not by core/models, because it needs the words as they are indexed, and none of the texts.
const SEARCH = `
  WITH candidates AS MATERIALIZED (
    SELECT id, search, length(search) AS length FROM memories
    WHERE ${LIVING} AND search @@ any_word(first_words($3, ${QUERY_WORDS_MAX}))
      AND ($4::text IS NULL OR namespace = $4) AND ($5::jsonb IS NULL OR metadata @> $5)
    ORDER BY ts_rank(search, any_word(first_words($3, ${QUERY_WORDS_MAX}))) DESC, id LIMIT ${CANDIDATES_MAX}
  ), average AS (
    SELECT count(*) AS candidates, avg(length)::float8 AS length FROM candidates
  ), occurrences AS MATERIALIZED (
    SELECT id, length, lexeme, cardinality(positions)::float8 AS frequency
    FROM candidates, unnest(search) AS word (lexeme, positions, weights)
    WHERE lexeme = ANY (first_words($3, ${QUERY_WORDS_MAX}))
  ), rarities AS (
    SELECT lexeme, ln(1 + (candidates - count(*) + 0.5) / (count(*) + 0.5))::float8 AS rarity
    FROM occurrences, average GROUP BY lexeme, candidates
  ), scores AS (
    SELECT id, sum(rarity * frequency * 2.2 /
      (frequency + 1.2 * (0.25 + 0.75 * occurrences.length / average.length))) AS score
    FROM occurrences JOIN rarities USING (lexeme), average GROUP BY id
  )
  SELECT ${COLUMNS}, score FROM scores JOIN memories USING (id) ORDER BY score DESC, id LIMIT $6`;

const TOTALS = `
  SELECT namespace, count(*) AS memories, coalesce(sum(octet_length(value)), 0) AS bytes,
    min(created_at) AS oldest_at, max(updated_at) AS newest_at
  FROM memories WHERE ${LIVING}
  GROUP BY GROUPING SETS ((), (namespace))
  ORDER BY grouping(namespace) DESC, count(*) DESC, namespace LIMIT $3`;

const REMOVE_EXPIRED = `
  DELETE FROM memories WHERE id IN (
    SELECT id FROM memories WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

interface TotalsRow {
  namespace: string;
  memories: string;
  bytes: string;
  oldest_at: Date | null;
  newest_at: Date | null;
}

function filtered(
  query: SelectQueryBuilder<MemoryRecord>,
  filter: MemoryFilter,
): SelectQueryBuilder<MemoryRecord> {
  if (filter.namespace !== null) {
    query.andWhere('memory.namespace = :namespace', { namespace: filter.namespace });
  }
  if (filter.keys !== null) {
    query.andWhere('memory.key = ANY(:keys)', { keys: filter.keys });
  }
  if (filter.keyPrefix !== null) {
    query.andWhere('starts_with(memory.key, :keyPrefix)', { keyPrefix: filter.keyPrefix });
  }
  if (filter.metadata !== null) {
    query.andWhere('memory.metadata @> :metadata', { metadata: JSON.stringify(filter.metadata) });
  }
  return query;
}

/** No separator would do: a namespace or a key may hold any. */
function nameOf({ namespace, key }: { namespace: string; key: string }): string {
  return JSON.stringify([namespace, key]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
