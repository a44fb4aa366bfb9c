import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Global, Injectable, Logger, Module } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccountDatabases } from '../database/account-databases';
import { Clock, endedWithin } from '../runtime/clock';
import { ConcurrencyLimit } from '../runtime/concurrency-limit';
import { CallTraces } from './call-traces';
import { EVENT_TYPES, EventRetention, type EventType, Outbox } from './outbox';

const CACHED_ACCOUNTS_MAX = 50_000;
export const SUBSCRIPTIONS_CACHED_FOR_MS = 30_000;
/** Look-ups within this time share a query. */
const GATHERED_FOR_MS = 50;
const ASKED_TOGETHER_MAX = 10_000;

interface Question {
  readonly accountIds: Set<string>;
  readonly masks: Promise<ReadonlyMap<string, number>>;
}

/** Cached for 30 seconds, for detections that cost much; Outbox checks by itself. */
@Injectable()
export class EventSubscriptions {
  private readonly logger = new Logger('EventSubscriptions');
  private readonly masks = new LRUCache<string, { readonly mask: number; readonly untilMs: number }>({
    max: CACHED_ACCOUNTS_MAX,
  });
  private question: Question | null = null;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  /** Null where it has to be looked up. Every call asks, so the time is passed, not read. */
  cached(accountId: string, type: EventType, nowMs: number): boolean | null {
    const known = this.masks.get(accountId);
    const leftMs = known === undefined ? 0 : known.untilMs - nowMs;
    // More is left where the clock was set back.
    return known && leftMs > 0 && leftMs <= 2 * SUBSCRIPTIONS_CACHED_FOR_MS
      ? includes(known.mask, type)
      : null;
  }

  /** False also when the look-up fails, which is logged, or 10,000 other accounts wait. */
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

  /** By id. @param after ids behind this one; null for all */
  async subscribers(type: EventType, after: string | null, limit: number): Promise<string[]> {
    const { everyone } = this.databases;
    const rows = await everyone.query<{ account_id: string }[]>(SUBSCRIBERS, [type, after, limit]);
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
      const shards = [...this.databases.split([...accountIds].map((accountId) => ({ accountId })))];
      const answers = shards.map(([database, accounts]) =>
        database.query<{ accountId: string; mask: number }[]>(MASKS, [
          accounts.map(({ accountId }) => accountId),
        ]),
      );
      const rows = (await Promise.all(answers)).flat();
      const masks = new Map(rows.map(({ accountId, mask }) => [accountId, mask]));
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
}

const BITS = Object.fromEntries(EVENT_TYPES.map((type, index) => [type, 1 << index])) as Record<
  EventType,
  number
>;

function includes(mask: number, type: EventType): boolean {
  return (mask & BITS[type]) !== 0;
}

const MASKS =
  'SELECT account_id AS "accountId", event_types AS mask FROM event_subscriptions WHERE account_id = ANY ($1)';

const SUBSCRIBERS = `
  SELECT account_id FROM event_subscriptions
  WHERE event_types & event_bit($1) <> 0 AND ($2::uuid IS NULL OR account_id > $2)
  ORDER BY account_id LIMIT $3`;

const UNDER_WAY_MAX = 8;
const BEGUN_MAX = 1_000;
const ENDED_WITHIN_MS = 5_000;
const REPORTED_EVERY_MS = 10_000;

interface BackgroundEventWrite {
  accountId: string;
  /** Written only if the account subscribes to this type. */
  type: EventType;
  write(): Promise<unknown>;
  undone(): void;
}

/**
 * Eight at once, a thousand waiting; more are dropped. Failures are only logged: no call fails for an event.
 */
@Injectable()
export class BackgroundEventWriter implements BeforeApplicationShutdown {
  private readonly logger = new Logger('UnawaitedWrites');
  private readonly begun = new Set<Promise<void>>();
  private readonly limit = new ConcurrencyLimit(UNDER_WAY_MAX);
  private unreported = 0;
  private reportedAtMs = -Infinity;
  private isEnding = false;

  constructor(private readonly subscriptions: EventSubscriptions) {}

  begin(write: BackgroundEventWrite): void {
    if (this.begun.size >= BEGUN_MAX || this.isEnding) {
      write.undone();
      this.report('too many events wait to be written');
      return;
    }
    const running = this.run(write).finally(() => this.begun.delete(running));
    this.begun.add(running);
  }

  async idle(): Promise<void> {
    while (this.begun.size > 0) {
      await Promise.all(this.begun);
    }
  }

  /** The database may be down and must not delay the end: what waits longer is lost. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    if (this.begun.size === 0) {
      return;
    }
    await endedWithin(ENDED_WITHIN_MS, this.idle());
    if (this.begun.size > 0) {
      this.logger.warn({ message: 'events were lost at the shutdown', count: this.begun.size });
    }
  }

  private async run(write: BackgroundEventWrite): Promise<void> {
    if (!(await this.subscriptions.wants(write.accountId, write.type))) {
      write.undone();
      return;
    }
    try {
      await this.limit.within(() => write.write());
    } catch (error) {
      write.undone();
      this.report(String(error));
    }
  }

  /** Every refused call may cause one, so the log gets one line in ten seconds. */
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

const SERVICES = [CallTraces, EventRetention, EventSubscriptions, Outbox, BackgroundEventWriter];

@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class EventsModule {}
