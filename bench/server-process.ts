import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinned, SERVER_CPU } from './pinning';

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 40_000;

/** A server that the benchmark started and has to stop. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Sends the server a message, and waits for its answer. */
  ask(message: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts a compiled server, on the servers' processor unless another one is named; null for none of its own.
 * @throws Error when the server ends before it takes calls, or does not take any within a minute
 */
export async function startServer(
  file: string,
  environment: Record<string, string>,
  nodeArguments: string[] = [],
  cpu: number | null = SERVER_CPU,
): Promise<ServerProcess> {
  const started: [string, ...string[]] = [process.execPath, ...nodeArguments, file];
  const [command, ...rest] = cpu === null ? started : pinned(cpu, started);
  const child = spawn(command, rest, {
    // Our own environment is not passed on: a variable of the service that happens to be set would change the figures.
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = () => stopServer(child);
  try {
    return { url: await addressOf(child, file), pid: child.pid ?? 0, ask: asking(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How a checkout's own start manages the memory for new objects, which decides what garbage collection costs a call. */
export function startFlags(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return manifest.scripts.start.match(/--(?:max-semi-space-size=\d+|no-allocation-site-pretenuring)/g) ?? [];
}

function asking(child: ChildProcess): ServerProcess['ask'] {
  return async (message) => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(READY_WITHIN_MS) });
    child.send(message);
    const [answer] = (await answered) as [unknown];
    return answer;
  };
}

async function addressOf(child: ChildProcess, file: string): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it took calls`);
  });
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  const [url] = (await Promise.race([once(child, 'message', { signal }), ended])) as [string];
  ended.catch(() => undefined);
  return url;
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = once(child, 'exit');
  const killed = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(killed);
}
