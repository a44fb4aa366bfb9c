import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Column, Entity, type EntityManager, MoreThan, PrimaryColumn } from 'typeorm';
import type { TaskError, TaskPriority, TaskStatus, TaskType } from '../../../generated/types';
import { AccountRows, bigintColumn, lockAccount, RETRIED_FOR_MS } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { countOf, deleteInBatches } from '../../database/bounded-statements';
import { Conflict, IdempotencyKeyUsed } from '../../errors/api-errors';
import { Metrics } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import { isId, newId } from '../../runtime/ids';
import { gaugeStages } from '../../work/queue.metrics';
import { timed } from '../../work/timers';

export const UNFINISHED_MAX = 10_000;

export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Rising urgency: the table stores the index. */
export const TASK_PRIORITIES: readonly TaskPriority[] = ['low', 'normal', 'high', 'urgent'];

const PRIORITY = {
  from: (place: number): TaskPriority => TASK_PRIORITIES[place] ?? 'normal',
  to: (priority: TaskPriority): number => TASK_PRIORITIES.indexOf(priority),
};

/** Columns that only workers use are not mapped. */
@Entity('tasks')
export class TaskEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('uuid') keyId!: string;
  @Column('text') taskType!: TaskType;
  @Column('smallint', { transformer: PRIORITY }) priority!: TaskPriority;
  @Column('text') status!: TaskStatus;
  @Column('text') stage!: 'waiting' | 'handed' | 'running' | 'over';
  /** In percent; never falls. */
  @Column('smallint') progress!: number;
  @Column('smallint') attempts!: number;
  /** The charge of the run, without the submission. */
  @Column(bigintColumn) costNanoUsd!: bigint;
  @Column('jsonb', { nullable: true }) error!: TaskError | null;
  /** The latest attempt's call, under which its receipt is found; null before the first. */
  @Column('uuid', { nullable: true }) callId!: string | null;
  /** The same for every try of one submission; null where the caller sent no Idempotency-Key. */
  @Column('text', { nullable: true }) submission!: string | null;
  /** Null for a task of an earlier build. */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('text') parameters!: string;
  @Column('text', { nullable: true }) result!: string | null;
}

export type TaskEntry = Omit<TaskEntity, 'parameters' | 'result'>;

const FRESH_MS = 1_000;
const ACCOUNTS_MAX = 1_000;
const OF_ALL = 'all';
/** Counting more would take ever longer. */
const COUNTED_MAX = 100_000;

interface Counted {
  waiting: number;
  running: number;
}

export interface TaskNumbers extends Counted {
  ownWaiting: number;
  ownRunning: number;
}

/** Unfinished tasks. Counts may be a second old, so that frequent questions cost nothing. */
@Injectable()
export class TaskCounts {
  private readonly counted = new LRUCache<string, Counted>({
    max: ACCOUNTS_MAX,
    ttl: FRESH_MS,
    // Accounts evicted while they are counted get their count all the same.
    ignoreFetchAbort: true,
    fetchMethod: (accountId) => this.count(accountId),
  });

  constructor(
    private readonly databases: AccountDatabases,
    metrics: Metrics,
  ) {
    const help = 'Tasks that are not finished, by their stage.';
    gaugeStages(metrics, databases.everyone, { table: 'tasks', name: 'tasks_unfinished', help });
  }

  async of(accountId: string): Promise<TaskNumbers> {
    const [all, own] = await Promise.all([
      this.counted.forceFetch(OF_ALL),
      this.counted.forceFetch(accountId),
    ]);
    return { ...all, ownWaiting: own.waiting, ownRunning: own.running };
  }

  private async count(accountId: string): Promise<Counted> {
    const [row]: Counted[] = await (accountId === OF_ALL
      ? this.databases.everyone.query(COUNT_ALL, [COUNTED_MAX])
      : this.databases.of(accountId).query(COUNT_OWN, [accountId, COUNTED_MAX]));
    return row ?? { waiting: 0, running: 0 };
  }
}

const NUMBERS = `count(*) FILTER (WHERE stage <> 'running')::integer AS waiting,
  count(*) FILTER (WHERE stage = 'running')::integer AS running`;

const COUNT_ALL = `
  SELECT ${NUMBERS} FROM (
    (SELECT stage FROM tasks WHERE stage = 'waiting' LIMIT $1)
    UNION ALL SELECT stage FROM tasks WHERE stage IN ('handed', 'running')
  ) AS unfinished`;

const COUNT_OWN = `
  SELECT ${NUMBERS} FROM (SELECT stage FROM tasks WHERE account_id = $1 AND stage <> 'over' LIMIT $2) AS unfinished`;

