import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { DatabaseUrl } from '../../database/connection';
import { Notifications } from '../../database/notifications';
import { Clock } from '../../runtime/clock';
import type { AttemptOrder } from './delivery-attempts.repository';
import * as bounds from './delivery.limits';
import { FAST_PER_JOB_MAX, JOBS_WAITING_MAX } from './delivery.limits';
import { EventMetrics } from './delivery.metrics';

/** An attempt that is to be put in the queue. */
export interface HandedDelivery {
  id: string;
  /** The number of the attempt, from 1 on. */
  attempt: number;
  isSlow: boolean;
}

/** Where a round of the fan-out ended. */
interface FanOut {
  deliveriesMade: number;
  lastAccount: string | null;
  isMore: boolean;
}

/** Where a round of the hand-over ended. */
interface HandOver {
  handed: HandedDelivery[];
  lastPair: Pair | null;
  isMore: boolean;
  nextDueAt: Date | null;
  /** Whether deliveries are due that the bounds keep back. */
  areKeptBack: boolean;
  /** How many deliveries were handed before, and their attempts have not ended in time. */
  leasesOver: number;
}

/** A receiver and an account that has something for it. */
interface Pair {
  receiver: string;
  accountId: string;
}

/** The steps of the relay. Each may run on all replicas at once: what one has taken the others do not see. */
@Injectable()
export class RelayRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Makes the deliveries of waiting events, for the accounts after the given one (sql/events_fan_out.sql). */
  async fanOut(after: string | null): Promise<FanOut> {
    const [row] = await this.database.query<
      { deliveries_made: number; last_account: string | null; is_more: boolean }[]
    >('SELECT * FROM events_fan_out($1, $2, $3, $4)', [
      after,
      bounds.ACCOUNTS_PER_ROUND_MAX,
      bounds.EVENTS_PER_ACCOUNT_MAX,
      this.clock.now(),
    ]);
    return {
      deliveriesMade: row?.deliveries_made ?? 0,
      lastAccount: row?.last_account ?? null,
      isMore: row?.is_more ?? false,
    };
  }

  /** Hands due deliveries, of the pairs after the given one first (sql/deliveries_hand_over.sql). */
  async handOver(after: Pair | null): Promise<HandOver> {
    const [row] = await this.database.query<HandOverRow[]>(
      'SELECT * FROM deliveries_hand_over($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        this.clock.now(),
        bounds.LEASE_SECONDS,
        after?.receiver ?? null,
        after?.accountId ?? null,
        bounds.PAIRS_PER_ROUND_MAX,
        bounds.LATER_PER_ROUND_MAX,
        bounds.PER_RECEIVER_MAX,
        bounds.PER_ACCOUNT_MAX,
        bounds.FAST_IN_HAND_MAX,
        bounds.SLOW_IN_HAND_MAX,
      ],
    );
    if (!row) {
      throw new Error('deliveries_hand_over gave no row');
    }
    const { last_receiver: receiver, last_account: accountId } = row;
    return {
      handed: row.handed,
      lastPair: receiver === null || accountId === null ? null : { receiver, accountId },
      isMore: row.is_more,
      nextDueAt: row.next_due_at,
      areKeptBack: row.are_kept_back,
      leasesOver: row.leases_over,
    };
  }

  /** Makes deliveries due again that the queue did not take. */
  async putBack(handed: readonly HandedDelivery[]): Promise<void> {
    await this.database.query('SELECT deliveries_put_back($1, $2)', [
      handed.map(({ id }) => id),
      handed.map(({ attempt }) => attempt),
    ]);
  }
}

interface HandOverRow {
  handed: HandedDelivery[];
  last_receiver: string | null;
  last_account: string | null;
  is_more: boolean;
  next_due_at: Date | null;
  are_kept_back: boolean;
  leases_over: number;
}

/** The queue of the receivers that answer quickly. */
export const FAST_QUEUE = 'webhook-deliveries';
/** The queue of slow_receivers, with workers of its own, so that dead receivers hold up nobody but one another. */
export const SLOW_QUEUE = 'webhook-deliveries-slow';

