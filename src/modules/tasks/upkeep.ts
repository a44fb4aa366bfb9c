import { timed } from '../../work/timers';
import { Tasks } from './tasks.repository';

/** Deletes tasks 30 days after their end. */
export const TASK_TIMERS = [
  timed({
    name: 'OldTasks',
    everyMs: 60_000,
    of: Tasks,
    work: (tasks, { now, signal }) => tasks.sweep(now, signal),
  }),
];
