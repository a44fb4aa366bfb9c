import { Logger } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { OperationTimedOut, ServiceUnavailable } from '../../errors/service-errors';
import * as textJobs from './text-jobs';
import { TurnBudget } from './turn-budget';
import { threadSource } from '../../../infrastructure/threads/thread-source';

type TextJobs = typeof textJobs;
type TextJobName = keyof TextJobs;

export interface TextThreadsOptions {
  /** The longest that a job may wait and run together. */
  readonly deadlineMs: number;
  readonly threadsMax: number;
  /** How many jobs may wait for a thread. */
  readonly waitingMax: number;
}

/** Every text counts as so many bytes more than it has, because two thousand small texts take long too. */
const BYTES_PER_TEXT = 32;
/**
 * Up to this size a job takes less than 50 ms even on hostile text, and runs on the event loop; so do several in one turn of
 * it that have no more together.
 */
const IN_PROCESS_BYTES_MAX = 8 * 1024;
/** Jobs that read a text so often that it counts as so many times as large. */
const TIMES_READ: Partial<Record<TextJobName, number>> = { analyzeWriting: 3 };
/** A thread holds about 40 MB of vocabulary, so it ends after being unused for so long. */
const IDLE_TIMEOUT_MS = 30_000;
const THREAD_MEMORY_MB_MAX = 512;

/** A new thread looks this job up before it reports that it is ready. Every call then names its own job. */
const FIRST_JOB: TextJobName = 'countPackedTokens';

/**
 * Runs small text jobs at once, and large ones in worker threads with a deadline, so that none blocks the event loop.
 */
export class TextThreads {
  private readonly options: TextThreadsOptions;
  private readonly pool: Piscina;
  private readonly turns = new TurnBudget(IN_PROCESS_BYTES_MAX);
  private readonly logger = new Logger('TextThreads');

  constructor(options: Partial<TextThreadsOptions> = {}) {
    this.options = {
      deadlineMs: 10_000,
      threadsMax: Math.min(4, Math.max(1, availableParallelism() - 1)),
      waitingMax: 64,
      ...options,
    };
    this.pool = new Piscina({
      ...threadSource(join(__dirname, 'text-jobs')),
      name: FIRST_JOB,
      minThreads: 0,
      maxThreads: this.options.threadsMax,
      maxQueue: this.options.waitingMax,
      idleTimeout: IDLE_TIMEOUT_MS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB_MAX },
    });
    // The failure of an idle thread belongs to no job. Without a listener the error would end the process.
    this.pool.on('error', (error: Error) => this.logger.error(error.message, error.stack));
  }

  /**
   * Runs the job of that name on `input`. `texts` are the texts that its running time depends on; their number and
   * UTF-8 size decide whether a thread runs it. Throws OperationTimedOut after the deadline, ServiceUnavailable when
   * too many jobs wait, and the signal's reason when it aborts.
   */
  async run<Name extends TextJobName>(
    name: Name,
    input: Parameters<TextJobs[Name]>[0],
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReturnType<TextJobs[Name]>> {
    signal?.throwIfAborted();
    const read = texts.reduce((sum, text) => sum + BYTES_PER_TEXT + Buffer.byteLength(text), 0);
    const bytes = read * (TIMES_READ[name] ?? 1);
    if (bytes <= IN_PROCESS_BYTES_MAX) {
      const turn = this.turns.take(bytes);
      if (turn) {
        await turn;
        signal?.throwIfAborted();
      }
      const job = textJobs[name] as (input: unknown) => ReturnType<TextJobs[Name]>;
      return job(input);
    }
    if (this.pool.queueSize >= this.options.waitingMax) {
      throw new ServiceUnavailable('Too much text is waiting to be processed.', 1);
    }
    const deadline = AbortSignal.timeout(this.options.deadlineMs);
    try {
      const result: unknown = await this.pool.run(input, {
        name,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      return result as ReturnType<TextJobs[Name]>;
    } catch (cause) {
      signal?.throwIfAborted();
      if (deadline.aborted) {
        throw new OperationTimedOut(this.options.deadlineMs);
      }
      throw cause;
    }
  }

  /** Ends all threads; jobs still running fail. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
