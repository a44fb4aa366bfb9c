import { Global, Module } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DocumentAttempts } from './documents/document-attempts';
import { DocumentBytes } from './documents/document-bytes';
import { DOCUMENT_QUEUE, DocumentQueue } from './documents/document-queue';
import { DocumentReading } from './documents/document-reading';
import { DocumentFigures } from './documents/document-figures';
import { DocumentRelay } from './documents/document-relay';
import { DocumentUploads } from './documents/document-uploads';
import { DocumentRecord } from './documents/document.entity';
import { DocumentTexts } from './documents/document-texts';
import { DocumentsRepository } from './documents/documents.repository';
import { SourceTexts } from './documents/source-texts';
import { MemoriesRepository } from './memories/memories.repository';
import { MemoryRecord } from './memories/memory.entity';
import { ContentChunks } from './rag/content-chunks';
import { RagAnswers } from './rag/answers/rag-answers';
import { RagChunksRepository } from './rag/rag-chunks.repository';
import { RagDocumentRecord } from './rag/rag-document.entity';
import { RagDocumentsRepository } from './rag/rag-documents.repository';
import { RagIndexing } from './rag/rag-indexing';
import { RagRetrieval } from './rag/rag-retrieval';
import { ItemSearch } from './search-items/item-search';
import { SearchItemRecord } from './search-items/search-item.entity';
import { SearchItemsRepository } from './search-items/search-items.repository';
import { FoundItemsRepository } from './search-items/found-items.repository';
import { VectorsModule } from './retrieval/vectors/vectors.module';
import { StoriesRepository } from './stories/stories.repository';
import { StoryRecord } from './stories/story.entity';

const DOCUMENTS = [
  DocumentAttempts,
  DocumentReading,
  DocumentFigures,
  DocumentRelay,
  DocumentsRepository,
  DocumentTexts,
  DocumentUploads,
  SourceTexts,
];

/** What accounts store to find it again later. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      DocumentRecord,
      MemoryRecord,
      RagDocumentRecord,
      SearchItemRecord,
      StoryRecord,
    ]),
    VectorsModule,
    BullModule.registerQueue({ name: DOCUMENT_QUEUE }),
  ],
  providers: [
    ...DOCUMENTS,
    DocumentBytes,
    DocumentQueue,
    MemoriesRepository,
    RagDocumentsRepository,
    RagChunksRepository,
    ContentChunks,
    RagIndexing,
    RagRetrieval,
    SearchItemsRepository,
    FoundItemsRepository,
    ItemSearch,
    RagAnswers,
    StoriesRepository,
  ],
  exports: [
    ...DOCUMENTS,
    DocumentBytes,
    DocumentQueue,
    MemoriesRepository,
    RagDocumentsRepository,
    RagIndexing,
    RagRetrieval,
    SearchItemsRepository,
    ItemSearch,
    VectorsModule,
    RagAnswers,
    StoriesRepository,
  ],
})
export class KnowledgeModule {}
