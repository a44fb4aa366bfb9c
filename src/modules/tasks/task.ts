import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../../database/columns';

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

const PRIORITY = {
  from: (place: number): TaskPriority => TASK_PRIORITIES[place] ?? 'normal',
  to: (priority: TaskPriority): number => TASK_PRIORITIES.indexOf(priority),
};

/** What an operation answered in place of a result. */
export interface TaskError {
  /** The HTTP status that the call would have had. */
  status: number;
  error: string;
  message: string;
}

/** A task: how it stands, what was submitted, and what came of it. What only the workers go by is not mapped. */
@Entity('tasks')
export class TaskEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('uuid') keyId!: string;
  /** The id of the operation that it runs. */
  @Column('text') taskType!: string;
  @Column('smallint', { transformer: PRIORITY }) priority!: TaskPriority;
  @Column('text') status!: TaskStatus;
  @Column('text') stage!: 'waiting' | 'handed' | 'running' | 'over';
  /** In percent; never goes back. */
  @Column('smallint') progress!: number;
  @Column('smallint') attempts!: number;
  /** What the run was charged, without the submission. */
  @Column(bigintColumn) costNanoUsd!: bigint;
  @Column('jsonb', { nullable: true }) error!: TaskError | null;
  /** The call of the latest attempt, under which its receipt is found; null before the first. */
  @Column('uuid', { nullable: true }) callId!: string | null;
  /** The same for every try of one submission; null where the caller sent no Idempotency-Key. */
  @Column('text', { nullable: true }) submission!: string | null;
  /** The request that submitted it; null for one of an earlier build. */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** JSON text of the operation's body, as it was submitted. */
  @Column('text') parameters!: string;
  /** JSON text of the operation's answer; null unless the task has succeeded. */
  @Column('text', { nullable: true }) result!: string | null;
}

/** A task without what may be large. */
export type TaskEntry = Omit<TaskEntity, 'parameters' | 'result'>;