/** What a job carries: attempts that are made at the same time. */
export interface AttemptsJob {
  attempts: AttemptOrder[];
}

/** The two lanes of the queue that carry attempts to the workers. */
@Injectable()
export class DeliveryQueues {
  constructor(
    @InjectQueue(FAST_QUEUE) private readonly fastQueue: Queue<AttemptsJob>,
    @InjectQueue(SLOW_QUEUE) private readonly slowQueue: Queue<AttemptsJob>,
  ) {}

  /**
   * Puts attempts of one lane in its queue. One that is there already may come to be there twice; only one of the two
   * jobs makes it. Jobs leave no trace when they end: the record of deliveries is in Postgres.
   * @throws QueueUnavailable when the queue is away, after some five seconds
   */
  async add(isSlow: boolean, handed: readonly HandedDelivery[]): Promise<void> {
    const orders = handed.map(({ id, attempt }) => ({ deliveryId: id, attempt }));
    const size = isSlow ? 1 : FAST_PER_JOB_MAX;
    const jobs = Array.from({ length: Math.ceil(orders.length / size) }, (_, index) => ({
      name: 'attempts',
      data: { attempts: orders.slice(index * size, (index + 1) * size) },
      opts: { removeOnComplete: true, removeOnFail: true },
    }));
    await (isSlow ? this.slowQueue : this.fastQueue).addBulk(jobs);
  }

  /**
   * Whether so many jobs wait in a lane that nobody seems to work them off.
   * @throws QueueUnavailable when the queue is away
   */
  async areFull(): Promise<boolean> {
    const waiting = await Promise.all(
      [this.fastQueue, this.slowQueue].map((queue) => queue.getWaitingCount()),
    );
    return waiting.some((count) => count >= JOBS_WAITING_MAX);
  }
}

const CHANNEL = 'events';
/** Finds what no notification tells of: leases that are over, and what was notified while nobody listened. */
const RUN_EVERY_MS = 1_000;
/** A burst of notifications begins one run, not one each. */
const REST_MS = 10;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 5_000;
/** So that a run ends, even if events come as fast as it takes them. The next follows at once. */
const ROUNDS_MAX = 100;

/**
 * Turns events into deliveries, and hands those that are due to the queue. It runs on every replica: notifications of
 * Postgres wake it, attempts that end in this process, the next time that a delivery is due, and at least once a
 * second. In one process it never runs twice at once.
 */
@Injectable()
export class EventRelay implements OnModuleDestroy {
  private readonly logger = new Logger('EventRelay');
  private readonly notifications: Notifications;
  private state: 'new' | 'started' | 'ended' = 'new';
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private plannedAtMs = Infinity;
  private restsUntilMs = 0;
  private failuresInARow = 0;
  /** Whether something happened during the run in progress that it may not have seen. */
  private isWokenMeanwhile = false;
  private afterAccount: string | null = null;
  private afterPair: Pair | null = null;
  /** Whether anything was handed since the rounds last began with the first pair. */
  private isAnyHanded = false;
  private nextDueAt: Date | null = null;
  /** Whether deliveries were due when the last run ended that the bounds kept from being handed over. */
  private areKeptBack = false;
  /** Whether leases were over: then jobs are lost, or nobody works them off. */
  private areJobsMissing = false;

  constructor(
    private readonly repository: RelayRepository,
    private readonly queues: DeliveryQueues,
    private readonly metrics: EventMetrics,
    private readonly clock: Clock,
    url: DatabaseUrl,
  ) {
    const wake = () => this.wake();
    this.notifications = new Notifications(url.value, CHANNEL, wake, wake);
  }

  /** Runs from now on whenever there may be work, until {@link stop}. */
  async start(): Promise<void> {
    if (this.state === 'new') {
      this.state = 'started';
      await this.notifications.open();
      this.wake();
    }
  }

