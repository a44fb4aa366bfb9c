import { Injectable } from '@nestjs/common';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { newId } from '../../infrastructure/ids/new-id';
import { MemoryRecord } from './memory.entity';

const NAMESPACES_MAX = 1000;
const PURGED_MAX = 100;

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

export interface MemoryTotals {
  memories: number;
  bytes: number;
  namespaces: { namespace: string; memories: number; bytes: number }[];
  oldestAt: Date | null;
  newestAt: Date | null;
}

/** The memories in Postgres. One that has expired is never found, and is deleted in passing. */
@Injectable()
export class MemoriesRepository {
  constructor(private readonly database: DataSource) {}

  /** Stores all in one statement. Rows are locked in the order of their names, so that batches never deadlock. */
  async upsert(accountId: string, items: MemoryFields[], now: Date): Promise<MemoryRecord[]> {
    const distinct = [...new Map(items.map((item) => [`${item.namespace}\n${item.key}`, item])).values()];
    const sorted = distinct.sort((a, b) => compare(a.namespace, b.namespace) || compare(a.key, b.key));
    await this.purge(accountId, now);
    const rows: MemoryRow[] = await this.database.query(UPSERT, [
      accountId,
      sorted.map(() => newId()),
      sorted.map(({ namespace }) => namespace),
      sorted.map(({ key }) => key),
      sorted.map(({ value }) => value),
      sorted.map(({ metadata }) => JSON.stringify(metadata)),
      sorted.map(({ ttlSeconds }) =>
        ttlSeconds === null ? null : new Date(now.getTime() + ttlSeconds * 1000),
      ),
      now,
    ]);
    return rows.map(recordOf);
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

  /** The memories with any of the words, those that Postgres ranks highest first. Words are letters and digits only. */
  async search(
    accountId: string,
    filter: MemoryFilter,
    search: { words: string[]; candidatesMax: number; now: Date },
  ): Promise<MemoryRecord[]> {
    const rows: MemoryRow[] = await this.database.query(SEARCH, [
      accountId,
      search.now,
      search.words.map((word) => `'${word}'`).join(' | '),
      filter.namespace,
      filter.metadata === null ? null : JSON.stringify(filter.metadata),
      search.candidatesMax,
    ]);
    return rows.map(recordOf);
  }

  async totals(accountId: string, now: Date): Promise<MemoryTotals> {
    const rows: TotalsRow[] = await this.database.query(TOTALS, [accountId, now]);
    const times = (pick: 'oldest_at' | 'newest_at') => rows.map((row) => row[pick].getTime());
    return {
      memories: sum(rows.map((row) => Number(row.memories))),
      bytes: sum(rows.map((row) => Number(row.bytes))),
      namespaces: rows
        .slice(0, NAMESPACES_MAX)
        .map((row) => ({
          namespace: row.namespace,
          memories: Number(row.memories),
          bytes: Number(row.bytes),
        })),
      oldestAt: rows.length === 0 ? null : new Date(Math.min(...times('oldest_at'))),
      newestAt: rows.length === 0 ? null : new Date(Math.max(...times('newest_at'))),
    };
  }

  private living(accountId: string, now: Date): SelectQueryBuilder<MemoryRecord> {
    return this.database
      .getRepository(MemoryRecord)
      .createQueryBuilder('memory')
      .where('memory.accountId = :accountId', { accountId })
      .andWhere('(memory.expiresAt IS NULL OR memory.expiresAt > :now)', { now });
  }

  /** Deletes some of the account's expired memories: all that it will not replace go in time, none in bulk. */
  private async purge(accountId: string, now: Date): Promise<void> {
    await this.database.query(PURGE, [accountId, now, PURGED_MAX]);
  }
}

const UPSERT = `
  INSERT INTO memories AS m (id, account_id, namespace, key, value, metadata, expires_at, created_at, updated_at)
  SELECT id, $1, namespace, key, value, metadata::jsonb, expires_at, $8, $8
  FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
    AS item (id, namespace, key, value, metadata, expires_at)
  ON CONFLICT (account_id, namespace, key) DO UPDATE SET
    id = CASE WHEN m.expires_at <= $8 THEN excluded.id ELSE m.id END,
    created_at = CASE WHEN m.expires_at <= $8 THEN excluded.created_at ELSE m.created_at END,
    value = excluded.value, metadata = excluded.metadata,
    expires_at = excluded.expires_at, updated_at = excluded.updated_at
  RETURNING id, account_id, namespace, key, value, metadata, created_at, updated_at, expires_at`;

const SEARCH = `
  SELECT id, account_id, namespace, key, value, metadata, created_at, updated_at, expires_at
  FROM memories, to_tsquery('english', $3) AS query
  WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2) AND search @@ query
    AND ($4::text IS NULL OR namespace = $4) AND ($5::jsonb IS NULL OR metadata @> $5)
  ORDER BY ts_rank(search, query) DESC, id LIMIT $6`;

const PURGE = `
  DELETE FROM memories WHERE id IN (
    SELECT id FROM memories WHERE account_id = $1 AND expires_at <= $2
    ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)`;

const TOTALS = `
  SELECT namespace, count(*) AS memories, sum(octet_length(value)) AS bytes,
    min(created_at) AS oldest_at, max(updated_at) AS newest_at
  FROM memories WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2)
  GROUP BY namespace ORDER BY namespace`;

interface MemoryRow {
  id: string;
  account_id: string;
  namespace: string;
  key: string;
  value: string;
  metadata: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
  expires_at: Date | null;
}

interface TotalsRow {
  namespace: string;
  memories: string;
  bytes: string;
  oldest_at: Date;
  newest_at: Date;
}

function recordOf(row: MemoryRow): MemoryRecord {
  return Object.assign(new MemoryRecord(), {
    id: row.id,
    accountId: row.account_id,
    namespace: row.namespace,
    key: row.key,
    value: row.value,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  });
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

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
