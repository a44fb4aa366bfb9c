import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { IsUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import type { TaskError, TaskStatus } from '../../../generated/types';
import { AccountDatabases } from '../../database/account-databases';
import { ProcessRegister } from '../../database/process-register';
import { CallCancelled } from '../../errors/api-errors';
import type { Claim } from '../../ledger/idempotency';
import { Ledger } from '../../ledger/ledger';
import { Clock } from '../../runtime/clock';
import { type Claimed, claimInAll, Dispatcher, type Places } from '../../work/dispatcher';
import { type AccountLease, CLAIMED_MS, type Lease, LEASE_MS } from '../../work/leased-worker';
import { KEPT_MS, type TaskEntity } from './tasks.repository';

const ATTEMPTS_MAX = 3;
/** Queued or running tasks of one account, so that it never takes all workers. */
export const PER_ACCOUNT_MAX = 8;
/** Queued or running tasks of all accounts, per working process: few, so that late comers wait little. */
export const IN_HAND_MAX = 200;
/** Waiting jobs per working process: beyond this they would only fill the queue. */
const JOBS_WAITING_MAX = 2 * IN_HAND_MAX;
const ACCOUNTS_PER_ROUND_MAX = 500;

type TaskParts = Pick<TaskEntity, 'accountId' | 'keyId' | 'taskType' | 'parameters' | 'requestId'>;

export interface BegunTask extends TaskParts {
  verdict: 'begun';
  claim: Claim;
  /** The previous attempt's call, whose reservation may be left; null for the first. */
  previousCall: string | null;
}

interface EndedTask {
  verdict: 'ended';
  accountId: string;
  previousCall: string | null;
}

type PausedTasks = Pick<BegunTask, 'accountId' | 'keyId' | 'taskType'>;

const DIED: TaskError = {
  status: 503,
  error: 'Service Unavailable',
  message: `The task was begun ${ATTEMPTS_MAX} times, and each time its worker died or the database gave it up.`,
};

@Injectable()
export class TaskAttempts {
  private readonly logger = new Logger('Tasks');

  constructor(
    private readonly databases: AccountDatabases,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  claim(after: Places<string> | null): Promise<Claimed<string, Places<string>>> {
    return claimInAll(this.databases, after, (database, accountId) => this.claimIn(database, accountId));
  }

  private async claimIn(database: DataSource, after: string | null): Promise<Claimed<string, string>> {
    const now = this.clock.now();
    const bounds = [ACCOUNTS_PER_ROUND_MAX, PER_ACCOUNT_MAX, IN_HAND_MAX * this.register.workers];
    const values = [now, later(now, CLAIMED_MS), after, ...bounds];
    const [row] = await database.query<HandOverRow[]>(HAND_OVER, values);
    if (!row) {
      throw new Error('tasks_hand_over gave no row');
    }
    const { lost, areInHand, ...claimed } = row;
    return {
      ...claimed,
      isMore: row.after !== null && !row.isFull,
      leasesOver: lost ?? 0,
      isQuiet: !row.areKeptBack && !areInHand,
      isBusy: lost === null,
    };
  }

  /** Null where the task is not to be begun (any more): sql/task_begin.sql. */
  async begin({ itemId: taskId, runId: callId }: Lease): Promise<BegunTask | EndedTask | null> {
    const now = this.clock.now();
    const database = await this.databases.with('tasks', taskId);
    const times = [now, later(now, LEASE_MS), later(now, KEPT_MS)];
    const values = [taskId, callId, ATTEMPTS_MAX, JSON.stringify(DIED), ...times];
    const [row] = await database.query<BeginRow[]>(BEGIN, values);
    if (!row || row.verdict === 'gone') {
      return null;
    }
    return row.verdict === 'ended'
      ? row
      : { ...row, claim: { id: `task:${taskId}`, accountId: row.accountId, callId } };
  }

  /** Prolongs leases. Attempts missing in the answer were followed by others, or their tasks have ended. */
  async hold(attempts: readonly Lease[]): Promise<Map<string, Error | null>> {
    const held = new Map<string, Error | null>();
    for (const [database, together] of await this.databases.withEach('tasks', attempts, idOf)) {
      const calls = together.map(({ runId }) => runId);
      const values = [together.map(idOf), calls, later(this.clock.now(), LEASE_MS)];
      const [rows]: [{ taskId: string; isCancelRequested: boolean }[], number] = await database.query(
        HOLD,
        values,
      );
      rows.forEach(({ taskId, isCancelRequested }) =>
        held.set(taskId, isCancelRequested ? new CallCancelled() : null),
      );
    }
    return held;
  }

  async progress({ accountId, itemId: taskId, runId: callId }: AccountLease, percent: number): Promise<void> {
    await this.databases.of(accountId).query(PROGRESS, [taskId, callId, percent]);
  }

  /** A kept answer wins over `outcome` (sql/task_finish.sql). Null where another attempt has followed. */
  async finish(
    { accountId, itemId: taskId, runId: callId }: AccountLease,
    outcome: { status: 'failed' | 'cancelled'; error: TaskError | null } | null,
  ): Promise<TaskStatus | null> {
    const now = this.clock.now();
    const { status = null, error = null } = outcome ?? {};
    const values = [taskId, callId, status, error && JSON.stringify(error), now, later(now, KEPT_MS)];
    const [row]: { ended: TaskStatus | null }[] = await this.databases.of(accountId).query(FINISH, values);
    return row?.ended ?? null;
  }

  /** The task waits again. The next attempt cleans up after the call of this one. */
  async giveBack(
    { accountId, itemId: taskId, runId: callId }: AccountLease,
    waitMs: number,
    counts = false,
  ): Promise<void> {
    const values = [taskId, callId, later(this.clock.now(), waitMs), counts ? 0 : 1];
    await this.databases.of(accountId).query(GIVE_BACK, values);
  }

  /** At once, so that the next attempt has that credit. Never rejects: what fails is left to the sweeper. */
  async release(accountId: string, callId: string | null): Promise<void> {
    if (callId === null) {
      return;
    }
    const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
    await this.ledger
      .settle({ callId, accountId, outcome: 'released', now: this.clock.now(), ...nothing })
      .catch((error: unknown) =>
        this.logger.warn({ message: 'a reservation is left to the sweeper', error: String(error) }),
      );
  }

  async putBack(taskIds: readonly string[]): Promise<void> {
    for (const [database, together] of await this.databases.withEach('tasks', taskIds, (id) => id)) {
      await database.query(PUT_BACK, [together]);
    }
  }

  /** Delays a key's tasks of a type, one of which exceeded the key's rate. */
  async pause({ accountId, keyId, taskType }: PausedTasks, waitMs: number): Promise<void> {
    await this.databases.of(accountId).query(PAUSE, [keyId, taskType, later(this.clock.now(), waitMs)]);
  }
}

const idOf = ({ itemId }: Lease) => itemId;

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

// The flags show the state before this round, when its tasks were already waiting or in hand.
const HAND_OVER = `
  SELECT handed AS items, last_account AS after, is_full AS "isFull", lost,
    EXISTS (SELECT FROM tasks WHERE stage = 'waiting') AS "areKeptBack",
    EXISTS (SELECT FROM tasks WHERE stage IN ('handed', 'running')) AS "areInHand"
  FROM tasks_hand_over($1, $2, $3, $4, $5, $6)`;

type HandOverRow = Pick<Claimed<string, string>, 'items' | 'after' | 'isFull' | 'areKeptBack'> & {
  lost: number | null;
  areInHand: boolean;
};

const BEGIN = `
  SELECT verdict, begun.account_id AS "accountId", begun.key_id AS "keyId", begun.task_type AS "taskType",
    begun.parameters, previous_call AS "previousCall", tasks.request_id AS "requestId"
  FROM task_begin($1, $2, $3, $4, $5, $6, $7) AS begun LEFT JOIN tasks ON tasks.id = $1`;

type BeginRow = Omit<BegunTask, 'claim'> | EndedTask | { verdict: 'gone' };

// A task that nobody held for a while and nobody began since is still this attempt's. One that it gave back is not:
// that has a time before which it is not begun.
const HOLD = `
  UPDATE tasks AS t SET stage = 'running', held_until = $3
  FROM (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS given (id, call_id) ORDER BY id) AS given
  WHERE t.id = given.id AND t.call_id = given.call_id AND t.stage <> 'over' AND t.not_before IS NULL
  RETURNING t.id AS "taskId", t.cancel_requested_at IS NOT NULL AS "isCancelRequested"`;

const PROGRESS = `
  UPDATE tasks SET progress = $3 WHERE id = $1 AND call_id = $2 AND stage = 'running' AND progress < $3`;

const FINISH = 'SELECT task_finish($1, $2, $3, $4, $5, $6) AS ended';

// A task that was not seen to begin is queued again.
const GIVE_BACK = `
  UPDATE tasks SET
    stage = 'waiting',
    held_until = NULL,
    not_before = $3,
    attempts = attempts - $4,
    status = CASE WHEN attempts = $4 AND progress = 0 THEN 'queued' ELSE status END,
    started_at = CASE WHEN attempts = $4 AND progress = 0 THEN NULL ELSE started_at END
  WHERE id = $1 AND call_id = $2 AND stage <> 'over'`;

const PUT_BACK = `UPDATE tasks SET stage = 'waiting', held_until = NULL WHERE id = ANY($1::uuid[]) AND stage = 'handed'`;

const PAUSE = `
  INSERT INTO task_pauses VALUES ($1, $2, $3)
  ON CONFLICT (key_id, task_type) DO UPDATE SET until = greatest(task_pauses.until, excluded.until)`;

export const TASK_QUEUE = 'tasks';

export class TaskJob {
  @IsUUID('loose') taskId!: string;
}

@Injectable()
export class TaskDispatcher extends Dispatcher<string, Places<string>> {
  cancelled: (taskId: string) => void = () => undefined;

  constructor(
    private readonly attempts: TaskAttempts,
    @InjectQueue(TASK_QUEUE) private readonly queue: Queue<TaskJob>,
    clock: Clock,
    register: ProcessRegister,
  ) {
    const heard = (taskId: string) => this.cancelled(taskId);
    super({
      kind: 'tasks',
      clock,
      register,
      channel: 'tasks',
      heard,
      queues: [queue],
      jobsWaitingMax: JOBS_WAITING_MAX,
    });
  }

  protected claim(after: Places<string> | null): Promise<Claimed<string, Places<string>>> {
    return this.attempts.claim(after);
  }

  protected add(taskIds: readonly string[]) {
    return this.queue.addBulk(taskIds.map((taskId) => ({ name: 'task', data: { taskId } })));
  }

  protected putBack(taskIds: readonly string[]): Promise<void> {
    return this.attempts.putBack(taskIds);
  }
}
