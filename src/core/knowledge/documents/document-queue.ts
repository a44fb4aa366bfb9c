import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { idOf } from '../../../infrastructure/ids/ids';
import { JOBS_WAITING_MAX } from './document-bounds';
import type { HandedDocument } from './document-attempts';

export const DOCUMENT_QUEUE = 'documents';

/** What a job carries: a document that was handed over. */
export interface DocumentJob {
  documentId: string;
}

/** The queue that carries documents to the workers. */
@Injectable()
export class DocumentQueue {
  constructor(@InjectQueue(DOCUMENT_QUEUE) private readonly queue: Queue<DocumentJob>) {}

  /**
   * Puts documents in the queue. One that was handed again before it was begun is there once.
   * @throws QueueUnavailable when the queue is away, after some five seconds
   */
  async add(handed: readonly HandedDocument[]): Promise<void> {
    await this.queue.addBulk(
      handed.map(({ id, attempts }) => ({
        name: 'document',
        data: { documentId: id },
        opts: { jobId: jobId(id, attempts), removeOnComplete: true, removeOnFail: true },
      })),
    );
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

  /**
   * Whether so many jobs wait that nobody seems to work them off.
   * @throws QueueUnavailable when the queue is away
   */
  async isFull(): Promise<boolean> {
    return (await this.queue.getWaitingCount()) >= JOBS_WAITING_MAX;
  }
}

/** Not the document's own id, because the queue remembers for a while which jobs there were. */
function jobId(id: string, attempts: number): string {
  return idOf(`document:${id}:${attempts}`);
}
