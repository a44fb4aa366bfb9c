import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  Module,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Job } from 'bullmq';
import { RateLimitExceeded } from '../../accounts/rate-limiter';
import {
  ApiError,
  CallCancelled,
  CallStopped,
  DatabaseAway,
  NothingReserved,
  OutcomeUnknown,
  ShuttingDown,
} from '../../errors/api-errors';
import { CallTraces } from '../../events/call-traces';
import { withOrigin } from '../../observability/tracing';
import { newId } from '../../runtime/ids';
import { type RunStage, TaskOperations } from '../../contract/internal-operations';
import {
  AGAIN_AFTER_MS,
  ERROR_LENGTH_MAX,
  FINISHED_WITHIN_MS,
  HEARTBEAT_MS,
  PAUSED_MS_MAX,
  PROGRESS_AFTER_MS,
  RUN_AT_ONCE_MAX,
  type TaskError,
} from './task';
import { AbandonedCalls, type Attempt, type BegunTask, TaskAttempts } from './task-attempts';
import { TASK_QUEUE, TaskCancellations, type TaskJob, TaskRelay } from './task-dispatcher';
import { TasksModule } from './tasks';

/** What follows from an error that ended a run. */
type RunOutcome =
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: TaskError }
  /** The run has no outcome, through no fault of its own: it is made again in so many milliseconds. */
  | { kind: 'again'; waitMs: number }
  /** The key's calls of this type are beyond their rate for so long. */
  | { kind: 'paused'; waitMs: number };

/** Of these the task is not to blame, and nobody is charged. What was charged after all the next attempt finds out. */
const WITHOUT_OUTCOME = [DatabaseAway, NothingReserved, OutcomeUnknown];

const UNEXPECTED: TaskError = {
  status: 500,
  error: 'Internal Server Error',
  message: 'Something went wrong on our side.',
};

export function outcomeOf(thrown: unknown): RunOutcome {
  if (thrown instanceof CallCancelled) {
    return { kind: 'cancelled' };
  }
  if (thrown instanceof CallStopped || thrown instanceof ShuttingDown) {
    return { kind: 'again', waitMs: 0 };
  }
  if (WITHOUT_OUTCOME.some((kind) => thrown instanceof kind)) {
    return { kind: 'again', waitMs: AGAIN_AFTER_MS };
  }
  if (thrown instanceof RateLimitExceeded) {
    const seconds = Number(thrown.options.fields?.retry_after ?? 1);
    return { kind: 'paused', waitMs: Math.min(Math.max(1, seconds) * 1000, PAUSED_MS_MAX) };
  }
  if (thrown instanceof ApiError) {
    const { status, error, message } = thrown;
    return { kind: 'failed', error: { status, error, message: storable(message) } };
  }
  return { kind: 'failed', error: UNEXPECTED };
}

