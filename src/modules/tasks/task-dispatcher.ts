import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { DatabaseUrl } from '../../database/connection';
import { Notifications } from '../../database/notifications';
import { Clock } from '../../runtime/clock';
import { ACCOUNTS_PER_ROUND_MAX, HANDED_MS, IN_HAND_MAX, JOBS_WAITING_MAX, PER_ACCOUNT_MAX } from './task';
import { TaskAttempts } from './task-attempts';

/** Where a round of the hand-over ended. */
interface HandOver {
  /** The tasks that are to be put in the queue, in their order. */
  handed: string[];
  /** The account to go on after; null when there was none after those looked at. */
  lastAccount: string | null;
  /** Whether all that may be in hand are. */
  isFull: boolean;
  /** How many tasks nobody held any more. */
  lost: number;
}

/** The step of the relay. It may run on all replicas at once: what one has handed the others do not see. */
@Injectable()
export class HandOvers {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Hands waiting tasks of the accounts after the given one (sql/tasks_hand_over.sql). */
  async handOver(after: string | null): Promise<HandOver> {
    const now = this.clock.now();
    const [row] = await this.database.query<
      { handed: string[]; last_account: string | null; is_full: boolean; lost: number }[]
    >('SELECT * FROM tasks_hand_over($1, $2, $3, $4, $5, $6)', [
      now,
      new Date(now.getTime() + HANDED_MS),
      after,
      ACCOUNTS_PER_ROUND_MAX,
      PER_ACCOUNT_MAX,
      IN_HAND_MAX,
    ]);
    if (!row) {
      throw new Error('tasks_hand_over gave no row');
    }
    return { handed: row.handed, lastAccount: row.last_account, isFull: row.is_full, lost: row.lost };
  }
}

export const TASK_QUEUE = 'tasks';

/** What a job carries: a task that was handed over. */
export interface TaskJob {
  taskId: string;
}

/** The queue that carries tasks to the workers. */
@Injectable()
export class TaskQueue {
  constructor(@InjectQueue(TASK_QUEUE) private readonly queue: Queue<TaskJob>) {}

  /**
   * Puts tasks in the queue. One that is there already may come to be there twice; only one of the two jobs begins it.
   * @throws QueueUnavailable when the queue is away, after some five seconds
   */
  async add(taskIds: readonly string[]): Promise<void> {
    await this.queue.addBulk(
      taskIds.map((taskId) => ({
        name: 'task',
        data: { taskId },
        opts: { removeOnComplete: true, removeOnFail: true },
      })),
    );
  }

  /**
   * Whether so many jobs wait that nobody seems to work them off.
   * @throws QueueUnavailable when the queue is away
   */
  async isFull(): Promise<boolean> {
    return (await this.queue.getWaitingCount()) >= JOBS_WAITING_MAX;
  }
}

/** Tells the runs of this process that their tasks are to be cancelled. */
@Injectable()
export class TaskCancellations {
  private readonly runs = new Map<string, () => void>();

  /** Calls `cancel` when the task is to be cancelled. Returns a function that ends the watch. */
  watch(taskId: string, cancel: () => void): () => void {
    this.runs.set(taskId, cancel);
    return () => {
      if (this.runs.get(taskId) === cancel) {
        this.runs.delete(taskId);
      }
    };
  }

  /** Does nothing for a task that does not run here. */
  tell(taskId: string): void {
    this.runs.get(taskId)?.();
  }
}

const CHANNEL = 'tasks';
/** Finds what no notification tells of: tasks that nobody holds any more, and those whose time has come. */
const RUN_EVERY_MS = 1_000;
/** A burst of notifications begins one run, not one each. */
const REST_MS = 10;
const RETRY_MS_MAX = 5_000;
/** So that a run ends, even if accounts come as fast as it looks at them. The next follows at once. */
const ROUNDS_MAX = 100;

/**
 * Hands waiting tasks to the queue. It runs on every replica: notifications of Postgres wake it, runs that end in this
 * process, and it looks at least once a second. In one process it never runs twice at once. Its connection also hears
 * which running tasks are to be cancelled.
 */
