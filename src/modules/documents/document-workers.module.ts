import { Processor } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import type { Job } from 'bullmq';
import { ApiError, CallStopped } from '../../errors/api-errors';
import { CallTraces } from '../../events/call-traces';
import { storageRefusalOf } from '../../ledger/storage-limit';
import { WorkOrigin } from '../../observability/tracing';
import type { DocumentRecord } from '../../retrieval/documents.repository';
import { RagIndexing } from '../../retrieval/rag-indexing';
import { Lease, LeasedWorker } from '../../work/leased-worker';
import { readJob } from '../../work/queue-worker';
import { DocumentAttempts } from './document-attempts';
import { DOCUMENT_QUEUE, DocumentDispatcher, DocumentJob } from './document-attempts';
import { DocumentReading } from './document-reading';
import { DocumentsModule } from './documents';
import { AGAIN_AFTER_MS, DOCUMENTS_COLLECTION, FAULTS_MAX, RUN_AT_ONCE_MAX } from './document-bytes';

const PERCENT = { cut: 50, embedded: 80 };

/**
 * Processes the documents that come through the queue: their text is cut, indexed for retrieval, and with that the document
 * is ready, in one transaction.
 */
@Processor(DOCUMENT_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
export class DocumentProcessor extends LeasedWorker<DocumentRecord> {
  protected readonly logger = new Logger('Documents');

  constructor(
    private readonly attempts: DocumentAttempts,
    private readonly reading: DocumentReading,
    private readonly indexing: RagIndexing,
    private readonly dispatcher: DocumentDispatcher,
    private readonly traces: CallTraces,
  ) {
    super();
  }

  async process(job: Job<DocumentJob>): Promise<void> {
    await this.run(readJob(DocumentJob, job).documentId);
  }

  protected begin(lease: Lease): Promise<DocumentRecord | null> {
    return this.attempts.take(lease);
  }

  protected async originOf({ runId }: Lease, { requestId, accountId }: DocumentRecord): Promise<WorkOrigin> {
    const span = await this.traces.follow('document', 'consumer', requestId, {});
    return { requestId: requestId ?? runId, causedBy: null, accountId, span };
  }

  protected async carryOut(lease: Lease, document: DocumentRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.index(lease, document, signal);
    } catch (error) {
      await this.endWithout(lease, document, error);
    }
  }

  protected async hold(leases: readonly Lease[]): Promise<Map<string, null>> {
    return new Map([...(await this.attempts.hold(leases))].map((id) => [id, null]));
  }

  protected putBack(documentIds: readonly string[]): Promise<void> {
    return this.attempts.putBack(documentIds);
  }

  protected madeRoom(): void {
    this.dispatcher.wake();
  }

  private async index(attempt: Lease, document: DocumentRecord, signal: AbortSignal): Promise<void> {
    const { id, accountId, title, name, kind, tokens, faults } = document;
    const content = await this.reading.textOf(id);
    if (content === null) {
      throw new Overtaken();
    }
    const order = {
      content,
      collection: DOCUMENTS_COLLECTION,
      metadata: { title, name, type: kind },
      documentId: id,
      tokens: tokens ?? 0,
      callId: null,
      // Words alone find it too, and that is better than not at all.
      allowDegraded: faults + 1 >= FAULTS_MAX,
    };
    await this.indexing.index(accountId, order, signal, {
      reached: (stage) => this.attempts.progress(attempt, PERCENT[stage]),
      first: async (manager) => {
        if (!(await this.attempts.lock(manager, attempt))) {
          throw new Overtaken();
        }
      },
      last: (manager, facts) => this.attempts.finish(manager, attempt, facts),
    });
  }

  private async endWithout(
    attempt: Lease,
    { id, faults, requestId }: DocumentRecord,
    thrown: unknown,
  ): Promise<void> {
    const error = storageRefusalOf(thrown) ?? thrown;
    if (error instanceof Overtaken) {
      return;
    }
    if (error instanceof CallStopped) {
      await this.attempts.giveBack(attempt, 0, faults);
      return;
    }
    this.logger.warn({
      message: 'a document was not processed',
      request_id: requestId,
      document_id: id,
      error: String(error),
    });
    if (error instanceof ApiError && error.status < 500) {
      await this.attempts.fail(attempt, error.message);
    } else if (faults + 1 >= FAULTS_MAX) {
      await this.attempts.fail(attempt, 'The document could not be indexed. Process it again later.');
    } else {
      await this.attempts.giveBack(attempt, AGAIN_AFTER_MS * (faults + 1), faults + 1);
    }
  }
}

/** The document was deleted, or another attempt has followed: there is nothing left to be done for this one. */
class Overtaken extends Error {}

/** What processes documents. A process of role `api` leaves it to other processes. */
@Module({ imports: [DocumentsModule], providers: [DocumentProcessor] })
export class DocumentWorkersModule {}