const SWEEP_BATCHES = { sizeMax: 200, batchesMax: 1_000 };

export type TaskOrder = Wish & Pick<TaskEntity, 'accountId' | 'keyId' | 'submission'> & { requestId: string };

@Injectable()
export class Tasks extends AccountRows<TaskEntity, TaskEntry> {
  constructor(
    databases: AccountDatabases,
    private readonly clock: Clock,
  ) {
    super(databases, TaskEntity, { name: 'task', unlisted: ['parameters', 'result'] });
  }

  /** @throws Conflict at 10,000 unfinished tasks, IdempotencyKeyUsed for another task */
  async submit(order: TaskOrder): Promise<TaskEntity> {
    const { accountId } = order;
    const now = this.clock.now();
    return this.transaction(accountId, async (manager) => {
      // Without the lock two submissions of one account would not count each other's task.
      await lockAccount(manager, accountId);
      const earlier = await earlierOf(manager, order, now);
      return earlier ?? (await insert(manager, order, now));
    });
  }

  /** At once unless a worker has it: then it may still succeed. Returns the call of a dead attempt. @throws Conflict */
  async cancel(accountId: string, id: string): Promise<string | null> {
    const now = this.clock.now();
    const values = [accountId, id, now, new Date(now.getTime() + KEPT_MS)];
    const [row]: { verdict: string; previous_call: string | null }[] = isId(id)
      ? await this.databases.of(accountId).query('SELECT * FROM task_cancel($1, $2, $3, $4)', values)
      : [];
    if (!row || row.verdict === 'missing') {
      return this.missing();
    }
    if (row.verdict === 'over') {
      throw new Conflict('The task has ended.');
    }
    return row.previous_call;
  }

  /** Tasks and pauses whose time is over, at most 200,000 of each per schema. @returns how many tasks */
  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    const bounds = { ...SWEEP_BATCHES, signal };
    return this.databases.sumInEach(async (database) => {
      await deleteInBatches(database, FORGET_PAUSES, now, bounds);
      return deleteInBatches(database, FORGET, now, bounds);
    });
  }
}

async function earlierOf(manager: EntityManager, order: TaskOrder, now: Date): Promise<TaskEntity | null> {
  const { submission, accountId } = order;
  if (submission === null) {
    return null;
  }
  const earlier = await manager.findOne(TaskEntity, {
    where: { submission, accountId, createdAt: MoreThan(new Date(now.getTime() - RETRIED_FOR_MS)) },
    order: { createdAt: 'DESC' },
  });
  if (earlier && !isSameWish(earlier, order)) {
    throw new IdempotencyKeyUsed();
  }
  return earlier;
}

type Wish = Pick<TaskEntity, 'taskType' | 'priority' | 'parameters'>;

function isSameWish(one: Wish, other: Wish): boolean {
  const [members, others] = [one, other].map(({ parameters }) => JSON.parse(parameters) as unknown);
  return (
    one.taskType === other.taskType && one.priority === other.priority && isDeepStrictEqual(members, others)
  );
}

/** The notification is in the same transaction, so whoever it wakes finds the task. */
async function insert(manager: EntityManager, order: TaskOrder, now: Date): Promise<TaskEntity> {
  if ((await countOf(manager, UNFINISHED, [order.accountId, UNFINISHED_MAX])) >= UNFINISHED_MAX) {
    throw new Conflict(
      `An account has at most ${UNFINISHED_MAX} tasks that are not finished; wait for some or cancel them.`,
    );
  }
  const task: TaskEntity = {
    ...order,
    id: newId(),
    status: 'queued',
    stage: 'waiting',
    progress: 0,
    attempts: 0,
    costNanoUsd: 0n,
    error: null,
    callId: null,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    result: null,
  };
  await manager.insert(TaskEntity, task);
  await manager.query(`SELECT pg_notify('tasks', '')`);
  return task;
}

const UNFINISHED = `(SELECT FROM tasks WHERE account_id = $1 AND stage <> 'over' LIMIT $2) AS unfinished`;

const FORGET = `
  DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`;

// The outer statement compares the time again, because it sees a locked row as it became.
const FORGET_PAUSES = `
  DELETE FROM task_pauses WHERE until <= $1 AND (key_id, task_type) IN (
    SELECT key_id, task_type FROM task_pauses WHERE until <= $1 LIMIT $2)`;

export const TASK_TIMERS = [
  timed({
    name: 'OldTasks',
    everyMs: 60_000,
    of: Tasks,
    work: (tasks, { now, signal }) => tasks.sweep(now, signal),
  }),
];
