import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { bytesOf, MEETS_CONDITIONS } from './vector-rows.repository';
import type { SimilarChunk, SimilarOrder, VectorSpace } from './vector-space';

/** The number of the advisory lock. It was chosen freely; it only has to be the same in every replica. */
const PREPARATION_LOCK = 7_310_013;
const COPIED_AT_ONCE_MAX = 200;
/** For how long a search copies vectors that nobody has copied yet, before it leaves the rest to the next one. */
const COPYING_MS_MAX = 1_000;
/** The codes of Postgres for a column, type, function or table that is not there. */
const MISSING = ['42703', '42704', '42883', '42P01'];

/**
 * Searches vectors by the extension pgvector, exactly, where the server has it. Vectors are stored as bytes whether or not
 * it is there, and copied to a column of its type by the first search after that: so replicas that know of the extension
 * and others that do not work on one table, and a server may gain the extension at any time.
 */
@Injectable()
export class PgVectorRepository implements OnApplicationBootstrap {
  private readonly logger = new Logger('PgVector');
  private isThere = false;

  constructor(private readonly database: DataSource) {}

  /**
   * Installs the extension if this role may, and makes the column and the index of what is not copied yet. Replicas that
   * start together wait for each other. A failure is logged and leaves the search to the exact scan.
   */
  async onApplicationBootstrap(): Promise<void> {
    try {
      const [available]: unknown[] = await this.database.query(AVAILABLE);
      if (available) {
        await this.database.transaction(prepare);
        this.isThere = true;
      }
    } catch (error) {
      this.logger.warn(`Vectors are searched without pgvector: ${String(error)}`);
    }
  }

  /**
   * The most similar chunks that meet the conditions, the most similar first. Null where the extension is not there, or
   * where so many vectors have yet to be copied that the exact scan is to answer.
   */
  async nearest(
    space: VectorSpace,
    { collection, filter, vector, limit, signal }: SimilarOrder,
  ): Promise<SimilarChunk[] | null> {
    if (!this.isThere) {
      return null;
    }
    const { accountId, model, dimensions } = space;
    try {
      if (!(await this.copyAll(space, signal))) {
        return null;
      }
      const conditions = [collection, filter && JSON.stringify(filter)];
      const values = [accountId, ...conditions, model, dimensions, binary(bytesOf(vector)), limit];
      return await this.database.query<SimilarChunk[]>(NEAREST, values);
    } catch (error) {
      if (!MISSING.includes((error as { code?: string }).code ?? '')) {
        throw error;
      }
      this.isThere = false;
      this.logger.warn(`Vectors are searched without pgvector from now on: ${String(error)}`);
      return null;
    }
  }

  /** Copies what is not copied yet, and says whether nothing is left. What another replica copies now counts as left. */
  private async copyAll(space: VectorSpace, signal: AbortSignal): Promise<boolean> {
    const values = [space.accountId, space.model, space.dimensions];
    const untilMs = performance.now() + COPYING_MS_MAX;
    for (;;) {
      const left: unknown[] = await this.database.query(LEFT, values);
      if (left.length === 0) {
        return true;
      }
      signal.throwIfAborted();
      const copied = await this.database.transaction((manager) => copySome(manager, values));
      if (copied === 0 || performance.now() > untilMs) {
        return false;
      }
    }
  }
}

const AVAILABLE = `SELECT FROM pg_available_extensions WHERE name = 'vector'`;

/** The column is looked for first, because even a column that is there can only be added under an exclusive lock. */
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

/** Of vectors of length 1 the inner product is the cosine; `<#>` is that product, negated. */
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
  await manager.query('CREATE EXTENSION IF NOT EXISTS vector');
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

/**
 * The binary form in which pgvector takes a vector: the number of dimensions and a zero, of 16 bits each, and the 32-bit
 * floats, all big-endian. The driver sends a buffer as a binary parameter.
 * @param bytes little-endian 32-bit floats
 */
function binary(bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(bytes.length / 4);
  return Buffer.concat([head, Buffer.from(bytes).swap32()]);
}
