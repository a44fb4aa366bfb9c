import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
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

/** Where Linux tells a container how much processor time it may use: a time and a period, or `max` and a period. */
const PROCESSOR_QUOTA_FILE = '/sys/fs/cgroup/cpu.max';

/** What this process may use of the machine, and how much it uses. */
export interface MachineShare {
  cores: number;
  /** Of the whole machine, over the last minute; 0 on systems that have no such figure. */
  loadAverage: number;
  memoryBytes: number;
  freeMemoryBytes: number;
  processMemoryBytes: number;
  heapUsedBytes: number;
}

/** Reads the present figures. Limits of a container's control group count where they are below what the machine has. */
export function machineShare(): MachineShare {
  const { rss, heapUsed } = process.memoryUsage();
  const memoryBytes = allowedMemoryBytes(process.constrainedMemory(), totalmem());
  return {
    cores: allowedCores(processorQuota(), availableParallelism()),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    memoryBytes,
    freeMemoryBytes: Math.min(process.availableMemory(), memoryBytes),
    processMemoryBytes: rss,
    heapUsedBytes: heapUsed,
  };
}

/**
 * How many cores may be used, at least 1: a share of a core counts as a whole one.
 * @param quota the content of `cpu.max`, such as `150000 100000`; null where there is none
 * Source: Linux, Documentation/admin-guide/cgroup-v2.rst, "CPU Interface Files".
 */
export function allowedCores(quota: string | null, present: number): number {
  const [time, period] = (quota ?? '').trim().split(' ').map(Number);
  const allowed = Math.ceil(Number(time) / Number(period));
  return allowed >= 1 ? Math.min(allowed, present) : present;
}

/** @param limit 0, or more than there is, where nothing limits the process */
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
