import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Job, Queue, type Worker } from 'bullmq';
import type { DataSource } from 'typeorm';
import { type Histogram, Metrics } from '../observability/metrics';

const LOGGED_EVERY_MS = 60_000;

/** Limits the log while the server is down: the first fault, then one line a minute with the count. */
export class QueueFaults {
  private readonly logger = new Logger('Queue');
  private loggedAtMs = -Infinity;
  private leftOut = 0;

  constructor(private readonly queue: string) {}

  readonly report = (error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs - this.loggedAtMs < LOGGED_EVERY_MS) {
      this.leftOut += 1;
      return;
    }
    const { queue, leftOut } = this;
    const text = error instanceof Error ? error.message || error.name : String(error);
    this.logger.warn({ message: 'a queue has a fault and goes on trying', queue, error: text, leftOut });
    [this.loggedAtMs, this.leftOut] = [nowMs, 0];
  };
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
/** BullMQ's words. Done and finally failed jobs leave the queue. */
const STATES = ['waiting', 'active', 'delayed'] as const;
const OUTCOMES = ['done', 'failed'] as const;

@Injectable()
export class QueueMetrics implements OnModuleInit {
  private readonly queues: Queue[] = [];
  private readonly jobSeconds;

  constructor(
    metrics: Metrics,
    private readonly discovery: DiscoveryService,
  ) {
    this.jobSeconds = metrics.histogram('queue_job_seconds', 'Time of a job, by how it ended.', SECONDS);
    const depths = metrics.poll<{ labels: Record<string, string>; value: number }[]>([], () => this.depths());
    metrics.gauges('queue_jobs', 'Jobs in the queues of all processes, by their state.', () => depths.latest);
  }

  onModuleInit(): void {
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    this.queues.push(...new Set(providers.filter((provider) => provider instanceof Queue)));
  }

  watch(worker: Worker): void {
    const [done, failed] = OUTCOMES.map((outcome) =>
      this.jobSeconds.labelled({ queue: worker.name, outcome }),
    );
    worker.on('completed', (job: Job) => note(done, job));
    worker.on('failed', (job: Job | undefined) => note(failed, job));
  }

  private async depths() {
    const counted = await Promise.all(
      this.queues.map(async (queue) => {
        const counts = await queue.getJobCounts(...STATES);
        return STATES.map((state) => ({ labels: { queue: queue.name, state }, value: counts[state] ?? 0 }));
      }),
    );
    return counted.flat();
  }
}

/** A killed worker's job is reported by another, without its times. */
function note(seconds: Histogram | undefined, job: Job | undefined): void {
  if (job?.processedOn !== undefined) {
    seconds?.observe(Math.max(0, (job.finishedOn ?? Date.now()) - job.processedOn) / 1000);
  }
}

const COUNTED_MAX = 100_000;

const STAGES = ['waiting', 'handed', 'running'] as const;

export function gaugeStages(
  metrics: Metrics,
  database: DataSource,
  { table, name, help }: { table: 'documents' | 'tasks'; name: string; help: string },
): void {
  const counts = `
    SELECT (SELECT count(*)::integer FROM (SELECT FROM ${table} WHERE stage = 'waiting' LIMIT $1) AS t) AS waiting,
      count(*) FILTER (WHERE stage = 'handed')::integer AS handed,
      count(*) FILTER (WHERE stage = 'running')::integer AS running
    FROM ${table} WHERE stage IN ('handed', 'running')`;
  const none = { waiting: 0, handed: 0, running: 0 };
  const figures = metrics.poll(none, async () => {
    const [row] = await database.query<(typeof none)[]>(counts, [COUNTED_MAX]);
    return row ?? none;
  });
  metrics.gauges(name, help, () =>
    STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
  );
}
