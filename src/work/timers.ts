import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Configuration } from '../config/configuration';
import { ProcessRegister } from '../database/process-register';
import { Clock } from '../runtime/clock';

/** Logs a part's failure and returns null, so that the other parts are still done. */
export async function part<Result>(
  logger: Logger,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    logger.error({ message: `${name} failed and is tried again`, error: String(error) });
    return null;
  }
}

/** After a logged failure the next tick retries. Two replicas may run it at once. */
export class TimedJob {
  private readonly logger: Logger;
  private readonly ending = new AbortController();
  private running: Promise<void> | null = null;

  /** @param work one run; its signal is aborted when the process ends */
  constructor(
    private readonly name: string,
    private readonly work: (signal: AbortSignal) => Promise<unknown>,
  ) {
    this.logger = new Logger(name);
  }

  /** Resolves when the run has ended; never rejects. */
  async tick(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.running ??= this.run();
    }
    await this.running;
  }

  async idle(): Promise<void> {
    await this.running;
  }

  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    await part(this.logger, this.name, () => this.work(this.ending.signal));
    this.running = null;
  }
}

interface TimedRun {
  readonly now: Date;
  readonly signal: AbortSignal;
}

interface TimedWork<Subject> {
  readonly name: string;
  readonly everyMs: number | ((configuration: Configuration) => number);
  /** The first run; by default after one interval. */
  readonly first?: 'at the start' | 'with the background work';
  readonly of: Type<Subject>;
  readonly work: (subject: Subject, run: TimedRun) => Promise<unknown>;
}

export type Timed = TimedWork<unknown>;

export function timed<Subject>(entry: TimedWork<Subject>): Timed {
  return entry as Timed;
}

const TABLE = Symbol('the table of timed work');

/** Followers run at each tenth interval, at most every 30 s, in case the leader does nothing. */
const FOLLOWER_EVERY_MS_MIN = 30_000;
const FOLLOWER_INTERVALS = 10;

@Injectable()
export class Timers
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly jobs = new Map<string, TimedJob>();
  private ended: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(TABLE) private readonly table: readonly Timed[],
    private readonly modules: ModuleRef,
    private readonly scheduler: SchedulerRegistry,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  static of(...table: readonly Timed[]): Provider[] {
    return [Timers, { provide: TABLE, useValue: table }];
  }

  onModuleInit(): void {
    for (const { name, of, work } of this.table) {
      const subject = this.modules.get(of, { strict: false });
      this.jobs.set(name, new TimedJob(name, (signal) => work(subject, { now: this.clock.now(), signal })));
    }
  }

  onApplicationBootstrap(): void {
    for (const { name, everyMs } of this.table) {
      const intervalMs =
        typeof everyMs === 'number' ? everyMs : everyMs(this.modules.get(Configuration, { strict: false }));
      const skipped = Math.max(FOLLOWER_INTERVALS, FOLLOWER_EVERY_MS_MIN / intervalMs);
      let intervals = 0;
      const tick = () => {
        intervals += 1;
        if (!this.register.isFollowing || intervals >= skipped) {
          intervals = 0;
          void this.job(name).tick();
        }
      };
      this.scheduler.addInterval(name, setInterval(tick, intervalMs));
    }
    this.begin('at the start');
  }

  start(): void {
    if (!this.register.isFollowing) {
      this.begin('with the background work');
    }
  }

  /** @throws Error for an unknown name */
  job(name: string): TimedJob {
    const job = this.jobs.get(name);
    if (!job) {
      throw new Error(`no timed work is called ${name}`);
    }
    return job;
  }

  /** Not awaited: Nest asks modules in turn, and calls arrive until the last was asked. */
  onModuleDestroy(): void {
    this.ended = Promise.all([...this.jobs.values()].map((job) => job.end()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.ended;
  }

  private begin(first: Timed['first']): void {
    for (const entry of this.table) {
      if (entry.first === first) {
        void this.job(entry.name).tick();
      }
    }
  }
}