  /** Begins no further run, and waits for the one in progress. */
  async stop(): Promise<void> {
    const wasStarted = this.state === 'started';
    this.state = 'ended';
    if (this.timer) {
      clearTimeout(this.timer);
    }
    if (wasStarted) {
      await this.notifications.close();
    }
    await this.running?.catch(() => undefined);
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Begins a run soon, because there may be work. Does nothing before {@link start}. */
  wake(): void {
    this.isWokenMeanwhile = true;
    if (!this.running) {
      this.plan(0);
    }
  }

  /** To be called when an attempt has ended, because another one may be handed over in its place. */
  madeRoom(): void {
    if (this.areKeptBack) {
      this.wake();
    }
  }

  /**
   * One run, which ends when nothing is left that could be handed over now. Joins the one in progress, if any.
   * @throws the error of the database or the queue. What the queue did not take is due again then.
   */
  run(): Promise<void> {
    this.running ??= this.rounds().finally(() => (this.running = null));
    return this.running;
  }

  /** Begins a run in so many milliseconds, but not before the relay has rested, unless one is planned earlier. */
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
      restMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** this.failuresInARow);
      this.failuresInARow += 1;
      this.logger.error({ message: 'the relay of events failed and is tried again', error: String(error) });
    }
    this.restsUntilMs = performance.now() + restMs;
    const untilDueMs = this.nextDueAt ? this.nextDueAt.getTime() - this.clock.now().getTime() : Infinity;
    this.plan(this.isWokenMeanwhile ? 0 : Math.min(RUN_EVERY_MS, Math.max(0, untilDueMs)));
  }

  private async rounds(): Promise<void> {
    // As if the run before had handed something: it may have ended between the first pair and the last.
    this.isAnyHanded = true;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const areMoreEvents = await this.fanOut();
      const areMoreDue = await this.handOver();
      if ((!areMoreEvents && !areMoreDue) || this.state === 'ended') {
        return;
      }
    }
    this.isWokenMeanwhile = true;
  }

  /** One round of the fan-out. Returns whether there may be more events. */
  private async fanOut(): Promise<boolean> {
    const isFromTheFirst = this.afterAccount === null;
    const { lastAccount, isMore } = await this.repository.fanOut(this.afterAccount);
    this.afterAccount = lastAccount;
    if (isFromTheFirst && !isMore) {
      this.metrics.outboxIsEmpty();
    }
    return isMore || !isFromTheFirst;
  }

  /** One round of the hand-over. Returns whether more may be handed. */
  private async handOver(): Promise<boolean> {
    // Each lease that ends would add a job for the same attempt, for as long as no worker runs.
    if (this.areJobsMissing && (await this.queues.areFull())) {
      this.nextDueAt = null;
      return false;
    }
    const isFromTheFirst = this.afterPair === null;
    const round = await this.repository.handOver(this.afterPair);
    const { handed, lastPair, isMore, nextDueAt, areKeptBack } = round;
    this.afterPair = lastPair;
    this.areJobsMissing = round.leasesOver > 0;
    this.nextDueAt = nextDueAt;
    this.areKeptBack = areKeptBack;
    const isSlow = [false, true];
    await Promise.all(
      isSlow.map((lane) =>
        this.enqueue(
          lane,
          handed.filter((delivery) => delivery.isSlow === lane),
        ),
      ),
    );
    this.isAnyHanded = handed.length > 0 || (this.isAnyHanded && !isFromTheFirst);
    // Pairs that nothing may be handed of just now are no reason to look at all of them again: an attempt that ends is.
    return isMore || (this.isAnyHanded && !isFromTheFirst && lastPair === null);
  }

  private async enqueue(isSlow: boolean, handed: readonly HandedDelivery[]): Promise<void> {
    if (handed.length === 0) {
      return;
    }
    try {
      await this.queues.add(isSlow, handed);
      this.metrics.queued(handed.length);
    } catch (error) {
      // If this fails too, their leases end.
      await this.repository.putBack(handed).catch(() => undefined);
      throw error;
    }
  }
}
