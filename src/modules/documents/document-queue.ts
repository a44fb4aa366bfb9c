import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { Metrics } from '../../observability/metrics';
import { idOf } from '../../runtime/ids';
import { DocumentAttempts, type HandedDocument } from './document-attempts';
import { JOBS_WAITING_MAX } from './documents.limits';

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

/** Finds documents whose call was taken by another process, those that nobody holds any more, and those whose time has come. */
const RUN_EVERY_MS = 1_000;

/**
 * Hands waiting documents to the queue. It runs on every replica: at once when a call of this process has begun one, and
 * each second for the rest. In one process it never runs twice at once.
 */
@Injectable()
export class DocumentRelay implements OnModuleDestroy {
  private readonly logger = new Logger('DocumentRelay');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isWokenMeanwhile = false;

  constructor(
    private readonly attempts: DocumentAttempts,
    private readonly queue: DocumentQueue,
  ) {}

  /** Runs from now on, until {@link stop}. */
  start(): void {
    this.timer ??= setInterval(() => this.wake(), RUN_EVERY_MS);
  }

  /** Begins no further run, and waits for the one in progress. */
  async stop(): Promise<void> {
    if (this.timer) {
      clearInterval(this.timer);
    }
    this.timer = null;
    await this.running;
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Begins a run, because there may be work. Does nothing before {@link start}. */
  wake(): void {
    if (this.timer === null) {
      return;
    }
    if (this.running) {
      this.isWokenMeanwhile = true;
      return;
    }
    this.running = this.runAndLog().finally(() => {
      this.running = null;
      if (this.isWokenMeanwhile) {
        this.isWokenMeanwhile = false;
        this.wake();
      }
    });
  }

  /** One run. @throws the error of the database or the queue; what the queue did not take waits again then */
  async run(): Promise<void> {
    // Each document that is handed again could add a job, for as long as no worker runs.
    if (await this.queue.isFull()) {
      return;
    }
    const handed = await this.attempts.handOver();
    if (handed.length === 0) {
      return;
    }
    try {
      await this.queue.add(handed);
    } catch (error) {
      // If this fails too, nobody holds them after a while.
      await this.attempts.putBack(handed.map(({ id }) => id)).catch(() => undefined);
      throw error;
    }
  }

  private async runAndLog(): Promise<void> {
    await this.run().catch((error: unknown) =>
      this.logger.error({
        message: 'the relay of documents failed and is tried again',
        error: String(error),
      }),
    );
  }
}

const COUNTED_MAX = 100_000;
const STAGES = ['waiting', 'handed', 'running'] as const;

/** How many documents are to be processed, for the metrics: of all processes together, from the table. */
@Injectable()
export class DocumentFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const none = { waiting: 0, handed: 0, running: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await database.query<(typeof none)[]>(COUNTS, [COUNTED_MAX]);
      return row ?? none;
    });
    metrics.gauges('documents_unprocessed', 'Documents that are to be processed, by their stage.', () =>
      STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
    );
  }
}

// Apart, because the waiting ones have an index of their own. The others are few.
const COUNTS = `
  SELECT (SELECT count(*)::integer FROM (SELECT FROM documents WHERE stage = 'waiting' LIMIT $1) AS d) AS waiting,
    count(*) FILTER (WHERE stage = 'handed')::integer AS handed,
    count(*) FILTER (WHERE stage = 'running')::integer AS running
  FROM documents WHERE stage IN ('handed', 'running')`;
