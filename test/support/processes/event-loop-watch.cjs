// Loaded into a service before its own code (NODE_OPTIONS=--require): tells its parent how long the event loop was held.
const { readFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

const RESOLUTION_MS = 1;
/** The processor time of the main thread, whose id is the process', in nanoseconds. Linux only: elsewhere the clock. */
const SCHEDULER_FILE = `/proc/self/task/${process.pid}/schedstat`;

if (isMainThread && process.send) {
  watch();
}

/**
 * Two upper bounds of the longest time that one turn of the loop took: by the clock, in which a busy machine and other
 * processes take part, and by the main thread's own processor time between two timers, in which all turns between them
 * take part. What blocks the loop shows in both; what shows in one alone is not the service's doing.
 */
function watch() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let longestMs = 0;
  let before = processorMs();
  const timer = setInterval(() => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, RESOLUTION_MS);
  timer.unref();
  delay.enable();
  process.on('message', (question) => {
    if (question === 'start watching') {
      delay.reset();
      longestMs = 0;
      before = processorMs();
    }
    process.send({ delayMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), processorMs: longestMs });
  });
  process.channel?.unref();
}

function processorMs() {
  try {
    return Number(readFileSync(SCHEDULER_FILE, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
