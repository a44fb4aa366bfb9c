import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadCall, LoadResult } from './load';
import { OTHERS_CPU, pinned } from './pinning';

/** The message that tells the load process what to do. */
export interface AutocannonOrder {
  call: LoadCall;
  connections: number;
  durationSeconds: number;
}

/** Loads with autocannon in a process of its own. @throws Error when that process ends without a result */
export async function loadWithAutocannon(
  call: LoadCall,
  connections: number,
  durationSeconds: number,
): Promise<LoadResult> {
  const [command, ...rest] = pinned(OTHERS_CPU, [process.execPath, join(__dirname, 'autocannon-process.js')]);
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const order: AutocannonOrder = { call, connections, durationSeconds };
  const ended = once(child, 'exit').then(() => {
    throw new Error('autocannon gave no result');
  });
  child.send(order);
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult];
  ended.catch(() => undefined);
  return result;
}