/** An upstream may have written some of the text. Postgres stores neither NUL in it nor half of a surrogate pair. */
function storable(message: string): string {
  return message.slice(0, ERROR_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** How far a run has come at each stage, in percent; the end is 100. */
const PERCENT: Record<RunStage, number> = { admitted: 10, reserved: 25, answered: 90 };

/** An attempt that this process makes. */
interface Run {
  attempt: Attempt;
  /** Ends its call, by CallCancelled or CallStopped. */
  stop: AbortController;
  ended: Promise<void>;
}

/**
 * Runs the tasks that are handed over, and tells Postgres that they live. When the process stops, they have some seconds to
 * end; then they are given back and begun elsewhere, without having counted.
 */
@Injectable()
export class TaskRuns implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Tasks');
  private readonly runs = new Map<string, Run>();
  private heartbeat: NodeJS.Timeout | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly attempts: TaskAttempts,
    private readonly operations: TaskOperations,
    private readonly abandoned: AbandonedCalls,
    private readonly cancellations: TaskCancellations,
    private readonly relay: TaskRelay,
    private readonly traces: CallTraces,
  ) {}

  /**
   * Makes the next attempt of a handed task, if there is one to be made. Resolves when it has ended.
   * @throws the database's error when nothing could be begun or written: then the task is handed over again after a while
   */
  async run(taskId: string): Promise<void> {
    if (this.stopping) {
      await this.attempts.putBack([taskId]);
      return;
    }
    const attempt = { taskId, callId: newId() };
    const task = await this.attempts.begin(attempt);
    if (task) {
      await this.abandoned.release(task.accountId, task.previousCall);
    }
    if (task?.verdict === 'begun') {
      await this.make(attempt, task);
    }
    this.relay.wake();
  }

  /** Tells Postgres that the runs of this process live, and ends those that are no longer its own. */
  async beat(): Promise<void> {
    const held = [...this.runs.values()];
    if (held.length === 0) {
      return;
    }
    const told = await this.attempts.hold(held.map(({ attempt }) => attempt));
    const byTask = new Map(told.map((task) => [task.taskId, task]));
    for (const { attempt, stop } of held) {
      const task = byTask.get(attempt.taskId);
      if (!task) {
        stop.abort(new CallStopped());
      } else if (task.isCancelRequested) {
        stop.abort(new CallCancelled());
      }
    }
  }

  onModuleDestroy(): void {
    this.stopping ??= this.stop();
  }

  /** What runs need, the pool of the database above all, is closed only after this. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  private async make(attempt: Attempt, task: BegunTask): Promise<void> {
    const stop = new AbortController();
    const { requestId, taskType } = task;
    const facts = { 'app.operation_id': taskType };
    const span = await this.traces.follow('task', 'consumer', requestId, facts);
    withOrigin(stop.signal, { requestId: requestId ?? attempt.callId, causedBy: null, span });
    const run = { attempt, stop, ended: Promise.resolve() };
    const unwatch = this.cancellations.watch(attempt.taskId, () => stop.abort(new CallCancelled()));
    this.runs.set(attempt.callId, run);
    this.heartbeat ??= setInterval(() => void this.beatAndLog(), HEARTBEAT_MS);
    if (this.stopping) {
      stop.abort(new CallStopped());
    }
    try {
      await (run.ended = this.carryOut(attempt, task, stop.signal));
    } finally {
      span?.end();
      unwatch();
      this.runs.delete(attempt.callId);
      if (this.runs.size === 0 && this.heartbeat) {
        clearInterval(this.heartbeat);
        this.heartbeat = null;
      }
    }
  }

  private async carryOut(attempt: Attempt, task: BegunTask, cancel: AbortSignal): Promise<void> {
    const { taskType: operationId, keyId, parameters, claim } = task;
    const progress = this.progressOf(attempt);
    try {
      const clientRequestId = `task-${attempt.taskId}`;
      const { reached } = progress;
      await this.operations.run({ operationId, keyId, parameters, claim, clientRequestId, cancel, reached });
    } catch (error) {
      await this.endWithout(attempt, task, error);
      return;
    } finally {
      progress.end();
    }
    await this.attempts.finish(attempt, null);
  }

  private async endWithout(attempt: Attempt, task: BegunTask, error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) {
      this.logger.error({
        message: 'a task failed',
        request_id: task.requestId,
        task_id: attempt.taskId,
        error: String(error),
      });
    }
    const outcome = outcomeOf(error);
    switch (outcome.kind) {
      case 'cancelled':
        await this.attempts.finish(attempt, { status: 'cancelled', error: null });
        return;
      case 'failed':
        await this.attempts.finish(attempt, { status: 'failed', error: outcome.error });
        return;
      case 'paused':
        await this.attempts.pause(task.keyId, task.taskType, outcome.waitMs);
        await this.attempts.giveBack(attempt, 0);
        return;
      case 'again':
        await this.attempts.giveBack(attempt, outcome.waitMs);
    }
  }

  /** Writes each stage once it has lasted a moment, so that short runs write none. */
  private progressOf(attempt: Attempt): { reached: (stage: RunStage) => void; end: () => void } {
    let timer: NodeJS.Timeout | undefined;
    const end = () => clearTimeout(timer);
    const reached = (stage: RunStage) => {
      end();
      timer = setTimeout(() => {
        this.attempts
          .progress(attempt, PERCENT[stage])
          .catch((error: unknown) => this.logger.warn(`progress was not written: ${String(error)}`));
      }, PROGRESS_AFTER_MS);
    };
    return { reached, end };
  }

  private async beatAndLog(): Promise<void> {
    await this.beat().catch((error: unknown) =>
      this.logger.warn({ message: 'running tasks could not be held', error: String(error) }),
    );
  }

  private async stop(): Promise<void> {
    const timer = setTimeout(() => {
      this.runs.forEach(({ stop }) => stop.abort(new CallStopped()));
    }, FINISHED_WITHIN_MS);
    await Promise.allSettled([...this.runs.values()].map(({ ended }) => ended));
    clearTimeout(timer);
  }
}

/** Runs the tasks that come through the queue. */
@Processor(TASK_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
class TaskProcessor extends WorkerHost {
  constructor(private readonly runs: TaskRuns) {
    super();
  }

  process(job: Job<TaskJob>): Promise<void> {
    return this.runs.run(job.data.taskId);
  }
}

/** What runs tasks. A process of role `api` leaves it to other processes. */
@Module({ imports: [TasksModule], providers: [TaskProcessor, TaskRuns] })
export class TaskWorkersModule {}
