import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { DocumentConditions, VectorSpace } from './vector-space';

/** A vector of length 1 to be stored for a chunk. */
export interface ChunkVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
}

/** The vectors that were written lately. */
export interface NewVectors {
  /** A number of a transaction: whoever reads the vectors written since it misses none of those that come later. */
  readonly horizon: bigint;
  /** The ids of the newest chunks, the oldest first. */
  readonly chunkIds: string[];
}

/** How many rows one statement writes, whose parameters are bounded by the protocol. */
const ROWS_PER_STATEMENT = 1_000;

/** The rows of vectors in Postgres, and which of their chunks are still there. */
@Injectable()
export class VectorRowsRepository {
  constructor(private readonly database: DataSource) {}

  /** Stores the vectors of new chunks, within the transaction that stores the chunks. */
  async insert(
    manager: EntityManager,
    accountId: string,
    model: string,
    rows: readonly ChunkVector[],
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

  /**
   * The newest `limit` vectors of those that transactions from `since` on have written. A transaction that is running
   * now may have a lower number than others that have ended, so the horizon is the lowest of those that run.
   */
  async news(
    { accountId, model, dimensions }: VectorSpace,
    since: bigint,
    limit: number,
  ): Promise<NewVectors> {
    const [row]: { horizon: string; ids: string | null }[] = await this.database.query(NEWS, [
      accountId,
      model,
      dimensions,
      String(since),
      limit,
    ]);
    if (!row) {
      throw new Error('the query for new vectors returned no row');
    }
    return { horizon: BigInt(row.horizon), chunkIds: row.ids?.split(',') ?? [] };
  }

  /** The vectors of these chunks as little-endian 32-bit floats. Chunks that are no more are left out. */
  async vectors(accountId: string, chunkIds: readonly string[]): Promise<Map<string, Uint8Array>> {
    const rows: { chunkId: string; vector: Buffer }[] = await this.database.query(VECTORS, [
      accountId,
      chunkIds,
    ]);
    return new Map(rows.map(({ chunkId, vector }) => [chunkId, vector]));
  }

  /** Which of these chunks are there, and which of those meet the conditions. */
  async judged(
    accountId: string,
    chunkIds: readonly string[],
    { collection, filter }: DocumentConditions,
  ): Promise<Map<string, boolean>> {
    const values = [accountId, collection, filter && JSON.stringify(filter), chunkIds];
    const rows: { id: string; meets: boolean }[] = await this.database.query(JUDGED, values);
    return new Map(rows.map(({ id, meets }) => [id, meets]));
  }

  /** The chunks with vectors that meet the conditions; null where there are more than `max`. */
  async meeting(
    { accountId, model, dimensions }: VectorSpace,
    { collection, filter }: DocumentConditions,
    max: number,
  ): Promise<string[] | null> {
    const values = [accountId, collection, filter && JSON.stringify(filter), model, dimensions, max + 1];
    const rows: { id: string }[] = await this.database.query(MEETING, values);
    return rows.length > max ? null : rows.map(({ id }) => id);
  }
}

/** The bytes of a vector. All machines that Node runs on but one are little-endian, as the stored form is. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A document's conditions: $2 and $3. */
export const MEETS_CONDITIONS =
  '($2::text IS NULL OR d.collection = $2) AND ($3::jsonb IS NULL OR d.metadata @> $3)';

function insertStatement(rows: string): string {
  return `
    INSERT INTO rag_vectors (chunk_id, account_id, model, dimensions, vector)
    SELECT chunk_id, $1, $2, octet_length(vector) / 4, vector FROM (VALUES ${rows}) AS row (chunk_id, vector)`;
}

const NEWS = `
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
