import { Injectable } from '@nestjs/common';
import type { ListTasksQuery, SubmitTaskRequest } from '../../../generated/types';
import { openPeriod } from '../../core/money/usage/period';
import { AbandonedCalls } from '../../core/work/tasks/abandoned-calls';
import { ParametersRefused } from '../../core/work/tasks/parameters-refused';
import type { Task, TaskEntry } from '../../core/work/tasks/task';
import { TaskOperations } from '../../core/work/tasks/task-operations';
import { Tasks } from '../../core/work/tasks/tasks.repository';

/** Who submits a task. */
export interface Submitter {
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
