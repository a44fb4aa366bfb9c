import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration } from '../config/configuration';
import { ChunkEmbeddings } from './chunk-embeddings';
import { ChunkVectors, ExactScan, VectorThreads } from './chunk-vectors';
import { ContentChunks } from './content-chunks';
import { DocumentRecord, DocumentsRepository } from './documents.repository';
import { MemoriesRepository, MemoryEntity } from './memories.repository';
import { RagDocumentEntity, RagDocumentsRepository } from './rag-documents.repository';
import { RagIndexing } from './rag-indexing';
import { ChunkRetrieval, RagChunksRepository } from './rag-retrieval';
import { DocumentTexts, SourceTexts } from './source-texts';
import { VectorCache } from './vector-cache';
import { PgVectorRepository, VectorRowsRepository } from './vectors.repository';

const SERVICES = [
  ChunkEmbeddings,
  ChunkRetrieval,
  ChunkVectors,
  ContentChunks,
  DocumentsRepository,
  DocumentTexts,
  MemoriesRepository,
  RagChunksRepository,
  RagDocumentsRepository,
  RagIndexing,
  SourceTexts,
];

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DocumentRecord, MemoryEntity, RagDocumentEntity])],
  providers: [
    ...SERVICES,
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
  exports: SERVICES,
})
export class RetrievalModule {}
