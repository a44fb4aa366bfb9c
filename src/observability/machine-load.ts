import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const RESOLUTION_MS = 10;
const WINDOW_MS = 60_000;

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

  p99Ms(): number {
    return Math.round(Math.max(this.beforeMs, this.presentMs()) * 100) / 100;
  }

  /** The histogram has the nanoseconds between two timers; 0 before the first. */
  private presentMs(): number {
    return Math.max(0, this.delay.percentile(99) / 1e6 - RESOLUTION_MS);
  }
}

/** A container's processor quota on Linux: microseconds or `max`, then the period. */
const PROCESSOR_QUOTA_FILE = '/sys/fs/cgroup/cpu.max';

export function machineShare() {
  const { rss, heapUsed } = process.memoryUsage();
  const memoryBytes = allowedMemoryBytes(process.constrainedMemory(), totalmem());
  return {
    cores: allowedCores(processorQuota(), availableParallelism()),
    // Whole machine, last minute; 0 where the system has no such figure.
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    memoryBytes,
    freeMemoryBytes: Math.min(process.availableMemory(), memoryBytes),
    processMemoryBytes: rss,
    heapUsedBytes: heapUsed,
  };
}

/** @param quota a part of a core counts as one (Linux, cgroup-v2.rst, "CPU Interface Files") */
export function allowedCores(quota: string | null, present: number): number {
  const [time, period] = (quota ?? '').trim().split(' ').map(Number);
  const allowed = Math.ceil(Number(time) / Number(period));
  return allowed >= 1 ? Math.min(allowed, present) : present;
}

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
