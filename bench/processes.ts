import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;

/** A server that the benchmark started and has to stop. */
export interface ServerProcess {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a compiled server on a free port and waits until `path` answers. Throws when it exits before. */
export async function startServer(
  file: string,
  environment: Record<string, string>,
  path: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const child = fork(file, [], {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await answers(url + path))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${file} did not start`);
    }
    await delay(100);
  }
  return { url, process: child, stop: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
