import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Tasks } from '../core/work/tasks/tasks.repository';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const REMOVED_EVERY_MS = 60_000;

/** Deletes tasks 30 days after their end. */
@Injectable()
export class OldTasks implements OnModuleDestroy {
  readonly job = new TimedJob('OldTasks', (signal) => this.tasks.sweep(this.clock.now(), signal));

  constructor(
    private readonly tasks: Tasks,
    private readonly clock: Clock,
  ) {}

  @Interval(REMOVED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }
}
