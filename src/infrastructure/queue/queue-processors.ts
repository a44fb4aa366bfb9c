import { BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import type { Worker } from 'bullmq';
import { QueueMetrics } from './queue-metrics';

/** Begins and stops the classes with `@Processor`, all of them together. */
@Injectable()
export class QueueProcessors implements OnModuleDestroy, BeforeApplicationShutdown {
  private workers: Worker[] | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly modules: ModuleRef,
    private readonly discovery: DiscoveryService,
    private readonly metrics: QueueMetrics,
  ) {}

  /**
   * From now on this process takes jobs off the queues. To be called once, when the application has been initialised;
   * a further call does nothing.
   */
  start(): void {
    if (this.workers !== null || this.stopping !== null) {
      return;
    }
    this.modules.get(BullRegistrar, { strict: false }).register();
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const hosts = providers.filter((provider) => provider instanceof WorkerHost) as WorkerHost<Worker>[];
    this.workers = [...new Set(hosts)].map(({ worker }) => worker);
    this.workers.forEach((worker) => this.metrics.watch(worker));
  }

  /**
   * Takes no further job. Resolves when those that run have ended or have gone back to the queue, ten seconds and a few
   * later at most; never rejects.
   */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopAll());
  }

  /** The jobs that run get their time while the calls in flight get theirs. */
  onModuleDestroy(): void {
    void this.stop();
  }

  /** What a job needs, the pool of the database above all, is closed only after this. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async stopAll(): Promise<void> {
    await Promise.all((this.workers ?? []).map((worker) => worker.close()));
  }
}
