import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { MemoriesRepository } from '../../retrieval/memories.repository';
import { Clock } from '../../runtime/clock';
import { TimedJob } from '../../work/timers';

const SWEPT_EVERY_MS = 60_000;

/**
 * Deletes memories that have expired. A timer does it and not the account's next write: the memories of an account that
 * never writes again would otherwise be kept for ever.
 */
@Injectable()
export class ExpiredMemories implements OnModuleDestroy {
  readonly job = new TimedJob('ExpiredMemories', (signal) => this.memories.sweep(this.clock.now(), signal));

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  @Interval(SWEPT_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }
}
