import { request, type ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadCall } from '../load';
import { memoryMiB } from '../process-figures';
import type { PassThroughServer } from './servers';
import { MODELS } from './chat-answers';

/** How many streams are held open, each after its first chunk. */
export const IDLE_STREAMS = 500;
/** How many streams are opened at once. Opening all of them together would measure the buffers that this takes. */
const OPENING_MAX = 25;
/** A pause in which the garbage collector frees what the opening left behind. */
const SETTLED_AFTER_MS = 3000;

/** The memory that an open stream takes of a server, in KiB for each stream; null where the system does not tell. */
export async function idleStreamKiB({ server, call }: PassThroughServer): Promise<number | null> {
  const idle = call({ model: MODELS.idle, stream: true }, 'all');
  // The first calls load code and fill caches, which must not count as memory of the streams.
  (await openAll(idle, OPENING_MAX)).forEach((stream) => stream.destroy());
  await delay(SETTLED_AFTER_MS);
  const before = memoryMiB(server.pid);
  const streams = await openAll(idle, IDLE_STREAMS);
  await delay(SETTLED_AFTER_MS);
  const after = memoryMiB(server.pid);
  streams.forEach((stream) => stream.destroy());
  return before === null || after === null ? null : ((after - before) * 1024) / IDLE_STREAMS;
}

async function openAll(call: LoadCall, count: number): Promise<ClientRequest[]> {
  const streams: ClientRequest[] = [];
  while (streams.length < count) {
    const next = Array.from({ length: Math.min(OPENING_MAX, count - streams.length) }, (_, index) =>
      open(call, streams.length + index),
    );
    streams.push(...(await Promise.all(next)));
  }
  return streams;
}

/** Opens a stream; resolves when its first chunk is there. @throws Error for an answer other than 200 */
function open({ url, body, keys }: LoadCall, turn: number): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const key = keys[turn % keys.length];
    const headers = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) };
    const opened = request(url, { method: 'POST', headers, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`an idle stream was answered with ${response.statusCode}`));
        return;
      }
      response.on('error', () => undefined);
      response.once('data', () => resolve(opened));
    });
    opened.on('error', reject);
    opened.end(body);
  });
}
