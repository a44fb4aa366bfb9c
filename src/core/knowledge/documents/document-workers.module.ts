import { Module } from '@nestjs/common';
import { DocumentProcessor } from './document.processor';
import { DocumentRuns } from './document-runs';

/** What processes documents. A process of role `api` leaves it to other processes. */
@Module({ providers: [DocumentProcessor, DocumentRuns] })
export class DocumentWorkersModule {}