@Injectable()
export class TaskRelay implements OnModuleDestroy {
  private readonly logger = new Logger('TaskRelay');
  private readonly notifications: Notifications;
  private state: 'new' | 'started' | 'ended' = 'new';
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private plannedAtMs = Infinity;
  private restsUntilMs = 0;
  private failuresInARow = 0;
  /** Whether something happened during the run in progress that it may not have seen. */
  private isWokenMeanwhile = false;
  private afterAccount: string | null = null;
  /** Whether jobs are lost, or nobody works them off. */
  private areJobsMissing = false;

  constructor(
    private readonly handOvers: HandOvers,
    private readonly attempts: TaskAttempts,
    private readonly queue: TaskQueue,
    cancellations: TaskCancellations,
    url: DatabaseUrl,
  ) {
    const heard = (payload: string) => (payload === '' ? this.wake() : cancellations.tell(payload));
    this.notifications = new Notifications(url.value, CHANNEL, heard, () => this.wake());
  }

  /** Runs from now on whenever there may be work, until {@link stop}. */
  async start(): Promise<void> {
    if (this.state === 'new') {
      this.state = 'started';
      await this.notifications.open();
      this.wake();
    }
  }

  /** Begins no further run, and waits for the one in progress. */
  async stop(): Promise<void> {
    const wasStarted = this.state === 'started';
    this.state = 'ended';
    if (this.timer) {
      clearTimeout(this.timer);
    }
    if (wasStarted) {
      await this.notifications.close();
    }
    await this.running?.catch(() => undefined);
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Begins a run soon, because there may be work. Does nothing before {@link start}. */
  wake(): void {
    this.isWokenMeanwhile = true;
    if (!this.running) {
      this.plan(0);
    }
  }

  /**
   * One run, which ends when nothing is left that could be handed over now. Joins the one in progress, if any.
   * @throws the error of the database or the queue. What the queue did not take waits again then.
   */
  run(): Promise<void> {
    this.running ??= this.rounds().finally(() => (this.running = null));
    return this.running;
  }

  /** Begins a run in so many milliseconds, but not before the relay has rested, unless one is planned earlier. */
  private plan(inMs: number): void {
    const nowMs = performance.now();
    const atMs = Math.max(nowMs + inMs, this.restsUntilMs);
    if (this.state !== 'started' || atMs >= this.plannedAtMs) {
      return;
    }
    if (this.timer) {
      clearTimeout(this.timer);
    }
    this.plannedAtMs = atMs;
    this.timer = setTimeout(() => void this.runAsPlanned(), atMs - nowMs);
  }

  private async runAsPlanned(): Promise<void> {
    this.plannedAtMs = Infinity;
    this.isWokenMeanwhile = false;
    let restMs = REST_MS;
    try {
      await this.run();
      this.failuresInARow = 0;
    } catch (error) {
      restMs = Math.min(RETRY_MS_MAX, RUN_EVERY_MS * 2 ** this.failuresInARow);
      this.failuresInARow += 1;
      this.logger.error({ message: 'the relay of tasks failed and is tried again', error: String(error) });
    }
    this.restsUntilMs = performance.now() + restMs;
    this.plan(this.isWokenMeanwhile ? 0 : RUN_EVERY_MS);
  }

  /** Looks at every account with waiting tasks once, unless there is no room left before. */
  private async rounds(): Promise<void> {
    let isFromTheFirst = this.afterAccount === null;
    for (let round = 0; round < ROUNDS_MAX && this.state !== 'ended'; round += 1) {
      // Each task that is handed again would add a job, for as long as no worker runs.
      if (this.areJobsMissing && (await this.queue.isFull())) {
        return;
      }
      const { handed, lastAccount, isFull, lost } = await this.handOvers.handOver(this.afterAccount);
      this.areJobsMissing = lost > 0;
      this.afterAccount = lastAccount;
      await this.enqueue(handed);
      if (isFull || (lastAccount === null && isFromTheFirst)) {
        return;
      }
      isFromTheFirst ||= lastAccount === null;
    }
    this.isWokenMeanwhile = true;
  }

  private async enqueue(handed: readonly string[]): Promise<void> {
    if (handed.length === 0) {
      return;
    }
    try {
      await this.queue.add(handed);
    } catch (error) {
      // If this fails too, nobody holds them after a while.
      await this.attempts.putBack(handed).catch(() => undefined);
      throw error;
    }
  }
}
