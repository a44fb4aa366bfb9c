import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';

/** Vectors of one account that are comparable. */
export interface VectorSpace {
  readonly accountId: string;
  readonly model: string;
  readonly dimensions: number;
}

export interface DocumentConditions {
  readonly collection: string | null;
  readonly filter: Record<string, unknown> | null;
}

export interface SimilarOrder extends DocumentConditions {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface SimilarChunk {
  readonly chunkId: string;
  readonly similarity: number;
}

/** The protocol bounds a statement's parameters. */
const ROWS_PER_STATEMENT = 1_000;

@Injectable()
export class VectorRowsRepository {
  constructor(private readonly databases: AccountDatabases) {}

  /** Runs in the transaction that stores their chunks, with which they are deleted. @param rows vectors of length 1 */
  async insert(
    manager: EntityManager,
    accountId: string,
    model: string,
    rows: readonly { readonly chunkId: string; readonly vector: Float32Array }[],
  ): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + ROWS_PER_STATEMENT);
      const places = part.map((_, index) => `($${2 * index + 3}::uuid, $${2 * index + 4}::bytea)`);
      await manager.query(insertStatement(places.join(', ')), [
        accountId,
        model,
        ...part.flatMap(({ chunkId, vector }) => [chunkId, bytesOf(vector)]),
      ]);
    }
  }

  /** A running transaction may have a lower number than ended ones, so the horizon is the lowest running one. */
  async addedSince(
    { accountId, model, dimensions }: VectorSpace,
    since: bigint,
    limit: number,
  ): Promise<{ horizon: bigint; chunkIds: string[] }> {
    const values = [accountId, model, dimensions, String(since), limit];
    const [{ horizon, ids }]: [{ horizon: string; ids: string | null }] = await this.databases
      .of(accountId)
      .query(ADDED_SINCE, values);
    return { horizon: BigInt(horizon), chunkIds: ids?.split(',') ?? [] };
  }

  /** Little-endian 32-bit floats; deleted chunks are left out. */
  async vectors(accountId: string, chunkIds: readonly string[]): Promise<Map<string, Uint8Array>> {
    const values = [accountId, chunkIds];
    const rows: { chunkId: string; vector: Buffer }[] = await this.databases
      .of(accountId)
      .query(VECTORS, values);
    return new Map(rows.map(({ chunkId, vector }) => [chunkId, vector]));
  }

  /** Only chunks that exist, and whether they meet the conditions. */
  async checked(
    accountId: string,
    chunkIds: readonly string[],
    { collection, filter }: DocumentConditions,
  ): Promise<Map<string, boolean>> {
    const values = [accountId, collection, filter && JSON.stringify(filter), chunkIds];
    const rows: { id: string; meets: boolean }[] = await this.databases.of(accountId).query(JUDGED, values);
    return new Map(rows.map(({ id, meets }) => [id, meets]));
  }

  /** Null for more than `max` chunks. */
  async meeting(
    { accountId, model, dimensions }: VectorSpace,
    { collection, filter }: DocumentConditions,
    max: number,
  ): Promise<string[] | null> {
    const values = [accountId, collection, filter && JSON.stringify(filter), model, dimensions, max + 1];
    const rows: { id: string }[] = await this.databases.of(accountId).query(MEETING, values);
    return rows.length > max ? null : rows.map(({ id }) => id);
  }
}

/** All but one of Node's platforms are little-endian, like the stored form. */
function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

const MEETS_CONDITIONS =
  '($2::text IS NULL OR d.collection = $2) AND ($3::jsonb IS NULL OR d.metadata @> $3)';

function insertStatement(rows: string): string {
  return `
    INSERT INTO rag_vectors (chunk_id, account_id, model, dimensions, vector)
    SELECT chunk_id, $1, $2, octet_length(vector) / 4, vector FROM (VALUES ${rows}) AS row (chunk_id, vector)`;
}

