import { Module } from '@nestjs/common';
import { Configuration } from '../../../../config/configuration';
import { ChunkEmbeddings } from './chunk-embeddings';
import { ChunkVectors } from './chunk-vectors';
import { ExactScan } from './exact-scan';
import { PgVectorRepository } from './pg-vector.repository';
import { VectorCache } from './vector-cache';
import { VectorRowsRepository } from './vector-rows.repository';
import { VectorThreads } from './vector-threads';

/** Vectors of chunks, for retrieval. */
@Module({
  providers: [
    ChunkEmbeddings,
    ChunkVectors,
    ExactScan,
    PgVectorRepository,
    VectorRowsRepository,
    VectorThreads,
    {
      provide: VectorCache,
      useFactory: (rows: VectorRowsRepository, configuration: Configuration) =>
        new VectorCache(rows, configuration.retrievalVectorBytesMax),
      inject: [VectorRowsRepository, Configuration],
    },
  ],
  exports: [ChunkEmbeddings, ChunkVectors],
})
export class VectorsModule {}
