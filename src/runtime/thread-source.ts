import { extname, join } from 'node:path';
import type { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import { OperationTimedOut } from '../errors/api-errors';

interface ThreadSource {
  readonly filename: string;
  readonly execArgv?: string[];
}

/** The compiled module, or TypeScript that threads transform. `module` is its path without an extension. */
export function threadSource(module: string): ThreadSource {
  const extension = extname(__filename);
  const filename = `${module}${extension}`;
  if (extension === '.js') {
    return { filename };
  }
  return { filename, execArgv: ['--require', join(__dirname, 'typescript-thread.cjs')] };
}

type PoolOptions = Omit<NonNullable<ConstructorParameters<typeof Piscina>[0]>, 'filename' | 'execArgv'>;

/** What a thread has loaded is worth keeping for so long. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Threads that run the functions of a module, and are started when first needed: most processes need none for hours.
 * Without the `name` of one, the module needs a default export.
 */
export function threadPool(module: string, options: PoolOptions, logger: Logger): Piscina {
  const pool = new Piscina({
    ...threadSource(module),
    minThreads: 0,
    idleTimeout: IDLE_TIMEOUT_MS,
    ...options,
  });
  // The failure of an idle thread belongs to no job. Without a listener it would end the process.
  pool.on('error', (error: Error) => logger.error(error.message, error.stack));
  return pool;
}

/** @throws OperationTimedOut, the signal's reason, and what the function in the thread throws */
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
