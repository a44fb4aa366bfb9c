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
