/** Tasks of one account that may be unfinished. */
export const UNFINISHED_MAX = 10_000;

/** How often a task is begun at most. Another attempt follows only where a worker died. */
export const ATTEMPTS_MAX = 3;

/** Tasks of one account that are with the queue or run at once, so that they never take all workers. */
export const PER_ACCOUNT_MAX = 8;
/** Tasks of all accounts that are with the queue or run at once: few enough that late comers wait little. */
export const IN_HAND_MAX = 200;
/** Tasks that one process runs at once: so many that accounts whose tasks wait for a slow model do not fill it. */
export const RUN_AT_ONCE_MAX = 64;
/** Jobs that wait in the queue beyond which nobody works them off: more of them would only fill it. */
export const JOBS_WAITING_MAX = 2 * IN_HAND_MAX;
/** Accounts that one round of the dispatcher looks at, each for a look-up in an index. */
export const ACCOUNTS_PER_ROUND_MAX = 500;

/** How long a task waits that could not be run because of the service itself. */
export const AGAIN_AFTER_MS = 1_000;
/**
 * How long tasks of a key and a type wait at most after one was beyond the key's rate. The window may be a day, and the rate
 * may be raised meanwhile, of which nothing tells them.
 */
export const PAUSED_MS_MAX = 60_000;
/** A stage of a run is written when it has lasted so long: most runs are over before. */
export const PROGRESS_AFTER_MS = 100;

/** How long an ended task is kept. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** How much of an error's text a task keeps, in UTF-16 units. */
export const ERROR_LENGTH_MAX = 4_000;

export type TaskStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** From the least urgent on: their places are what the table stores. */
export const TASK_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** What an operation answered in place of a result. */
export interface TaskError {
  /** The HTTP status that the call would have had. */
  status: number;
  error: string;
  message: string;
}

/** A task as lists tell of it. */
export interface TaskEntry {
  id: string;
  /** The id of the operation that it runs. */
  taskType: string;
  priority: TaskPriority;
  status: TaskStatus;
  /** In percent; never goes back. */
  progress: number;
  attempts: number;
  /** What the run was charged, without the submission. */
  costNanoUsd: bigint;
  error: TaskError | null;
  /** The call of the latest attempt, under which its receipt is found; null before the first. */
  requestId: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

/** A task as a whole. */
export interface Task extends TaskEntry {
  /** JSON text of the operation's body, as it was submitted. */
  parameters: string;
  /** JSON text of the operation's answer; null unless the task has succeeded. */
  result: string | null;
}

/** The columns of `tasks` that an entry is read from. */
export const ENTRY_COLUMNS = `id, task_type, priority, status, progress, attempts, cost_nano_usd, error, call_id, created_at,
  started_at, finished_at, expires_at`;

export interface EntryRow {
  id: string;
  task_type: string;
  priority: number;
  status: TaskStatus;
  progress: number;
  attempts: number;
  cost_nano_usd: string;
  error: TaskError | null;
  call_id: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
}

export interface TaskRow extends EntryRow {
  parameters: string;
  result: string | null;
}

export function entryOf(row: EntryRow): TaskEntry {
  return {
    id: row.id,
    taskType: row.task_type,
    priority: TASK_PRIORITIES[row.priority] ?? 'normal',
    status: row.status,
    progress: row.progress,
    attempts: row.attempts,
    costNanoUsd: BigInt(row.cost_nano_usd),
    error: row.error,
    requestId: row.call_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}

export function taskOf(row: TaskRow): Task {
  return { ...entryOf(row), parameters: row.parameters, result: row.result };
}
