import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/**
 * The signals, in this order: SIGINT is a fast shutdown. SIGQUIT is one without a checkpoint, after which the next
 * start has to recover. SIGKILL ends the server by force.
 */
const STEPS: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 10_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
];
const POLL_MS = 10;

/**
 * Ends a Postgres server and resolves once it is gone, after 35 seconds at most.
 *
 * @param pid the id of the server's first process.
 * @param isRunning tells whether that process still exists.
 * @throws EmbeddedPostgresError when the server still runs after all of the signals.
 */
export async function endPostgres(pid: number, isRunning: () => boolean): Promise<void> {
  for (const { signal, timeoutMs } of STEPS) {
    if (!isRunning()) {
      return;
    }
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
        throw error;
      }
    }
    const deadline = performance.now() + timeoutMs;
    while (isRunning() && performance.now() < deadline) {
      await delay(POLL_MS);
    }
  }
  if (isRunning()) {
    throw new EmbeddedPostgresError(`Postgres, process ${pid}, does not end`);
  }
}
