import { BullModule, Processor } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Job } from 'bullmq';
import { type Call, tasksApi, type TasksApi } from '../../../generated/contract';
import type { Task, TaskEntry as TaskEntryView, TaskError, TaskList } from '../../../generated/types';
import { type RunStage, TaskOperations } from '../../pipeline/metered-calls';
import { Serves } from '../../contract/operation';
import {
  ApiError,
  CallCancelled,
  CallStopped,
  Conflict,
  DatabaseAway,
  NothingReserved,
  OutcomeUnknown,
  ServiceUnavailable,
  ShuttingDown,
  type ValidationDetail,
} from '../../errors/api-errors';
import { isGivenUp } from '../../database/driver-errors';
import { openPeriod } from '../../ledger/period';
import { nanoToUsd } from '../../ledger/money';
import { type BegunTask, TASK_QUEUE, TaskAttempts, TaskDispatcher, TaskJob } from './task-attempts';
import { TASK_PRIORITIES, TaskCounts, TaskEntity, type TaskEntry, Tasks } from './tasks.repository';
import { RateLimitExceeded } from '../../accounts/rate-windows';
import { CallTraces } from '../../events/call-traces';
import { WorkOrigin } from '../../observability/tracing';
import { type AccountLease, Lease, LeasedWorker } from '../../work/leased-worker';
import { readJob } from '../../work/queue-worker';
import { inSnakeCase } from '../../runtime/json';

/** Per process: enough that tasks waiting for a slow model do not fill it. */
const RUN_AT_ONCE_MAX = 64;
/** The wait of a task whose run may have been charged: the next attempt finds out. */
const AGAIN_AFTER_MS = 1_000;
/** At most: a rate may be raised, or what another attempt holds be freed, without notice. */
const PAUSED_MS_MAX = 60_000;
/** A stage is written once it has lasted this long: most runs end before. */
const PROGRESS_AFTER_MS = 100;
const ERROR_LENGTH_MAX = 4_000;

/** 422: the operation would refuse the task's parameters as its body. */
class ParametersRefused extends ApiError {
  /** @param details as the operation reports them; here their paths begin with `parameters` */
  constructor(details: readonly ValidationDetail[]) {
    const ofTask = details.map(({ field, message }) => ({
      field: field === 'body' ? 'parameters' : `parameters.${field}`,
      message,
    }));
    const text = ofTask.map(({ field, message }) => `${field}: ${message}`).join('; ');
    super(422, 'Unprocessable', text, { fields: { details: ofTask } });
  }
}

function toEntry(task: TaskEntry): TaskEntryView {
  return {
    ...inSnakeCase(task, 'id', 'taskType', 'priority', 'status', 'progress', 'attempts', 'error'),
    ...inSnakeCase(task, 'createdAt', 'startedAt', 'finishedAt', 'expiresAt'),
    cost: nanoToUsd(task.costNanoUsd),
    request_id: task.callId,
  };
}

function toTask(task: TaskEntity): Task {
  return {
    ...toEntry(task),
    parameters: JSON.parse(task.parameters) as Task['parameters'],
    result: task.result === null ? null : (JSON.parse(task.result) as Task['result']),
  };
}

@Serves(tasksApi)
class TasksController implements TasksApi {
  constructor(
    private readonly tasks: Tasks,
    private readonly operations: TaskOperations,
    private readonly attempts: TaskAttempts,
  ) {}

  async submitTask({ account, key, idempotencyId, requestId, body }: Call<'submitTask'>): Promise<Task> {
    const { task_type: taskType, parameters, priority } = body;
    const details = this.operations.judge(taskType, parameters);
    if (details.length > 0) {
      throw new ParametersRefused(details);
    }
    const submitted = await this.tasks.submit({
      accountId: account.id,
      keyId: key.id,
      submission: idempotencyId,
      requestId,
      taskType,
      parameters: JSON.stringify(parameters),
      priority,
    });
    return toTask(submitted);
  }

  async listTasks({ account, query }: Call<'listTasks'>): Promise<TaskList> {
    const { items, total, limit, offset } = await this.tasks.list(
      account.id,
      { ...query, ...openPeriod(query) },
      {
        'status = $': query.status,
        'priority = $': query.priority && TASK_PRIORITIES.indexOf(query.priority),
        'task_type = $': query.task_type,
      },
    );
    return { tasks: items.map(toEntry), total, limit, offset };
  }

  async getTask({ account, params }: Call<'getTask'>): Promise<Task> {
    return toTask(await this.tasks.get(account.id, params.task_id));
  }

  async cancelTask({ account, params }: Call<'cancelTask'>): Promise<Task> {
    await this.attempts.release(account.id, await this.tasks.cancel(account.id, params.task_id));
    return toTask(await this.tasks.get(account.id, params.task_id));
  }
}

const SERVICES = [TaskAttempts, TaskCounts, TaskDispatcher, Tasks];

@Module({
  imports: [BullModule.registerQueue({ name: TASK_QUEUE }), TypeOrmModule.forFeature([TaskEntity])],
  controllers: [TasksController],
  providers: SERVICES,
  exports: SERVICES,
})
export class TasksModule {}

type RunOutcome =
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: TaskError }
  | { kind: 'again'; waitMs: number; counts?: true }
  | { kind: 'paused'; waitMs: number };

