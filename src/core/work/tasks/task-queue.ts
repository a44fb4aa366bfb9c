import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { JOBS_WAITING_MAX } from './task-bounds';

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
