import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  Module,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Job } from 'bullmq';
import { ApiError, CallStopped } from '../../errors/api-errors';
import { CallTraces } from '../../events/call-traces';
import { storageRefusalOf } from '../../ledger/storage-limit';
import { withOrigin } from '../../observability/tracing';
import type { DocumentRecord } from '../../retrieval/documents.repository';
import { RagIndexing } from '../../retrieval/rag-indexing';
import { newId } from '../../runtime/ids';
import { type DocumentAttempt, DocumentAttempts } from './document-attempts';
import { DOCUMENT_QUEUE, type DocumentJob, DocumentRelay } from './document-queue';
import { DocumentReading } from './document-reading';
import { DocumentsModule } from './documents';
import {
  AGAIN_AFTER_MS,
  DOCUMENTS_COLLECTION,
  FAULTS_MAX,
  HEARTBEAT_MS,
  RUN_AT_ONCE_MAX,
} from './documents.limits';

/** How long a run has to end when its process stops: less than its job has (src/work). */
const FINISHED_WITHIN_MS = 8_000;
const PERCENT = { cut: 50, embedded: 80 };

interface Run {
  readonly attempt: DocumentAttempt;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/**
 * Processes documents that are handed over: their text is cut, indexed for retrieval, and with that the document is ready,
 * in one transaction. Postgres is told that the runs live; what a dead one has left, another begins anew.
 */
@Injectable()
export class DocumentRuns implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Documents');
  private readonly runs = new Map<string, Run>();
  private heartbeat: NodeJS.Timeout | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly attempts: DocumentAttempts,
    private readonly reading: DocumentReading,
    private readonly indexing: RagIndexing,
    private readonly relay: DocumentRelay,
    private readonly traces: CallTraces,
  ) {}

  /**
   * Makes the next attempt at a handed document, if there is one to be made. Resolves when it has ended.
   * @throws the database's error when nothing could be begun or written: then the document is handed over again after a while
   */
  async run(documentId: string): Promise<void> {
    if (this.stopping) {
      await this.attempts.putBack([documentId]);
      return;
    }
    const attempt = { documentId, runId: newId() };
    const document = await this.attempts.take(attempt);
    if (!document) {
      return;
    }
    const { requestId, accountId } = document;
    const span = await this.traces.follow('document', 'consumer', requestId, {});
    const run: Run = { attempt, stop: new AbortController(), ended: Promise.resolve() };
    withOrigin(run.stop.signal, { requestId: requestId ?? attempt.runId, causedBy: null, accountId, span });
    this.runs.set(attempt.runId, run);
    this.heartbeat ??= setInterval(() => void this.beat(), HEARTBEAT_MS);
    try {
      await (run.ended = this.make(attempt, document, run.stop.signal));
    } finally {
      span?.end();
      this.runs.delete(attempt.runId);
      if (this.runs.size === 0 && this.heartbeat) {
        clearInterval(this.heartbeat);
        this.heartbeat = null;
      }
      this.relay.wake();
    }
  }

  onModuleDestroy(): void {
    this.stopping ??= this.stopAll();
  }

  /** What runs need, the pool of the database above all, is closed only after this. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  private async make(attempt: DocumentAttempt, document: DocumentRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.index(attempt, document, signal);
    } catch (error) {
      await this.endWithout(attempt, document, error);
    }
  }

  private async index(
    attempt: DocumentAttempt,
    document: DocumentRecord,
    signal: AbortSignal,
  ): Promise<void> {
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
    attempt: DocumentAttempt,
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

  /** Ends the runs whose document was deleted, or begun by somebody else. */
  private async beat(): Promise<void> {
    const runs = [...this.runs.values()];
    try {
      const held = await this.attempts.hold(runs.map(({ attempt }) => attempt));
      for (const { attempt, stop } of runs) {
        if (!held.has(attempt.documentId)) {
          stop.abort(new Overtaken());
        }
      }
    } catch (error) {
      this.logger.warn({ message: 'documents in work could not be held', error: String(error) });
    }
  }

  private async stopAll(): Promise<void> {
    const timer = setTimeout(() => {
      this.runs.forEach(({ stop }) => stop.abort(new CallStopped()));
    }, FINISHED_WITHIN_MS);
    await Promise.allSettled([...this.runs.values()].map(({ ended }) => ended));
    clearTimeout(timer);
  }
}

/** The document was deleted, or another attempt has followed: there is nothing left to be done for this one. */
class Overtaken extends Error {}

/** Processes the documents that come through the queue. */
@Processor(DOCUMENT_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
class DocumentProcessor extends WorkerHost {
  constructor(private readonly runs: DocumentRuns) {
    super();
  }

  process(job: Job<DocumentJob>): Promise<void> {
    return this.runs.run(job.data.documentId);
  }
}

/** What processes documents. A process of role `api` leaves it to other processes. */
@Module({ imports: [DocumentsModule], providers: [DocumentProcessor, DocumentRuns] })
export class DocumentWorkersModule {}
