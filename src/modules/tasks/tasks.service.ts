import { Injectable } from '@nestjs/common';
import type {
  TaskEntry as EntryAnswer,
  ListTasksQuery,
  SubmitTaskRequest,
  Task as TaskAnswer,
} from '../../../generated/types';
import { ApiError, type ValidationDetail } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { nanoToUsd } from '../../ledger/usd';
import { TaskOperations } from '../../contract/internal-operations';
import type { Task, TaskEntry } from './task';
import { AbandonedCalls } from './task-attempts';
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

export function toEntry(task: TaskEntry): EntryAnswer {
  return {
    id: task.id,
    task_type: task.taskType as EntryAnswer['task_type'],
    priority: task.priority,
    status: task.status,
    progress: task.progress,
    attempts: task.attempts,
    cost: nanoToUsd(task.costNanoUsd),
    error: task.error,
    request_id: task.requestId,
    created_at: task.createdAt.toISOString(),
    started_at: task.startedAt?.toISOString() ?? null,
    finished_at: task.finishedAt?.toISOString() ?? null,
    expires_at: task.expiresAt?.toISOString() ?? null,
  };
}

export function toTask(task: Task): TaskAnswer {
  return {
    ...toEntry(task),
    parameters: JSON.parse(task.parameters) as TaskAnswer['parameters'],
    result: task.result === null ? null : (JSON.parse(task.result) as TaskAnswer['result']),
  };
}

/** Who submits a task. */
interface Submitter {
  accountId: string;
  keyId: string;
  /** The same for every try of one submission; null without an Idempotency-Key. */
  submission: string | null;
  requestId: string;
}

/** The tasks of an account. */
@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: Tasks,
    private readonly operations: TaskOperations,
    private readonly abandoned: AbandonedCalls,
  ) {}

  /**
   * @throws ParametersRefused for a body that its operation would refuse, Conflict when the account has 10,000 tasks that are
   * not finished
   */
  async submit(submitter: Submitter, { task_type, parameters, priority }: SubmitTaskRequest): Promise<Task> {
    const details = this.operations.judge(task_type, parameters);
    if (details.length > 0) {
      throw new ParametersRefused(details);
    }
    return this.tasks.submit({
      ...submitter,
      taskType: task_type,
      parameters: JSON.stringify(parameters),
      priority,
    });
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(accountId: string, query: ListTasksQuery): Promise<{ tasks: TaskEntry[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { status = null, priority = null, task_type = null, limit, offset, sort, order } = query;
    return this.tasks.list(accountId, {
      status,
      priority,
      taskType: task_type,
      createdFrom: start,
      createdBefore: end,
      limit,
      offset,
      sort,
      order,
    });
  }

  /** @throws NotFound where the account has no task of that id */
  async get(accountId: string, id: string): Promise<Task> {
    return this.tasks.get(accountId, id);
  }

  /**
   * @returns the task as it is then, which may still run
   * @throws NotFound where the account has no task of that id, Conflict for one that has ended
   */
  async cancel(accountId: string, id: string): Promise<Task> {
    await this.abandoned.release(accountId, await this.tasks.cancel(accountId, id));
    return this.tasks.get(accountId, id);
  }
}
