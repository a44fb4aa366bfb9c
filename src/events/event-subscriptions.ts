import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { AccountShards } from '../database/account-shards';
import { Clock } from '../runtime/clock';
import { EVENT_TYPES, type EventType } from './outbox';

const CACHED_ACCOUNTS_MAX = 50_000;
export const SUBSCRIPTIONS_CACHED_FOR_MS = 30_000;
/** Accounts that are asked for within this time are looked up together, however many calls they make. */
const GATHERED_FOR_MS = 50;
const ASKED_TOGETHER_MAX = 10_000;

/** What an account subscribes to, as bits, and until when that may be relied on. */
interface KnownMask {
  readonly mask: number;
  readonly untilMs: number;
}

/** Accounts that will be looked up together, those of each shard by one statement, and what they subscribe to, as bits. */
interface Question {
  readonly accountIds: Set<string>;
  readonly masks: Promise<ReadonlyMap<string, number>>;
}

/**
 * What accounts subscribe to, for whoever would have to do much to find out that an event has happened. It is known for
 * up to 30 seconds, so that accounts which subscribe to nothing cost nothing. Who writes an event need not ask: the
 * outbox looks again.
 */
@Injectable()
export class EventSubscriptions {
  private readonly logger = new Logger('EventSubscriptions');
  private readonly masks = new LRUCache<string, KnownMask>({ max: CACHED_ACCOUNTS_MAX });
  private question: Question | null = null;

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly shards: AccountShards,
  ) {}

  /**
   * Whether an active webhook of the account subscribes to the type; null where that has to be looked up. Every call
   * asks, so it is told the time rather than reading the clock.
   */
  cached(accountId: string, type: EventType, nowMs: number): boolean | null {
    const known = this.masks.get(accountId);
    return known === undefined || known.untilMs <= nowMs ? null : includes(known.mask, type);
  }

  /**
   * Whether an active webhook of the account subscribes to the type. False also where it can't be looked up, which is
   * logged, or where 10,000 other accounts are being looked up.
   */
  async wants(accountId: string, type: EventType): Promise<boolean> {
    const cached = this.cached(accountId, type, this.clock.now().getTime());
    if (cached !== null) {
      return cached;
    }
    this.question ??= this.newQuestion();
    const { accountIds, masks } = this.question;
    if (accountIds.size < ASKED_TOGETHER_MAX) {
      accountIds.add(accountId);
    }
    return includes((await masks).get(accountId) ?? 0, type);
  }

  /**
   * Accounts that subscribe to the type, in the order of their ids.
   * @param after only those behind this id; null for the first
   */
  async subscribers(type: EventType, after: string | null, limit: number): Promise<string[]> {
    const rows: { account_id: string }[] = await this.database.query(SUBSCRIBERS, [type, after, limit]);
    return rows.map((row) => row.account_id);
  }

  private newQuestion(): Question {
    const accountIds = new Set<string>();
    return { accountIds, masks: this.answer(accountIds) };
  }

  private async answer(accountIds: Set<string>): Promise<ReadonlyMap<string, number>> {
    await delay(GATHERED_FOR_MS);
    this.question = null;
    try {
      const asked = this.shards.split([...accountIds].map((accountId) => ({ accountId })));
      const rows = (await Promise.all(asked.map((ofShard) => this.ask(ofShard)))).flat();
      const masks = new Map(rows.map((row) => [row.account_id, row.event_types]));
      const untilMs = this.clock.now().getTime() + SUBSCRIPTIONS_CACHED_FOR_MS;
      for (const accountId of accountIds) {
        this.masks.set(accountId, { mask: masks.get(accountId) ?? 0, untilMs });
      }
      return masks;
    } catch (error) {
      this.logger.error({ message: 'subscriptions could not be looked up', error: String(error) });
      return new Map();
    }
  }

  private ask(ofShard: { accountId: string }[]): Promise<{ account_id: string; event_types: number }[]> {
    return this.database.query(MASKS, [ofShard.map(({ accountId }) => accountId)]);
  }
}

