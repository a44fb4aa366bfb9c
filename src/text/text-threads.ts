import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { Logger } from '@nestjs/common';
import type { Piscina } from 'piscina';
import { ServiceUnavailable } from '../errors/api-errors';
import { originOf } from '../observability/tracing';
import { untilAborted } from '../runtime/clock';
import { FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { runInThread, threadPool } from '../runtime/thread-source';
import type { TextJob } from './text-job';

/** Bounds the bytes of one turn of the event loop: small jobs in a row would block it as long as a large one. */
class EventLoopBudget {
  private readonly line: { bytes: number; enter: () => void }[] = [];
  private left: number;
  private isToBeRenewed = false;

  constructor(private readonly bytesMax: number) {
    this.left = bytesMax;
  }

  take(bytes: number): Promise<void> | void {
    this.renewLater();
    if (this.line.length === 0 && bytes <= this.left) {
      this.left -= bytes;
      return;
    }
    return new Promise((enter) => this.line.push({ bytes, enter }));
  }

  private renewLater(): void {
    if (!this.isToBeRenewed) {
      this.isToBeRenewed = true;
      setImmediate(() => this.renew());
    }
  }

  private renew(): void {
    this.isToBeRenewed = false;
    this.left = this.bytesMax;
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.left; next = this.line[0]) {
      this.line.shift();
      this.left -= next.bytes;
      next.enter();
      this.renewLater();
    }
  }
}

interface TextThreadsOptions {
  readonly deadlineMs: number;
  /** With the deadline it stays below the time-outs of operations that count texts. */
  readonly waitMsMax: number;
  readonly threadsMax: number;
  readonly waitingMax: number;
  readonly accountWaitingMax: number;
}

/** Added for every text, because two thousand small texts take long too. */
const BYTES_PER_TEXT = 32;
/** Together, jobs of one turn up to this size take less than 50 ms even on hostile text. */
const IN_PROCESS_BYTES_MAX = 8 * 1024;
const THREAD_MEMORY_MB_MAX = 512;

/** Large jobs run in threads. An abandoned job runs on: a new thread would have to load its vocabulary first. */
export class TextThreads {
  private readonly options: TextThreadsOptions;
  private readonly pool: Piscina;
  private readonly turns: FairConcurrencyLimit;
  private readonly loopBudget = new EventLoopBudget(IN_PROCESS_BYTES_MAX);
  private unowned = 0;

  constructor(options: Partial<TextThreadsOptions> = {}) {
    this.options = {
      deadlineMs: 10_000,
      threadsMax: Math.min(4, Math.max(1, availableParallelism() - 1)),
      waitMsMax: 5_000,
      waitingMax: 64,
      accountWaitingMax: 8,
      ...options,
    };
    const { threadsMax, waitingMax, accountWaitingMax, waitMsMax } = this.options;
    const accountAtOnceMax = Math.max(1, threadsMax - 1);
    // The bounds for bodies limit what waiting jobs hold.
    this.turns = new FairConcurrencyLimit(
      { atOnceMax: threadsMax, accountAtOnceMax, waitingMax, accountWaitingMax, waitMsMax },
      (waitMs) =>
        new ServiceUnavailable(
          'Too much text is waiting to be processed.',
          Math.max(1, Math.ceil(waitMs / 1000)),
        ),
    );
    this.pool = threadPool(
      join(__dirname, 'text.jobs'),
      { maxThreads: threadsMax, resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB_MAX } },
      new Logger('TextThreads'),
    );
  }

  /** `texts` decide by their UTF-8 size whether a thread runs it. @throws OperationTimedOut, ServiceUnavailable */
  async run<Input, Output>(
    job: TextJob<Input, Output>,
    input: Input,
    texts: readonly string[],
    signal?: AbortSignal,
    begun?: () => void,
  ): Promise<Output> {
    signal?.throwIfAborted();
    const bytes = texts.reduce((sum, text) => sum + BYTES_PER_TEXT + Buffer.byteLength(text), 0);
    if (bytes <= IN_PROCESS_BYTES_MAX) {
      const turn = this.loopBudget.take(bytes);
      if (turn) {
        await turn;
        signal?.throwIfAborted();
      }
      begun?.();
      return job.run(input);
    }
    const work = this.turns.within(
      this.ownerOf(signal),
      () => {
        begun?.();
        const { file, name } = job;
        return runInThread<Output>(this.pool, { file, name, input }, this.options.deadlineMs);
      },
      { signal },
    );
    return untilAborted(work, signal);
  }

  private ownerOf(signal: AbortSignal | undefined): string {
    const accountId = originOf(signal)?.accountId ?? null;
    if (accountId !== null) {
      return accountId;
    }
    this.unowned += 1;
    return `unowned ${this.unowned}`;
  }

  async close(): Promise<void> {
    this.turns.close();
    await this.pool.destroy();
  }
}
