import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { newId } from '../../../infrastructure/ids/ids';
import { marked } from '../../../infrastructure/tracing/work-origin';
import { CallTraces } from '../../events/outbox/call-traces';
import { ApiError } from '../../errors/api-error';
import { CallCancelled, CallStopped } from '../../errors/service-errors';
import { AbandonedCalls } from './abandoned-calls';
import { TaskAttempts, type Attempt, type BegunTask } from './attempts.repository';
import { outcomeOf } from './run-outcome';
import { FINISHED_WITHIN_MS, HEARTBEAT_MS, PROGRESS_AFTER_MS } from './task-bounds';
import { TaskCancellations } from './task-cancellations';
import { TaskOperations, type RunStage } from './task-operations';
import { TaskRelay } from './task-relay';

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
    marked(stop.signal, { requestId: requestId ?? attempt.callId, causedBy: null, span });
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