const BITS = Object.fromEntries(EVENT_TYPES.map((type, index) => [type, 1 << index])) as Record<
  EventType,
  number
>;

function includes(mask: number, type: EventType): boolean {
  return (mask & BITS[type]) !== 0;
}

const MASKS = 'SELECT account_id, event_types FROM event_subscriptions WHERE account_id = ANY ($1)';

const SUBSCRIBERS = `
  SELECT account_id FROM event_subscriptions
  WHERE event_types & event_bit($1) <> 0 AND ($2::uuid IS NULL OR account_id > $2)
  ORDER BY account_id LIMIT $3`;

const UNDER_WAY_MAX = 8;
const BEGUN_MAX = 1_000;
const ENDED_WITHIN_MS = 5_000;
const REPORTED_EVERY_MS = 10_000;

/** Something to be written for the subscribers of an account, of which no call waits to hear. */
interface UnawaitedWrite {
  accountId: string;
  /** It is written only where the account subscribes to this type. */
  type: EventType;
  write(): Promise<unknown>;
  /** Is called where it was not written: nobody subscribes, too many others wait, or the write failed. */
  undone(): void;
}

/**
 * Writes off the path of calls. However many calls give cause to it, eight writes are under way at once and a thousand
 * wait; what comes beyond that is left out. What fails or is left out goes to the log and nowhere else: a call must not
 * fail because somebody wants to be told of it.
 */
@Injectable()
export class UnawaitedWrites implements BeforeApplicationShutdown {
  private readonly logger = new Logger('UnawaitedWrites');
  private readonly begun = new Set<Promise<void>>();
  /** Wakes those that wait for a place, the first first. */
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;
  private unreported = 0;
  private reportedAtMs = -Infinity;
  private isEnding = false;

  constructor(private readonly subscriptions: EventSubscriptions) {}

  /** Begins a write and returns at once. Never throws. */
  begin(write: UnawaitedWrite): void {
    if (this.begun.size >= BEGUN_MAX || this.isEnding) {
      write.undone();
      this.report('too many events wait to be written');
      return;
    }
    const running = this.run(write).finally(() => this.begun.delete(running));
    this.begun.add(running);
  }

  /** Resolves when everything that was begun has ended. */
  async idle(): Promise<void> {
    while (this.begun.size > 0) {
      await Promise.all(this.begun);
    }
  }

  /**
   * Comes after the calls in flight have ended and before the database is closed. A database that is away must not keep
   * the process from its end: what waits for longer is lost.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    if (this.begun.size === 0) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, ENDED_WITHIN_MS)));
    await Promise.race([this.idle(), tooLate]);
    clearTimeout(timer);
    if (this.begun.size > 0) {
      this.logger.warn({ message: 'events were lost at the shutdown', count: this.begun.size });
    }
  }

  private async run(write: UnawaitedWrite): Promise<void> {
    if (!(await this.subscriptions.wants(write.accountId, write.type))) {
      write.undone();
      return;
    }
    if (this.underWay >= UNDER_WAY_MAX) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.underWay += 1;
    }
    try {
      await write.write();
    } catch (error) {
      write.undone();
      this.report(String(error));
    } finally {
      this.handOver();
    }
  }

  /** The place of a write that has ended goes to the one that has waited longest. */
  private handOver(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.underWay -= 1;
    }
  }

  /** Every refused call may fail to be told of, so the log gets one line in ten seconds. */
  private report(error: string): void {
    this.unreported += 1;
    const nowMs = performance.now();
    if (nowMs - this.reportedAtMs >= REPORTED_EVERY_MS) {
      this.logger.error({ message: 'events could not be written', count: this.unreported, error });
      this.reportedAtMs = nowMs;
      this.unreported = 0;
    }
  }
}
