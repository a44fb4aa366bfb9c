// A thread of the child process that ends it, even while its main thread is busy: when the service's process is gone, which
// the main thread would only hear of between two jobs, and when it has too much memory on a system where the service
// cannot see that. It is no TypeScript, so that no test has to transform it in a second thread.
const { workerData } = require('node:worker_threads');

const LOOKS_EVERY_MS = 100;
const { parentId, residentBytesMax } = workerData;

setInterval(() => {
  if (process.ppid !== parentId || process.memoryUsage.rss() > residentBytesMax) {
    process.kill(process.pid, 'SIGKILL');
  }
}, LOOKS_EVERY_MS);
