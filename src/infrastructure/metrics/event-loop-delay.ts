import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const RESOLUTION_MS = 10;
const WINDOW_MS = 60_000;

/** How late timers of this process are, because the event loop was busy when they were due. */
@Injectable()
export class EventLoopDelay implements OnModuleInit, OnApplicationShutdown {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;
  private beforeMs = 0;

  onModuleInit(): void {
    this.delay.enable();
    this.timer = setInterval(() => this.beginWindow(), WINDOW_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delay.disable();
  }

  /**
   * How late 99 of 100 timers are at most, in milliseconds to a hundredth: in the present minute or in the one before,
   * whichever was worse.
   */
  p99Ms(): number {
    return Math.round(Math.max(this.beforeMs, this.presentMs()) * 100) / 100;
  }

  private beginWindow(): void {
    this.beforeMs = this.presentMs();
    this.delay.reset();
  }

  /** What is measured is the time between two timers, in nanoseconds; before the first one it is 0. */
  private presentMs(): number {
    return Math.max(0, this.delay.percentile(99) / 1e6 - RESOLUTION_MS);
  }
}
