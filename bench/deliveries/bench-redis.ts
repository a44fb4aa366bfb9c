import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawnGuarded } from '../../src/database/embedded/guarded-process';
import { quietPort } from '../../src/database/embedded/server';

export interface BenchRedis {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a Redis that writes nothing to the disk: the deliveries are in Postgres, and what the queue loses is handed over
 * again. Returns null where there is none on the PATH.
 * @throws Error with its own words when it ends before it takes connections
 */
export async function startBenchRedis(): Promise<BenchRedis | null> {
  const command = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (command === undefined) {
    return null;
  }
  const port = await quietPort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const { child, gone } = spawnGuarded([command, ...settings], undefined, ['ignore', 'pipe', 'pipe']);
  let said = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Ready to accept')) {
          resolve();
        }
      });
    }
  });
  const ended = gone.then(() => {
    throw new Error(`Redis ended: ${said}`);
  });
  await Promise.race([ready, ended]);
  ended.catch(() => undefined);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
