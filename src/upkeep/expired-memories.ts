import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { MemoriesRepository } from '../core/knowledge/memories/memories.repository';
import { Clock } from '../infrastructure/clock/clock';
import { TimedJob } from './timed-job';

const SWEPT_EVERY_MS = 60_000;

/**
 * Deletes memories that have expired. Not left to the next write: an account that writes no more would keep what it
 * wanted forgotten.
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
