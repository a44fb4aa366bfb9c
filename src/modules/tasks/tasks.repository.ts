import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { inBatches } from '../../database/bounded-statements';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { Clock } from '../../runtime/clock';
import { isId, newId } from '../../runtime/ids';
import {
  ENTRY_COLUMNS,
  entryOf,
  type EntryRow,
  KEPT_MS,
  type Task,
  TASK_PRIORITIES,
  type TaskEntry,
  taskOf,
  type TaskPriority,
  type TaskRow,
  type TaskStatus,
  UNFINISHED_MAX,
} from './task';

/** How long a retry with an Idempotency-Key finds the task of the first try: as long as the key is known. */
const SUBMISSION_MS = 24 * 60 * 60 * 1000;
const SWEEP_BATCHES = { sizeMax: 200, batchesMax: 100 };

/** A task to be run. */
export interface TaskOrder {
  accountId: string;
  keyId: string;
  taskType: string;
  /** JSON text of the operation's body. */
  parameters: string;
  priority: TaskPriority;
  /** The same for every try of one submission; null where the caller sent no Idempotency-Key. */
  submission: string | null;
  /** Of the request that submits it. */
  requestId: string;
}

/** Which of an account's tasks are wanted, and in what order; null means no condition. */
export interface TaskPage {
  status: TaskStatus | null;
  priority: TaskPriority | null;
  taskType: string | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
  limit: number;
  offset: number;
  sort: 'created_at' | 'finished_at' | 'priority';
  order: 'asc' | 'desc';
}

/** The tasks of accounts, as their owners see them. */
@Injectable()
export class Tasks {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a task that waits. A retry of the same submission gets the task of the first try.
   * @throws Conflict when the account has 10,000 tasks that are not finished, Unprocessable where the first try was of
   *   another task, which an Idempotency-Key allows that was freed when that try failed after it had stored its task
   */
  async submit(order: TaskOrder): Promise<Task> {
    const { accountId } = order;
    const now = this.clock.now();
    return this.database.transaction(async (manager) => {
      // Two submissions of one account at once would not count each other's task.
      await manager.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      const earlier = await earlierOf(manager, order, now);
      return earlier ?? (await insert(manager, order, now));
    });
  }

  /** @throws NotFound where the account has no task of that id, and for a text that is no id */
  async get(accountId: string, id: string): Promise<Task> {
    const [row]: TaskRow[] = isId(id) ? await this.database.query(GET, [id, accountId]) : [];
    if (!row) {
      throw new NotFound('task');
    }
    return taskOf(row);
  }

  /** A page of the account's tasks, and how many there are in all. Those that have not finished come last by `finished_at`. */
  async list(accountId: string, page: TaskPage): Promise<{ tasks: TaskEntry[]; total: number }> {
    const { status, priority, taskType, createdFrom, createdBefore, limit, offset, sort } = page;
    const direction = page.order === 'asc' ? 'ASC' : 'DESC';
    const place = priority === null ? null : TASK_PRIORITIES.indexOf(priority);
    const chosen = [accountId, status, place, taskType, createdFrom, createdBefore];
    const [count]: { total: string }[] = await this.database.query(
      `SELECT count(*) AS total FROM tasks WHERE ${CHOSEN}`,
      chosen,
    );
    const rows: EntryRow[] = await this.database.query(
      `SELECT ${ENTRY_COLUMNS} FROM tasks WHERE ${CHOSEN}
       ORDER BY ${sort} ${direction}${sort === 'finished_at' ? ' NULLS LAST' : ''}, id ${direction} LIMIT $7 OFFSET $8`,
      [...chosen, limit, offset],
    );
    return { tasks: rows.map(entryOf), total: Number(count?.total) };
  }

  /**
   * Cancels a task: at once where no worker has it; otherwise its worker is told, and the task may still succeed.
   * @returns the call of an attempt that died, whose reservation may be left; null where there is none
   * @throws NotFound where the account has no such task, Conflict for one that has ended
   */
  async cancel(accountId: string, id: string): Promise<string | null> {
    const now = this.clock.now();
    const [row]: { verdict: string; previous_call: string | null }[] = isId(id)
      ? await this.database.query('SELECT * FROM task_cancel($1, $2, $3, $4)', [
          accountId,
          id,
          now,
          new Date(now.getTime() + KEPT_MS),
        ])
      : [];
    if (!row || row.verdict === 'missing') {
      throw new NotFound('task');
    }
    if (row.verdict === 'over') {
      throw new Conflict('The task has ended.');
    }
    return row.previous_call;
  }

