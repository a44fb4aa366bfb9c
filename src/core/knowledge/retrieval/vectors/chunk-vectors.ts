import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExactScan } from './exact-scan';
import { PgVectorRepository } from './pg-vector.repository';
import { VectorRowsRepository, type ChunkVector } from './vector-rows.repository';
import type { SimilarChunk, SimilarOrder } from './vector-space';

/** What is searched for among the vectors that a model has made. */
export interface NearestOrder extends SimilarOrder {
  readonly model: string;
}

/** The vectors of the chunks of accounts. Vectors are compared with those of the same model and as many numbers alone. */
@Injectable()
export class ChunkVectors {
  constructor(
    private readonly rows: VectorRowsRepository,
    private readonly pgVector: PgVectorRepository,
    private readonly scan: ExactScan,
  ) {}

  /**
   * Stores the vectors of new chunks in the transaction that stores the chunks. They go when their chunks are deleted.
   * @param rows vectors of length 1, with 1 to 4096 numbers
   */
  async store(
    manager: EntityManager,
    accountId: string,
    model: string,
    rows: readonly ChunkVector[],
  ): Promise<void> {
    await this.rows.insert(manager, accountId, model, rows);
  }

  /**
   * The `limit` most similar chunks that meet the conditions, the most similar first, by the cosine of the angle between
   * the vectors (-1 to 1). Every replica finds what was stored before the call, and nothing that was deleted before it.
   * Without pgvector the newest 50,000 chunks of an account are searched, or as many as RETRIEVAL_VECTORS_MB_MAX holds.
   * @throws ServiceUnavailable, OperationTimedOut when too much is to be searched at once; the signal's reason
   */
  async nearest(accountId: string, order: NearestOrder): Promise<SimilarChunk[]> {
    const space = { accountId, model: order.model, dimensions: order.vector.length };
    return (await this.pgVector.nearest(space, order)) ?? this.scan.nearest(space, order);
  }
}
