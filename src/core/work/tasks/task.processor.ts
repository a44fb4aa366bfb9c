import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { RUN_AT_ONCE_MAX } from './task-bounds';
import { TASK_QUEUE, type TaskJob } from './task-queue';
import { TaskRuns } from './task-runs';

/** Runs the tasks that come through the queue. */
@Processor(TASK_QUEUE, { concurrency: RUN_AT_ONCE_MAX })
export class TaskProcessor extends WorkerHost {
  constructor(private readonly runs: TaskRuns) {
    super();
  }

  process(job: Job<TaskJob>): Promise<void> {
    return this.runs.run(job.data.taskId);
  }
}