const ADDED_SINCE = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, (
    SELECT string_agg(chunk_id::text, ',' ORDER BY written, chunk_id) FROM (
      SELECT chunk_id, written FROM rag_vectors
      WHERE account_id = $1 AND model = $2 AND dimensions = $3 AND written >= $4::xid8
      ORDER BY written DESC, chunk_id DESC LIMIT $5
    ) AS newest
  ) AS ids`;

const VECTORS = `
  SELECT chunk_id AS "chunkId", vector FROM rag_vectors WHERE account_id = $1 AND chunk_id = ANY ($2::uuid[])`;

const JUDGED = `
  SELECT c.id, ${MEETS_CONDITIONS} AS meets
  FROM rag_chunks c JOIN rag_documents d USING (account_id, document_id)
  WHERE c.account_id = $1 AND c.id = ANY ($4::uuid[])`;

const MEETING = `
  SELECT c.id
  FROM rag_documents d JOIN rag_chunks c USING (account_id, document_id) JOIN rag_vectors v ON v.chunk_id = c.id
  WHERE d.account_id = $1 AND ${MEETS_CONDITIONS} AND v.account_id = $1 AND v.model = $4 AND v.dimensions = $5
  LIMIT $6`;

const PREPARATION_LOCK = 7_310_013;
const COPIED_AT_ONCE_MAX = 200;
/** After this long a search leaves the rest of the copying to the next one. */
const COPYING_MS_MAX = 1_000;
/** Postgres: no such column, type, function or table. */
const MISSING = ['42703', '42704', '42883', '42P01'];

/** Exact. Stored bytes are copied to a vector column later, so that a server may gain pgvector at any time. */
@Injectable()
export class PgVectorRepository implements OnApplicationBootstrap {
  private readonly logger = new Logger('PgVector');
  private isInstalled = false;

  constructor(private readonly databases: AccountDatabases) {}

  /** Installs the extension if this role may; replicas wait for each other. A failure leaves the exact scan. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      const [available]: unknown[] = await this.databases.everyone.query(AVAILABLE);
      if (available) {
        for (const database of this.databases.all) {
          await database.transaction(prepare);
        }
        this.isInstalled = true;
      }
    } catch (error) {
      this.logger.warn(`Vectors are searched without pgvector: ${String(error)}`);
    }
  }

  /** Null without the extension, or where too many vectors are not copied yet. */
  async nearest(
    space: VectorSpace,
    { collection, filter, vector, limit, signal }: SimilarOrder,
  ): Promise<SimilarChunk[] | null> {
    if (!this.isInstalled) {
      return null;
    }
    const { accountId, model, dimensions } = space;
    try {
      if (!(await this.copyAll(space, signal))) {
        return null;
      }
      const conditions = [collection, filter && JSON.stringify(filter)];
      const values = [accountId, ...conditions, model, dimensions, binary(bytesOf(vector)), limit];
      return await this.databases.of(accountId).query<SimilarChunk[]>(NEAREST, values);
    } catch (error) {
      if (!MISSING.includes((error as { code?: string }).code ?? '')) {
        throw error;
      }
      this.isInstalled = false;
      this.logger.warn(`Vectors are searched without pgvector from now on: ${String(error)}`);
      return null;
    }
  }

  /** Whether nothing is left; what another replica copies counts as left. */
  private async copyAll(space: VectorSpace, signal: AbortSignal): Promise<boolean> {
    const database = this.databases.of(space.accountId);
    const values = [space.accountId, space.model, space.dimensions];
    const untilMs = performance.now() + COPYING_MS_MAX;
    for (;;) {
      const left: unknown[] = await database.query(LEFT, values);
      if (left.length === 0) {
        return true;
      }
      signal.throwIfAborted();
      const copied = await database.transaction((manager) => copySome(manager, values));
      if (copied === 0 || performance.now() > untilMs) {
        return false;
      }
    }
  }
}

const AVAILABLE = `SELECT FROM pg_available_extensions WHERE name = 'vector'`;

/** ADD COLUMN IF NOT EXISTS takes an exclusive lock even for a column that exists. */
const HAS_COLUMN = `
  SELECT FROM pg_attribute
  WHERE attrelid = 'rag_vectors'::regclass AND attname = 'embedding' AND NOT attisdropped`;

const LEFT = `
  SELECT FROM rag_vectors
  WHERE account_id = $1 AND model = $2 AND dimensions = $3 AND embedding IS NULL LIMIT 1`;

const SOME_LEFT = `
  SELECT chunk_id AS "chunkId", vector FROM rag_vectors
  WHERE account_id = $1 AND model = $2 AND dimensions = $3 AND embedding IS NULL
  ORDER BY chunk_id LIMIT ${COPIED_AT_ONCE_MAX} FOR UPDATE SKIP LOCKED`;

/** For vectors of length 1 the inner product, which `<#>` negates, is the cosine. */
const NEAREST = `
  SELECT v.chunk_id AS "chunkId", -(v.embedding <#> $6::vector) AS similarity
  FROM rag_vectors v JOIN rag_chunks c ON c.id = v.chunk_id
    JOIN rag_documents d ON d.account_id = c.account_id AND d.document_id = c.document_id
  WHERE v.account_id = $1 AND v.model = $4 AND v.dimensions = $5 AND v.embedding IS NOT NULL AND ${MEETS_CONDITIONS}
  ORDER BY v.embedding <#> $6::vector, v.chunk_id LIMIT $7`;

async function prepare(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [PREPARATION_LOCK]);
  const [column]: unknown[] = await manager.query(HAS_COLUMN);
  if (column) {
    return;
  }
  await manager.query("SET LOCAL lock_timeout = '2s'");
  // In the installation's schema, where every account schema finds its type.
  await manager.query(`DO $$ BEGIN
    EXECUTE format('CREATE EXTENSION IF NOT EXISTS vector SCHEMA %s',
      (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'processes'::regclass));
  END $$`);
  await manager.query('ALTER TABLE rag_vectors ADD COLUMN embedding vector');
  await manager.query(`
    CREATE INDEX rag_vectors_uncopied ON rag_vectors (account_id, model, dimensions, chunk_id)
    WHERE embedding IS NULL`);
}

async function copySome(manager: EntityManager, values: unknown[]): Promise<number> {
  const rows: { chunkId: string; vector: Buffer }[] = await manager.query(SOME_LEFT, values);
  if (rows.length > 0) {
    const places = rows.map((_, index) => `($${2 * index + 1}::uuid, $${2 * index + 2}::vector)`);
    await manager.query(
      `UPDATE rag_vectors SET embedding = row.embedding
       FROM (VALUES ${places.join(', ')}) AS row (chunk_id, embedding)
       WHERE rag_vectors.chunk_id = row.chunk_id`,
      rows.flatMap(({ chunkId, vector }) => [chunkId, binary(vector)]),
    );
  }
  return rows.length;
}

/** Big-endian: dimensions and a zero, of 16 bits each, then 32-bit floats. The given bytes are little-endian. */
function binary(bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(bytes.length / 4);
  return Buffer.concat([head, Buffer.from(bytes).swap32()]);
}
