import { BullModule, InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { IsBoolean, IsInt, IsOptional } from 'class-validator';
import { type GracefulWorkerOptions, readJob } from '../../../src/work/queue-worker';

export class Errand {
  /** How often it fails before it succeeds. */
  @IsOptional() @IsInt() failures?: number;
  /** It lasts until the test lets it go. */
  @IsOptional() @IsBoolean() isHeld?: boolean;
}

export interface ErrandRun {
  id: string;
  attempt: number;
  startedAtMs: number;
  outcome: 'running' | 'done' | 'failed' | 'told to stop';
}

/** The runs of one application, and where those that are held wait. */
@Injectable()
export class Errands {
  readonly runs: ErrandRun[] = [];
  /** The ids of those that have succeeded. */
  readonly done = new Set<string>();
  private readonly held = new Map<string, () => void>();

  constructor(
    @InjectQueue('errands') readonly queue: Queue<Errand>,
    @InjectQueue('long-errands') readonly longQueue: Queue<Errand>,
  ) {}

  of(id: string): ErrandRun[] {
    return this.runs.filter((run) => run.id === id);
  }

  release(id: string): void {
    this.held.get(id)?.();
  }

  async run({ id = '', data, attemptsMade }: Job<Errand>, signal?: AbortSignal): Promise<void> {
    const run: ErrandRun = {
      id,
      attempt: attemptsMade + 1,
      startedAtMs: performance.now(),
      outcome: 'running',
    };
    this.runs.push(run);
    signal?.addEventListener('abort', () => (run.outcome = 'told to stop'));
    if (data.isHeld) {
      await new Promise<void>((resolve) => this.held.set(id, resolve));
    }
    await new Promise(setImmediate);
    run.outcome = attemptsMade < (data.failures ?? 0) ? 'failed' : 'done';
    if (run.outcome === 'failed') {
      throw new Error('not yet');
    }
    this.done.add(id);
  }
}

@Processor('errands', { concurrency: 5 })
export class ErrandsProcessor extends WorkerHost {
  constructor(private readonly errands: Errands) {
    super();
  }

  async process(job: Job<Errand>): Promise<void> {
    readJob(Errand, job);
    await this.errands.run(job);
  }
}

const patience: Partial<GracefulWorkerOptions> = { finishedWithinMs: 100 };

@Processor('long-errands', patience)
export class LongErrandsProcessor extends WorkerHost {
  constructor(private readonly errands: Errands) {
    super();
  }

  process(job: Job<Errand>, _token?: string, signal?: AbortSignal): Promise<void> {
    return this.errands.run(job, signal);
  }
}

/** What a team that extends the service brings to have jobs of its own. */
@Module({
  imports: [BullModule.registerQueue({ name: 'errands' }, { name: 'long-errands' })],
  providers: [Errands, ErrandsProcessor, LongErrandsProcessor],
})
export class ErrandsModule {}
