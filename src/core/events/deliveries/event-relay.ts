import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { DatabaseUrl } from '../../../infrastructure/database/database-url';
import { Notifications } from '../../../infrastructure/database/notifications';
import { DeliveryQueues } from './delivery-queues';
import { EventMetrics } from './event-metrics';
import { RelayRepository, type HandedDelivery, type Pair } from './relay.repository';

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
