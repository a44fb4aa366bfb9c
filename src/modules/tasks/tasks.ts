import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  type CancelTaskCall,
  type GetTaskCall,
  type ListTasksCall,
  type SubmitTaskCall,
  tasksApi,
  type TasksApi,
} from '../../../generated/contract';
import type { Task, TaskEntry as TaskEntryView, TaskList } from '../../../generated/types';
import { TaskOperations } from '../../contract/internal-operations';
import { Serves } from '../../contract/operation';
import { ApiError, type ValidationDetail } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { nanoToUsd } from '../../ledger/money';
import { TASK_PRIORITIES, TaskEntity, type TaskEntry } from './task';
import { AbandonedCalls, TaskAttempts } from './task-attempts';
import { TaskCounts, TaskFigures } from './tasks.repository';
import { TASK_QUEUE, TaskDispatcher } from './task-attempts';
import { Tasks } from './tasks.repository';

/** 422: the parameters of a task are a body that its operation would refuse. */
class ParametersRefused extends ApiError {
  /** @param details as the operation would tell them; here their paths begin with `parameters` */
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
    id: task.id,
    task_type: task.taskType as TaskEntryView['task_type'],
    priority: task.priority,
    status: task.status,
    progress: task.progress,
    attempts: task.attempts,
    cost: nanoToUsd(task.costNanoUsd),
    error: task.error,
    request_id: task.callId,
    created_at: task.createdAt.toISOString(),
    started_at: task.startedAt?.toISOString() ?? null,
    finished_at: task.finishedAt?.toISOString() ?? null,
    expires_at: task.expiresAt?.toISOString() ?? null,
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
    private readonly abandoned: AbandonedCalls,
  ) {}

  async submitTask({ account, key, idempotencyId, requestId, body }: SubmitTaskCall): Promise<Task> {
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

  async listTasks({ account, query }: ListTasksCall): Promise<TaskList> {
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

  async getTask({ account, params }: GetTaskCall): Promise<Task> {
    return toTask(await this.tasks.get(account.id, params.task_id));
  }

  /** The task as it is then, which may still run. */
  async cancelTask({ account, params }: CancelTaskCall): Promise<Task> {
    await this.abandoned.release(account.id, await this.tasks.cancel(account.id, params.task_id));
    return toTask(await this.tasks.get(account.id, params.task_id));
  }
}

const SERVICES = [AbandonedCalls, TaskAttempts, TaskCounts, TaskDispatcher, TaskFigures, Tasks];

/** Tasks, and what puts them in the queue. What runs them is TaskWorkersModule. */
@Module({
  imports: [BullModule.registerQueue({ name: TASK_QUEUE }), TypeOrmModule.forFeature([TaskEntity])],
  controllers: [TasksController],
  providers: SERVICES,
  exports: SERVICES,
})
export class TasksModule {}
