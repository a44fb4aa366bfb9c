import { readFileSync } from 'node:fs';

/** The processor time of the main thread, whose id is the process'. Linux only: elsewhere the clock. */
const SCHEDULER_FILE = `/proc/self/task/${process.pid}/schedstat`;

/**
 * The processor time that this process, with all its threads, needs for some work, in milliseconds. What other processes
 * do at the time is not in it.
 */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The same of the first of three runs that stays below a limit, or else of the last. A run may include what the engine does
 * meanwhile for all that the process has loaded, such as collecting its garbage; work that needs too much does so each time.
 */
export async function processorMsBelow(limitMs: number, work: () => unknown): Promise<number> {
  let neededMs = await processorMsOf(work);
  for (let runs = 1; runs < 3 && neededMs >= limitMs; runs += 1) {
    neededMs = await processorMsOf(work);
  }
  return neededMs;
}

/** The processor time that the thread of the event loop alone has in the course of some work, in milliseconds. */
export async function eventLoopMsOf(work: () => unknown): Promise<number> {
  const beforeMs = eventLoopMs();
  await work();
  return eventLoopMs() - beforeMs;
}

function eventLoopMs(): number {
  try {
    return Number(readFileSync(SCHEDULER_FILE, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
