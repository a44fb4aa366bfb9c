import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { BatchRuns } from './batches/batch-runs';
import { AbandonedCalls } from './tasks/abandoned-calls';
import { TaskAttempts } from './tasks/attempts.repository';
import { HandOvers } from './tasks/hand-over.repository';
import { TaskCancellations } from './tasks/task-cancellations';
import { TaskCounts } from './tasks/task-counts';
import { TaskFigures } from './tasks/task-figures';
import { TASK_QUEUE, TaskQueue } from './tasks/task-queue';
import { TaskRelay } from './tasks/task-relay';
import { Tasks } from './tasks/tasks.repository';

const SERVICES = [AbandonedCalls, BatchRuns, TaskAttempts, TaskCancellations, TaskCounts, TaskRelay, Tasks];

/** Batches, tasks, and what hands these to the queue. What runs tasks is TaskWorkersModule. */
@Global()
@Module({
  imports: [BullModule.registerQueue({ name: TASK_QUEUE })],
  providers: [...SERVICES, HandOvers, TaskFigures, TaskQueue],
  exports: SERVICES,
})
export class WorkModule {}
