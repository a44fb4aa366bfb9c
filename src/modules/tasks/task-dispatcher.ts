import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { IsUUID } from 'class-validator';
import { DatabaseUrl } from '../../database/connection';
import { Clock } from '../../runtime/clock';
import { type Claimed, Dispatcher, isAnyFull } from '../../work/dispatcher';
import { JOBS_WAITING_MAX } from './task';
import { TaskAttempts } from './task-attempts';

export const TASK_QUEUE = 'tasks';

/** What a job carries: a claimed task. */
export class TaskJob {
  @IsUUID('loose') taskId!: string;
}

/** Puts waiting tasks in the queue. Its connection also hears which running tasks are to be cancelled. */
@Injectable()
export class TaskDispatcher extends Dispatcher<string, string> {
  /** Is told of each task that is to be cancelled, whichever process runs it. */
  cancelled: (taskId: string) => void = () => undefined;

  constructor(
    private readonly attempts: TaskAttempts,
    @InjectQueue(TASK_QUEUE) private readonly queue: Queue<TaskJob>,
    clock: Clock,
    url: DatabaseUrl,
  ) {
    const heard = (taskId: string) => this.cancelled(taskId);
    super({ kind: 'tasks', clock, notified: { url, channel: 'tasks', heard } });
  }

  protected claim(after: string | null): Promise<Claimed<string, string>> {
    return this.attempts.claim(after);
  }

  protected add(taskIds: readonly string[]) {
    return this.queue.addBulk(taskIds.map((taskId) => ({ name: 'task', data: { taskId } })));
  }

  protected putBack(taskIds: readonly string[]): Promise<void> {
    return this.attempts.putBack(taskIds);
  }

  protected isQueueFull(): Promise<boolean> {
    return isAnyFull([this.queue], JOBS_WAITING_MAX);
  }
}
