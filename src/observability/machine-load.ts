import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const RESOLUTION_MS = 10;
const WINDOW_MS = 60_000;

/** How late timers are because the event loop was busy. */
@Injectable()
export class EventLoopDelay implements OnModuleInit, OnApplicationShutdown {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;
  private beforeMs = 0;

  onModuleInit(): void {
    this.delay.enable();
    this.timer = setInterval(() => {
      this.beforeMs = this.presentMs();
      this.delay.reset();
    }, WINDOW_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delay.disable();
  }

  /** In milliseconds to a hundredth, the worse of the present minute and the one before. */
  p99Ms(): number {
    return Math.round(Math.max(this.beforeMs, this.presentMs()) * 100) / 100;
  }

  /** The time between two timers, in nanoseconds; 0 before the first. */
  private presentMs(): number {
    return Math.max(0, this.delay.percentile(99) / 1e6 - RESOLUTION_MS);
  }
}

/** Linux' processor quota of a container: a time, or `max`, and a period. */
const PROCESSOR_QUOTA_FILE = '/sys/fs/cgroup/cpu.max';

export function machineShare() {
  const { rss, heapUsed } = process.memoryUsage();
  const memoryBytes = allowedMemoryBytes(process.constrainedMemory(), totalmem());
  return {
    cores: allowedCores(processorQuota(), availableParallelism()),
    // Of the whole machine, over the last minute; 0 where the system has no such figure.
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    memoryBytes,
    freeMemoryBytes: Math.min(process.availableMemory(), memoryBytes),
    processMemoryBytes: rss,
    heapUsedBytes: heapUsed,
  };
}

/** `quota`, such as `150000 100000`; a part of a core is one. Source: Linux, cgroup-v2.rst, "CPU Interface Files". */
export function allowedCores(quota: string | null, present: number): number {
  const [time, period] = (quota ?? '').trim().split(' ').map(Number);
  const allowed = Math.ceil(Number(time) / Number(period));
  return allowed >= 1 ? Math.min(allowed, present) : present;
}

/** @param limit 0, or more than present, for none */
export function allowedMemoryBytes(limit: number, present: number): number {
  return limit > 0 ? Math.min(limit, present) : present;
}

function processorQuota(): string | null {
  try {
    return readFileSync(PROCESSOR_QUOTA_FILE, 'utf8');
  } catch {
    return null;
  }
}
