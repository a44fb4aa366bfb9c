import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DocumentAttempts } from './document-attempts';
import { DocumentQueue } from './document-queue';

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
