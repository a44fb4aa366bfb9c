import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { reportReady } from '../report-ready';

/** Starts the gateway in this process, on a port that is free, and tells when it takes calls. */
async function main(): Promise<void> {
  const port = await freePort();
  process.argv.push(`--port=${port}`, '--headless');
  // It is a module of its own kind, installed in another folder.
  await import(process.env.GATEWAY ?? '');
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) {
    await delay(50);
  }
  reportReady(url);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });
}

void main();
