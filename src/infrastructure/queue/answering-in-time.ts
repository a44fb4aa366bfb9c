import type { IQueueBackend } from 'bullmq';
import { QueueUnavailable } from './queue-unavailable';

/** How long whoever adds a job waits for the queue. On Postgres it tells by itself after little more than that. */
const ANSWERED_WITHIN_MS = 5_500;
const CLOSED_WITHIN_MS = 1_000;
/** A queue waits for its connection as long as it takes; nobody waits for that. */
const UNBOUNDED = new Set<PropertyKey>(['waitUntilReady']);

/**
 * Makes everything that is asked of the backend end in time. BullMQ's own promises may never settle: on Redis before
 * its first connection, on Postgres while it closes. What is late may still be done.
 */
export function answeringInTime<Backend extends IQueueBackend>(backend: Backend): Backend {
  return new Proxy(backend, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name === 'constructor') {
        return member;
      }
      return (...parameters: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, parameters);
        if (name === 'forQueue') {
          return answeringInTime(answer as Backend);
        }
        return isPromise(answer) && !UNBOUNDED.has(name) ? inTime(name, answer) : answer;
      };
    },
  });
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Promise<unknown> | null)?.then === 'function';
}

/** @throws QueueUnavailable when the answer is late; closing just ends then */
async function inTime(name: PropertyKey, answer: Promise<unknown>): Promise<unknown> {
  const isClosing = name === 'close' || name === 'disconnect';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve, reject) => {
    const giveUp = () => reject(new QueueUnavailable(new Error('it gave no answer in time')));
    timer = setTimeout(
      isClosing ? () => resolve(undefined) : giveUp,
      isClosing ? CLOSED_WITHIN_MS : ANSWERED_WITHIN_MS,
    );
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
