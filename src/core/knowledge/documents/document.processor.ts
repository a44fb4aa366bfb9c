import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { RUN_AT_ONCE_MAX } from './document-bounds';
import { DOCUMENT_QUEUE, type DocumentJob } from './document-queue';
import { DocumentRuns } from './document-runs';

/** Processes the documents that come through the queue. */
@Processor(DOCUMENT_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
export class DocumentProcessor extends WorkerHost {
  constructor(private readonly runs: DocumentRuns) {
    super();
  }

  process(job: Job<DocumentJob>): Promise<void> {
    return this.runs.run(job.data.documentId);
  }
}