  /**
   * Deletes tasks whose time is over, and pauses that are, 20,000 of each at most, and returns how many tasks. What one run
   * leaves, the next deletes.
   * @param signal ends the run early
   */
  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    const bounds = { ...SWEEP_BATCHES, signal };
    const batchOf = (statement: string) => async (sizeMax: number) => {
      const deleted: [unknown, number] = await this.database.query(statement, [now, sizeMax]);
      return deleted[1];
    };
    await inBatches(bounds, batchOf(FORGET_PAUSES));
    return inBatches(bounds, batchOf(FORGET));
  }
}

async function earlierOf(manager: EntityManager, order: TaskOrder, now: Date): Promise<Task | null> {
  if (order.submission === null) {
    return null;
  }
  const since = new Date(now.getTime() - SUBMISSION_MS);
  const [row]: TaskRow[] = await manager.query(EARLIER, [order.submission, order.accountId, since]);
  const earlier = row ? taskOf(row) : null;
  if (earlier && !isSameWish(earlier, order)) {
    throw new Unprocessable('This Idempotency-Key was used for another request.');
  }
  return earlier;
}

type Wish = Pick<TaskOrder, 'taskType' | 'priority' | 'parameters'>;

/** The members of their parameters may stand in another order. */
function isSameWish(one: Wish, other: Wish): boolean {
  const [members, others] = [one, other].map(({ parameters }) => JSON.parse(parameters) as unknown);
  return (
    one.taskType === other.taskType && one.priority === other.priority && isDeepStrictEqual(members, others)
  );
}

/** The notification is of the same transaction, so whoever it wakes finds the task. */
async function insert(manager: EntityManager, order: TaskOrder, now: Date): Promise<Task> {
  const [count]: { unfinished: string }[] = await manager.query(COUNT_UNFINISHED, [
    order.accountId,
    UNFINISHED_MAX,
  ]);
  if (Number(count?.unfinished) >= UNFINISHED_MAX) {
    throw new Conflict(
      `An account has at most ${UNFINISHED_MAX} tasks that are not finished; wait for some or cancel them.`,
    );
  }
  const [row]: TaskRow[] = await manager.query(INSERT, [
    newId(),
    order.accountId,
    order.keyId,
    order.taskType,
    order.parameters,
    TASK_PRIORITIES.indexOf(order.priority),
    order.submission,
    now,
    order.requestId,
  ]);
  await manager.query(`SELECT pg_notify('tasks', '')`);
  if (!row) {
    throw new Error('a stored task was not returned');
  }
  return taskOf(row);
}

const GET = `SELECT ${ENTRY_COLUMNS}, parameters, result FROM tasks WHERE id = $1 AND account_id = $2`;

const EARLIER = `
  SELECT ${ENTRY_COLUMNS}, parameters, result FROM tasks
  WHERE submission = $1 AND account_id = $2 AND created_at > $3 ORDER BY created_at DESC LIMIT 1`;

const COUNT_UNFINISHED = `
  SELECT count(*) AS unfinished FROM (SELECT FROM tasks WHERE account_id = $1 AND stage <> 'over' LIMIT $2) AS counted`;

const INSERT = `
  INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, submission, created_at, status, stage,
    request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued', 'waiting', $9)
  RETURNING ${ENTRY_COLUMNS}, parameters, result`;

const CHOSEN = `account_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::smallint IS NULL OR priority = $3)
  AND ($4::text IS NULL OR task_type = $4) AND created_at >= coalesce($5::timestamptz, '-infinity')
  AND created_at < coalesce($6::timestamptz, 'infinity')`;

const FORGET = `
  DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`;

// The time is compared again in the outer statement, which sees a row that was locked as it became.
const FORGET_PAUSES = `
  DELETE FROM task_pauses WHERE until <= $1 AND (key_id, task_type) IN (
    SELECT key_id, task_type FROM task_pauses WHERE until <= $1 LIMIT $2)`;
