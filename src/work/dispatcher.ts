import { type BeforeApplicationShutdown, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import type { AccountDatabases } from '../database/account-databases';
import type { ProcessRegister } from '../database/process-register';
import type { Clock } from '../runtime/clock';

/** Finds what sends no notification: ended leases, and items due again. */
const RUN_EVERY_MS = 1_000;
/** While idle: finds items whose writer died before its notification. */
const QUIET_EVERY_MS = 10_000;
/** For followers, in case the leader does nothing; up to twice as long, to spread them. */
const FOLLOW_EVERY_MS = 15_000;
/** After a round that another process held up; up to five times as long. */
const BUSY_MS = 50;
/** A burst of notifications begins one run, not one each. */
const REST_MS = 10;
const RETRY_MS_MAX = 5_000;
/** Ends a run even if work comes as fast as it is claimed; the next follows at once. */
const ROUNDS_MAX = 100;

/** One round's claims: their leases say that they are with the queue. */
export interface Claimed<Item, Place> {
  readonly items: readonly Item[];
  readonly after: Place | null;
  readonly isMore: boolean;
  /** Whether queue and workers have as much as they may. */
  readonly isFull: boolean;
  readonly leasesOver: number;
  readonly areKeptBack: boolean;
  /** Nothing waits or runs, except what becomes due at `nextDueAt`. */
  readonly isQuiet: boolean;
  readonly nextDueAt?: Date | null;
  /** Another process is claiming, so not all schemas were looked at. */
  readonly isBusy?: boolean;
  readonly failure?: Error | undefined;
}

/** Where to go on in each unfinished schema; null for its start. */
export type Places<Place> = ReadonlyMap<DataSource, Place | null>;

/** In random order, since one may leave no room for others. A finished schema starts over. */
export async function claimInAll<Item, Place>(
  databases: AccountDatabases,
  after: Places<Place> | null,
  claim: (database: DataSource, after: Place | null) => Promise<Claimed<Item, Place>>,
): Promise<Claimed<Item, Places<Place>>> {
  const lots = databases.all.map((database) => ({ database, lot: Math.random() }));
  const places = new Map<DataSource, Place | null>();
  const rounds: Claimed<Item, Place>[] = [];
  const failures: Error[] = [];
  for (const { database } of lots.sort((one, other) => one.lot - other.lot)) {
    const place = after?.get(database) ?? null;
    const round = await claim(database, place).catch((error: Error) => void failures.push(error));
    if (!round) {
      places.set(database, place);
      continue;
    }
    const goesOn = after?.has(database) ?? true;
    if (goesOn && (round.isBusy || round.after !== null)) {
      places.set(database, round.isBusy ? place : round.after);
    }
    rounds.push({ ...round, isMore: goesOn && round.isMore });
  }
  const [failure] = failures;
  if (failure && rounds.length === 0) {
    throw failure;
  }
  const isFull = rounds.some((round) => round.isFull);
  const dueMs = rounds.flatMap(({ nextDueAt }) => nextDueAt?.getTime() ?? []);
  return {
    items: rounds.flatMap(({ items }) => items),
    after: places.size === 0 ? null : places,
    isMore: !isFull && rounds.some(({ isMore }) => isMore),
    isFull,
    leasesOver: rounds.reduce((sum, { leasesOver }) => sum + leasesOver, 0),
    areKeptBack: rounds.some(({ areKeptBack }) => areKeptBack),
    isQuiet: rounds.every(({ isQuiet }) => isQuiet),
    nextDueAt: dueMs.length === 0 ? null : new Date(Math.min(...dueMs)),
    isBusy: rounds.some(({ isBusy }) => isBusy),
    failure,
  };
}

export interface DispatcherOptions {
  readonly kind: string;
  readonly clock: Clock;
  readonly register: ProcessRegister;
  readonly channel: string;
  /** Gets notifications with a text; those without begin a run. */
  readonly heard?: (text: string) => void;
  readonly queues: readonly Queue[];
  /** Jobs of a queue for each working process, beyond which nobody seems to work. */
  readonly jobsWaitingMax: number;
}

/** One process leads; others run when work ends in them. */
export abstract class Dispatcher<Item, Place = never> implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private state: 'new' | 'started' | 'ended' = 'new';
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private plannedAtMs = Infinity;
  private restsUntilMs = 0;
  private ranAtMs = -Infinity;
  private failuresInARow = 0;
  private isWokenMeanwhile = false;
  private after: Place | null = null;
  /** The run in progress began at the first place, so it may end at the last. */
  private isFromTheFirst = true;
  private nextDueAt: Date | null = null;
  private isBusy = false;
  private isQuiet = false;
  private areKeptBack = false;
  private areJobsMissing = false;
  private stopping: Promise<void> | null = null;

  protected constructor(private readonly options: DispatcherOptions) {
    const { register, channel } = options;
    const woken = () => !register.isFollowing && this.wake();
    const heard = (text: string) => {
      if (this.state === 'started') {
        void (text === '' || !options.heard ? woken() : options.heard(text));
      }
    };
    register.listen(channel, heard, () => this.wake());
  }

  protected get workers(): number {
    return this.options.register.workers;
  }

  /** Claims due items after the place. Replicas claiming at once get different items. */
  protected abstract claim(after: Place | null): Promise<Claimed<Item, Place>>;

  /** Queues claimed items. Of two jobs for one item only one begins it. */
  protected abstract add(items: readonly Item[]): Promise<unknown>;

  protected abstract putBack(items: readonly Item[]): Promise<void>;

  protected prepare(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Parts that the queue accepts or refuses separately. */
  protected lanes(items: readonly Item[]): (readonly Item[])[] {
    return [items];
  }

  start(): void {
    if (this.state === 'new') {
      this.state = 'started';
      this.wake();
    }
  }

  async stop(): Promise<void> {
    this.state = 'ended';
    if (this.timer) {
      clearTimeout(this.timer);
    }
    await this.running?.catch(() => undefined);
  }

  /** Not awaited: Nest asks modules in turn, and calls arrive until the last was asked. */
  onModuleDestroy(): void {
    this.stopping ??= this.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  /** Begins a run soon. Does nothing before {@link start}. */
  wake(): void {
    this.isWokenMeanwhile = true;
    if (!this.running) {
      this.plan(0);
    }
  }

  /** Call when an item has ended in this process: another may take its place. */
  madeRoom(): void {
    if (this.areKeptBack || performance.now() - this.ranAtMs > RUN_EVERY_MS) {
      this.wake();
    }
  }

  /** Claims until nothing is left; joins a run in progress. @throws the database's or the queue's error */
  run(): Promise<void> {
    this.running ??= this.rounds().finally(() => {
      this.running = null;
      this.ranAtMs = performance.now();
    });
    return this.running;
  }

  private plan(inMs: number): void {
    const nowMs = performance.now();
    const atMs = Math.max(nowMs + inMs, this.restsUntilMs);
    if (this.state !== 'started' || atMs >= this.plannedAtMs) {
      return;
    }
    if (this.timer) {
      clearTimeout(this.timer);
    }
    this.plannedAtMs = atMs;
    this.timer = setTimeout(() => void this.runAsPlanned(), atMs - nowMs);
  }

  private async runAsPlanned(): Promise<void> {
    this.plannedAtMs = Infinity;
    this.isWokenMeanwhile = false;
    let restMs = REST_MS;
    try {
      await this.run();
      this.failuresInARow = 0;
    } catch (error) {
      restMs = Math.min(RETRY_MS_MAX, RUN_EVERY_MS * 2 ** this.failuresInARow);
      this.failuresInARow += 1;
      const { kind } = this.options;
      this.logger.error({
        message: `the dispatcher of ${kind} failed and is tried again`,
        error: String(error),
      });
    }
    this.restsUntilMs = performance.now() + restMs;
    this.plan(this.isWokenMeanwhile ? 0 : this.pauseMs());
  }

  private pauseMs(): number {
    if (this.isBusy) {
      return BUSY_MS * (1 + 4 * Math.random());
    }
    if (this.options.register.isFollowing) {
      return FOLLOW_EVERY_MS * (1 + Math.random());
    }
    const untilDueMs = this.nextDueAt
      ? this.nextDueAt.getTime() - this.options.clock.now().getTime()
      : Infinity;
    return Math.min(this.isQuiet ? QUIET_EVERY_MS : RUN_EVERY_MS, Math.max(0, untilDueMs));
  }

  private async rounds(): Promise<void> {
    this.isFromTheFirst = this.after === null;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      let failure: Error | undefined;
      const isMoreToPrepare = await this.prepare().catch((error: Error) => void (failure = error));
      const isMoreToClaim = await this.dispatch();
      if (failure !== undefined) {
        throw failure;
      }
      if ((!isMoreToPrepare && !isMoreToClaim) || this.state === 'ended') {
        return;
      }
    }
    this.isWokenMeanwhile = true;
  }

  private async dispatch(): Promise<boolean> {
    // Without workers each ended lease would add another job for the same item.
    if (this.areJobsMissing && (await this.isQueueFull())) {
      this.nextDueAt = null;
      this.isBusy = false;
      return false;
    }
    const claimed = await this.claim(this.after);
    this.isBusy = claimed.isBusy ?? false;
    if (this.isBusy && claimed.items.length === 0) {
      this.areKeptBack = true;
      return false;
    }
    const { items, after, isMore, isFull, leasesOver, nextDueAt = null } = claimed;
    this.after = after;
    this.isQuiet = claimed.isQuiet;
    this.areKeptBack = claimed.areKeptBack;
    this.areJobsMissing = leasesOver > 0;
    this.nextDueAt = nextDueAt;
    const lanes = this.lanes(items).filter((lane) => lane.length > 0);
    await Promise.all(lanes.map((lane) => this.enqueue(lane)));
    if (claimed.failure !== undefined) {
      throw claimed.failure;
    }
    const isOverTheLast = after === null && !this.isFromTheFirst;
    this.isFromTheFirst ||= after === null;
    return isMore || (isOverTheLast && !isFull);
  }

  private async isQueueFull(): Promise<boolean> {
    const { queues, jobsWaitingMax } = this.options;
    const waiting = await Promise.all(queues.map((queue) => queue.getWaitingCount()));
    return waiting.some((count) => count >= jobsWaitingMax * this.workers);
  }

  private async enqueue(items: readonly Item[]): Promise<void> {
    try {
      await this.add(items);
    } catch (error) {
      // If this fails too, their leases end.
      await this.putBack(items).catch(() => undefined);
      throw error;
    }
  }
}
