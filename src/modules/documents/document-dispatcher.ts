import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { IsUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { Metrics } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import { idOf } from '../../runtime/ids';
import { type Claimed, Dispatcher, isAnyFull } from '../../work/dispatcher';
import { gaugeStages } from '../../work/stage-gauge';
import { DocumentAttempts, type ClaimedDocument } from './document-attempts';
import { JOBS_WAITING_MAX } from './documents.limits';

export const DOCUMENT_QUEUE = 'documents';

/** What a job carries: a claimed document. */
export class DocumentJob {
  @IsUUID('loose') documentId!: string;
}

/** Puts waiting documents in the queue: at once when a call of this process has begun one, and each second for the rest. */
@Injectable()
export class DocumentDispatcher extends Dispatcher<ClaimedDocument> {
  constructor(
    private readonly attempts: DocumentAttempts,
    @InjectQueue(DOCUMENT_QUEUE) private readonly queue: Queue<DocumentJob>,
    clock: Clock,
  ) {
    super({ kind: 'documents', clock, notified: null });
  }

  /**
   * Removes what waits in the queue for a document. A job that runs ends by itself.
   * @param attempts how often the document was begun
   * @throws QueueUnavailable when the queue is away
   */
  async remove(id: string, attempts: number): Promise<void> {
    for (let before = 0; before <= attempts; before += 1) {
      await this.queue.remove(jobId(id, before));
    }
  }

  protected claim(): Promise<Claimed<ClaimedDocument, never>> {
    return this.attempts.claim();
  }

  /** A document that was claimed again before it was begun is in the queue once. */
  protected add(documents: readonly ClaimedDocument[]) {
    return this.queue.addBulk(
      documents.map(({ id, attempts }) => ({
        name: 'document',
        data: { documentId: id },
        opts: { jobId: jobId(id, attempts) },
      })),
    );
  }

  protected putBack(documents: readonly ClaimedDocument[]): Promise<void> {
    return this.attempts.putBack(documents.map(({ id }) => id));
  }

  protected isQueueFull(): Promise<boolean> {
    return isAnyFull([this.queue], JOBS_WAITING_MAX);
  }
}

/** Not the document's own id, because the queue remembers for a while which jobs there were. */
function jobId(id: string, attempts: number): string {
  return idOf(`document:${id}:${attempts}`);
}

/** How many documents are to be processed, for the metrics. */
@Injectable()
export class DocumentFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const help = 'Documents that are to be processed, by their stage.';
    gaugeStages(metrics, database, { table: 'documents', name: 'documents_unprocessed', help });
  }
}
