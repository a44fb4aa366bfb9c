import { promisify } from 'node:util';

const POLL_MS = 5;
/** Taken before any test puts other timers in the place of Node's. */
const delay = promisify(setTimeout);

/** Waits for what other processes bring about. The time-out only ends what hangs: a busy machine may need long. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 100_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) {
      throw new Error(`after ${timeoutMs} ms still not: ${what}`);
    }
    await delay(POLL_MS);
  }
}

/** Throws what failed only once all have ended, so that nothing of them goes on beside what comes next. */
export async function allEnded<First, Second>(
  first: Promise<First>[],
  second: Promise<Second>[],
): Promise<[First[], Second[]]> {
  await Promise.allSettled([...first, ...second]);
  return [await Promise.all(first), await Promise.all(second)];
}
