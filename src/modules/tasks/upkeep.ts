import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../runtime/clock';
import { TimedJob } from '../../work/timers';
import { Tasks } from './tasks.repository';

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
