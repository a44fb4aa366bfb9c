import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import {
  type CancelTaskCall,
  type GetTaskCall,
  type ListTasksCall,
  type SubmitTaskCall,
  tasksApi,
  type TasksApi,
} from '../../../generated/contract';
import type { Task, TaskList } from '../../../generated/types';
import { Serves } from '../../contract/serves';
import { AbandonedCalls, TaskAttempts } from './task-attempts';
import { TaskCounts, TaskFigures } from './task-counts';
import { TASK_QUEUE, TaskDispatcher } from './task-dispatcher';
import { Tasks } from './tasks.repository';
import { TasksService, toEntry, toTask } from './tasks.service';

@Serves(tasksApi)
class TasksController implements TasksApi {
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

const SERVICES = [AbandonedCalls, TaskAttempts, TaskCounts, TaskDispatcher, TaskFigures, Tasks];

/** Tasks, and what puts them in the queue. What runs them is TaskWorkersModule. */
@Module({
  imports: [BullModule.registerQueue({ name: TASK_QUEUE })],
  controllers: [TasksController],
  providers: [...SERVICES, TasksService],
  exports: SERVICES,
})
export class TasksModule {}
