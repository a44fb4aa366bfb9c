import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';
import { QueueFaults } from './queue-faults';

const FINISHED_WITHIN_MS = 10_000;
const GIVEN_BACK_WITHIN_MS = 3_000;
const CLOSED_WITHIN_MS = 2_000;

/**
 * How a worker deals with what goes wrong, unless its processor's own options say otherwise. A job whose worker was
 * killed is seen by the others once its lock is over, and a job that kills each worker is not given to the eleventh.
 */
const DEFAULTS = { lockDuration: 30_000, stalledInterval: 15_000, maxStalledCount: 10, runRetryDelay: 1_000 };

export interface GracefulWorkerOptions extends WorkerOptions {
  /** How long a running job has to finish when the process stops, ten seconds by default; then it goes back. */
  finishedWithinMs?: number;
}

/**
 * The worker of every processor. It logs the faults of its connections, and it stops within a bounded time: a running
 * job is left to finish for a while, and is then given back, so that another worker begins it anew at once. BullMQ's
 * own would wait for ever, or leave the job to be missed when its lock is over.
 */
export class GracefulWorker extends Worker {
  private readonly inWork = new Set<Job>();
  private stopping: Promise<void> | null = null;

  constructor(
    name: string,
    processor: Processor,
    private readonly ownOptions: GracefulWorkerOptions,
  ) {
    super(name, processor, { ...DEFAULTS, ...ownOptions });
    this.on('error', new QueueFaults(name).report);
  }

  /** Begins no further job. Resolves when no job runs here any more and the connections are closed; never rejects. */
  override close(): Promise<void> {
    return (this.stopping ??= this.stop());
  }

  protected override async callProcessJob(job: Job, token: string, signal?: AbortSignal): Promise<unknown> {
    this.inWork.add(job);
    try {
      return await super.callProcessJob(job, token, signal);
    } finally {
      this.inWork.delete(job);
    }
  }

  /** BullMQ takes a last job when its waiting for jobs is interrupted, which is how it stops. */
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    return this.stopping === null ? super.moveToActive(token, name) : (undefined as unknown as Job);
  }

  private async stop(): Promise<void> {
    const ending = new AbortController();
    const closed = super.close().finally(() => ending.abort());
    await Promise.race([closed, this.finished(ending.signal)]);
    if (this.inWork.size > 0) {
      await before(GIVEN_BACK_WITHIN_MS, this.giveBack());
      return;
    }
    await before(CLOSED_WITHIN_MS, closed);
    if (!this.closed) {
      await before(CLOSED_WITHIN_MS, this.cut());
    }
  }

  /** Resolves when no job is in work or the time for them is over. */
  private async finished(signal: AbortSignal): Promise<void> {
    const deadlineMs = performance.now() + (this.ownOptions.finishedWithinMs ?? FINISHED_WITHIN_MS);
    while (this.inWork.size > 0 && performance.now() < deadlineMs && !signal.aborted) {
      await delay(50);
    }
  }

  /** The jobs wait again, as if nobody had begun them; what their processors still do here no longer counts. */
  private async giveBack(): Promise<void> {
    await Promise.allSettled([...this.inWork].map((job) => job.moveToWait(job.token)));
    await this.cut();
  }

  private async cut(): Promise<void> {
    const closing = this.backend.close(true);
    this.cancelAllJobs('the process stops');
    await this.lockManager.close();
    await closing;
  }
}

/** Waits for the work, but no longer than so. */
async function before(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  await Promise.race([work, delay(timeoutMs, undefined, { signal: ending.signal })]).catch(() => undefined);
  ending.abort();
}
