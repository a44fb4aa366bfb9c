import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { MemoriesRepository } from './memories.repository';

const SWEPT_EVERY_MS = 60_000;
const DELETED_AT_ONCE_MAX = 500;
const ROUNDS_MAX = 100;

/**
 * Deletes what has expired, in small batches that never wait for a lock, so that every replica may do it. Not left to
 * the next write: an account that writes no more would keep what it wanted forgotten.
 */
@Injectable()
export class ExpiredMemories implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('ExpiredMemories');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.sweepSafely());
    }, SWEPT_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) {
      clearInterval(this.timer);
    }
    await this.running;
  }

  /** Deletes what has expired by now, at most 50,000 memories, and returns how many that were. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let deleted = 0;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const count = await this.memories.removeExpired(now, DELETED_AT_ONCE_MAX);
      deleted += count;
      if (count < DELETED_AT_ONCE_MAX) {
        break;
      }
    }
    return deleted;
  }

  private async sweepSafely(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.error({ message: 'expired memories were not deleted', error: String(error) });
    }
  }
}
