// Loaded into each process of the service before its own code (NODE_OPTIONS=--require): writes every few seconds what it holds
// after a collection to a file of its own, whose folder is SOAK_MEMORY.
const { appendFile } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const EVERY_MS = 5_000;

// The processes that read files inherit the options, and are no process of the service.
if (isMainThread && /src[\\/]main\.js$/.test(process.argv[1] ?? '') && process.env.ROLE !== 'migrate') {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const file = join(process.env.SOAK_MEMORY, `${process.pid}.jsonl`);
  setInterval(() => {
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    const upMs = Math.round(process.uptime() * 1000);
    appendFile(file, `${JSON.stringify({ upMs, rss, heapUsed, external })}\n`, () => undefined);
  }, EVERY_MS).unref();
}
