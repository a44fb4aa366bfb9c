import { MemoriesRepository } from '../../retrieval/memories.repository';
import { timed } from '../../work/timers';

/**
 * Deletes memories that have expired. A timer does it and not the account's next write: the memories of an account that
 * never writes again would otherwise be kept for ever.
 */
export const MEMORY_TIMERS = [
  timed({
    name: 'ExpiredMemories',
    everyMs: 60_000,
    of: MemoriesRepository,
    work: (memories, { now, signal }) => memories.sweep(now, signal),
  }),
];
