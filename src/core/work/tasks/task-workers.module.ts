import { Module } from '@nestjs/common';
import { TaskProcessor } from './task.processor';
import { TaskRuns } from './task-runs';

/** What runs tasks. A process of role `api` leaves it to other processes. */
@Module({ providers: [TaskProcessor, TaskRuns] })
export class TaskWorkersModule {}