const UNEXPECTED: TaskError = {
  status: 500,
  error: 'Internal Server Error',
  message: 'Something went wrong on our side.',
};

/** @param hasBegun a model may have been asked, which costs the operator each time */
export function outcomeOf(thrown: unknown, hasBegun: boolean): RunOutcome {
  if (thrown instanceof CallCancelled) {
    return { kind: 'cancelled' };
  }
  if (thrown instanceof CallStopped || thrown instanceof ShuttingDown) {
    return { kind: 'again', waitMs: 0 };
  }
  if (thrown instanceof OutcomeUnknown) {
    return { kind: 'again', waitMs: AGAIN_AFTER_MS };
  }
  if (thrown instanceof DatabaseAway && isGivenUp(thrown.cause)) {
    return { kind: 'again', waitMs: PAUSED_MS_MAX, counts: true };
  }
  // The task is not to blame, and nobody is charged.
  const isOfLedger = thrown instanceof DatabaseAway || thrown instanceof NothingReserved;
  if (isOfLedger || (thrown instanceof ServiceUnavailable && !hasBegun)) {
    return { kind: 'again', waitMs: waitMsOf(thrown.options.headers?.['Retry-After']) };
  }
  // A dead or stopping attempt still holds an item of a batch. Asking often would use up the key's rate.
  if (thrown instanceof Conflict && thrown.options.headers) {
    return { kind: 'again', waitMs: PAUSED_MS_MAX };
  }
  if (thrown instanceof RateLimitExceeded) {
    return { kind: 'paused', waitMs: waitMsOf(thrown.options.fields?.retry_after) };
  }
  if (thrown instanceof ApiError) {
    const { status, error, message } = thrown;
    return { kind: 'failed', error: { status, error, message: storable(message) } };
  }
  return { kind: 'failed', error: UNEXPECTED };
}

function waitMsOf(seconds: unknown): number {
  return Math.min(Math.max(1, Number(seconds ?? 1)) * 1000, PAUSED_MS_MAX);
}

/** An upstream may have written the text. Postgres stores neither NUL nor half a surrogate pair. */
function storable(message: string): string {
  return message.slice(0, ERROR_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed();
}

const PERCENT: Record<RunStage, number> = { admitted: 10, reserved: 25, answered: 90 };

@Processor(TASK_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
export class TaskProcessor extends LeasedWorker<BegunTask> {
  protected readonly logger = new Logger('Tasks');

  constructor(
    private readonly attempts: TaskAttempts,
    private readonly operations: TaskOperations,
    dispatcher: TaskDispatcher,
    private readonly traces: CallTraces,
  ) {
    super(attempts, dispatcher);
    dispatcher.cancelled = (taskId) => this.stopRun(taskId, new CallCancelled());
  }

  async process(job: Job<TaskJob>): Promise<void> {
    await this.run(readJob(TaskJob, job).taskId);
  }

  protected async begin(lease: Lease): Promise<BegunTask | null> {
    const task = await this.attempts.begin(lease);
    if (task) {
      await this.attempts.release(task.accountId, task.previousCall);
    }
    return task?.verdict === 'begun' ? task : null;
  }

  protected async originOf({ runId }: Lease, { requestId, taskType }: BegunTask): Promise<WorkOrigin> {
    const span = await this.traces.follow('task', 'consumer', requestId, { 'app.operation_id': taskType });
    return { requestId: requestId ?? runId, causedBy: null, span };
  }

  protected async carryOut(lease: Lease, task: BegunTask, cancel: AbortSignal): Promise<void> {
    const { accountId, taskType: operationId, keyId, parameters, claim } = task;
    const attempt = { ...lease, accountId };
    const progress = this.progressOf(attempt);
    let hasBegun = false;
    const reached = (stage: RunStage) => {
      hasBegun ||= stage === 'reserved';
      progress.reached(stage);
    };
    try {
      const clientRequestId = `task-${attempt.itemId}`;
      await this.operations.run({ operationId, keyId, parameters, claim, clientRequestId, cancel, reached });
    } catch (error) {
      await this.endWithout(attempt, task, outcomeOf(error, hasBegun), error);
      return;
    } finally {
      progress.end();
    }
    await this.attempts.finish(attempt, null);
  }

  private async endWithout(
    attempt: AccountLease,
    task: BegunTask,
    outcome: RunOutcome,
    error: unknown,
  ): Promise<void> {
    if (!(error instanceof ApiError)) {
      this.logger.error({
        message: 'a task failed',
        request_id: task.requestId,
        task_id: attempt.itemId,
        error: String(error),
      });
    }
    switch (outcome.kind) {
      case 'cancelled':
        await this.attempts.finish(attempt, { status: 'cancelled', error: null });
        return;
      case 'failed':
        await this.attempts.finish(attempt, { status: 'failed', error: outcome.error });
        return;
      case 'paused':
        await this.attempts.pause(task, outcome.waitMs);
        await this.attempts.giveBack(attempt, 0);
        return;
      case 'again':
        await this.attempts.giveBack(attempt, outcome.waitMs, outcome.counts);
    }
  }

  private progressOf(attempt: AccountLease): { reached: (stage: RunStage) => void; end: () => void } {
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
}

@Module({ imports: [TasksModule], providers: [TaskProcessor] })
export class TaskWorkersModule {}
