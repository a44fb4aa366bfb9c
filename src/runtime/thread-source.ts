import { extname, join } from 'node:path';
import type { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import { OperationTimedOut } from '../errors/api-errors';

interface ThreadSource {
  readonly filename: string;
  readonly execArgv?: string[];
}

/** Compiled code, or TypeScript to transform. @param module its path without an extension */
export function threadSource(module: string): ThreadSource {
  const extension = extname(__filename);
  const filename = `${module}${extension}`;
  if (extension === '.js') {
    return { filename };
  }
  return { filename, execArgv: ['--require', join(__dirname, 'typescript-thread.cjs')] };
}

type PoolOptions = Omit<NonNullable<ConstructorParameters<typeof Piscina>[0]>, 'filename' | 'execArgv'>;

const IDLE_TIMEOUT_MS = 30_000;

/** Starts threads when first needed. @param module needs a default export where `name` is absent */
export function threadPool(module: string, options: PoolOptions, logger: Logger): Piscina {
  const pool = new Piscina({
    ...threadSource(module),
    minThreads: 0,
    idleTimeout: IDLE_TIMEOUT_MS,
    ...options,
  });
  // An idle thread's failure belongs to no job, and would end the process without a listener.
  pool.on('error', (error: Error) => logger.error(error.message, error.stack));
  return pool;
}

/** @throws OperationTimedOut, the signal's reason, and the thread's error */
export async function runInThread<Result>(
  pool: Piscina,
  task: object,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<Result> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    return (await pool.run(task, { signal: either })) as Result;
  } catch (cause) {
    signal?.throwIfAborted();
    throw deadline.aborted ? new OperationTimedOut(deadlineMs) : cause;
  }
}
