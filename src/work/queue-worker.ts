import { setTimeout as delay } from 'node:timers/promises';
import { BullModule, BullRegistrar, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import {
  type Job,
  type JobJson,
  type Processor,
  Queue,
  UnrecoverableError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { endedWithin } from '../runtime/clock';
import { isObject } from '../runtime/json';
import { QueueFaults, QueueMetrics } from './queue.metrics';

const FINISHED_WITHIN_MS = 10_000;
const GIVEN_BACK_WITHIN_MS = 3_000;
const CLOSED_WITHIN_MS = 2_000;

/** A killed worker's job is picked up after its lock; one that kills each worker is tried ten times. */
const DEFAULTS = { lockDuration: 30_000, stalledInterval: 30_000, maxStalledCount: 10, runRetryDelay: 1_000 };

/** Postgres also reports gaps in its news; a silent Redis connection may be dead. */
const LOOKS_AFTER_SECONDS = { postgres: 120, redis: 5 };

export interface GracefulWorkerOptions extends WorkerOptions {
  /** Time for a running job at shutdown, ten seconds by default; then it goes back. */
  finishedWithinMs?: number;
}

/** At shutdown gives jobs back after a while: BullMQ waits for ever, or lets the lock run out. */
export class GracefulWorker extends Worker {
  private readonly inWork = new Set<Job>();
  private stopping: Promise<void> | null = null;

  constructor(
    name: string,
    processor: Processor,
    private readonly ownOptions: GracefulWorkerOptions,
  ) {
    const drainDelay = LOOKS_AFTER_SECONDS['url' in ownOptions.connection ? 'redis' : 'postgres'];
    super(name, processor, { ...DEFAULTS, drainDelay, ...ownOptions });
    this.on('error', new QueueFaults(name).report);
  }

  /** Begins no further job. Resolves when none runs and the connections are closed; never rejects. */
  override close(): Promise<void> {
    return (this.stopping ??= this.stop());
  }

  protected override async callProcessJob(job: Job, token: string, signal?: AbortSignal): Promise<unknown> {
    this.inWork.add(job);
    try {
      return await super.callProcessJob(job, token, signal);
    } finally {
      this.inWork.delete(job);
    }
  }

  /** BullMQ's interrupted wait takes a last job at shutdown; it goes back at once. */
  protected override async nextJobFromJobData(...taken: [JobJson?, string?, string?]): Promise<Job> {
    const job = await super.nextJobFromJobData(...taken);
    if (!job || this.stopping === null) {
      return job;
    }
    await job.moveToWait(job.token).catch((error: unknown) => {
      logger.warn({
        message: 'a job stays locked until its lease is over',
        queue: this.name,
        error: String(error),
      });
    });
    return undefined as unknown as Job;
  }

  private async stop(): Promise<void> {
    const ending = new AbortController();
    const closed = super.close().finally(() => ending.abort());
    await Promise.race([closed, this.finished(ending.signal)]);
    if (this.inWork.size > 0) {
      await before(GIVEN_BACK_WITHIN_MS, this.giveBack());
      return;
    }
    await before(CLOSED_WITHIN_MS, closed);
    if (!this.closed) {
      await before(CLOSED_WITHIN_MS, this.cut());
    }
  }

  private async finished(signal: AbortSignal): Promise<void> {
    const deadlineMs = performance.now() + (this.ownOptions.finishedWithinMs ?? FINISHED_WITHIN_MS);
    while (this.inWork.size > 0 && performance.now() < deadlineMs && !signal.aborted) {
      await delay(50);
    }
  }

  /** The jobs wait again; what their processors still do does not count. */
  private async giveBack(): Promise<void> {
    await Promise.allSettled([...this.inWork].map((job) => job.moveToWait(job.token)));
    await this.cut();
  }

  private async cut(): Promise<void> {
    const closing = this.backend.close(true);
    this.cancelAllJobs('the process stops');
    await this.lockManager.close();
    await closing;
  }
}

/** BullMQ writes faults without a listener to the console. */
class LoggedQueue extends Queue {
  constructor(...parameters: ConstructorParameters<typeof Queue>) {
    super(...parameters);
    this.on('error', new QueueFaults(this.name).report);
  }
}

// At load time: importing groups take the classes as they are then.
BullModule.queueClass = LoggedQueue;
BullModule.workerClass = GracefulWorker;

async function before(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  await endedWithin(timeoutMs, work).catch(() => undefined);
}

const logger = new Logger('Queue');

/** Unknown members pass, for newer versions. @throws UnrecoverableError, so that it is not retried */
export function readJob<Payload extends object>(form: ClassConstructor<Payload>, job: Job): Payload {
  const data: unknown = job.data;
  const payload = isObject(data) ? plainToInstance(form, data) : null;
  const faults = payload ? validateSync(payload).map(String) : ['it is no object'];
  if (payload && faults.length === 0) {
    return payload;
  }
  // The texts name members and rules, but repeat no value.
  const error = faults.join(' ').replace(/\s+/g, ' ').trim();
  const { queueName: queue, id } = job;
  logger.error({
    message: 'a job is given up, because what it carries has not its form',
    queue,
    job_id: id,
    error,
  });
  throw new UnrecoverableError(`the job has not its form: ${error}`);
}

@Injectable()
export class QueueProcessors implements OnModuleDestroy, BeforeApplicationShutdown {
  private workers: Worker[] | null = null;
  private stopping: Promise<unknown> | null = null;

  constructor(
    private readonly modules: ModuleRef,
    private readonly discovery: DiscoveryService,
    private readonly metrics: QueueMetrics,
  ) {}

  /** Takes jobs from now on. Call once the application is initialised. */
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

  /** Resolves when running jobs have ended or gone back, some ten seconds later; never rejects. */
  async stop(): Promise<void> {
    await (this.stopping ??= Promise.all((this.workers ?? []).map((worker) => worker.close())));
  }

  onModuleDestroy(): void {
    void this.stop();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
