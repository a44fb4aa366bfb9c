import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../runtime/clock';
import { TimedJob } from '../../work/timers';
import { Rooms } from './rooms.repository';

const REMOVED_EVERY_MS = 60_000;

/** Deletes what was said in rooms a day after, and rooms that nobody entered for 90 days. */
@Injectable()
export class OldRoomEvents implements OnModuleDestroy {
  readonly job = new TimedJob('OldRoomEvents', (signal) => this.rooms.sweep(this.clock.now(), signal));

  constructor(
    private readonly rooms: Rooms,
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
