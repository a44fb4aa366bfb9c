import {
  tasksApi,
  type CancelTaskCall,
  type GetTaskCall,
  type ListTasksCall,
  type SubmitTaskCall,
  type TasksApi,
} from '../../../generated/contract';
import type { Task, TaskList } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toEntry, toTask } from './tasks.mapper';
import { TasksService } from './tasks.service';

@Serves(tasksApi)
export class TasksController implements TasksApi {
  constructor(private readonly tasks: TasksService) {}

  async submitTask({ account, key, idempotencyId, requestId, body }: SubmitTaskCall): Promise<Task> {
    const submitter = { accountId: account.id, keyId: key.id, submission: idempotencyId, requestId };
    return toTask(await this.tasks.submit(submitter, body));
  }

  async listTasks({ account, query }: ListTasksCall): Promise<TaskList> {
    const { tasks, total } = await this.tasks.list(account.id, query);
    return { tasks: tasks.map(toEntry), total, limit: query.limit, offset: query.offset };
  }

  async getTask({ account, params }: GetTaskCall): Promise<Task> {
    return toTask(await this.tasks.get(account.id, params.task_id));
  }

  async cancelTask({ account, params }: CancelTaskCall): Promise<Task> {
    return toTask(await this.tasks.cancel(account.id, params.task_id));
  }
}
