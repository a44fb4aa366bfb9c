import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { AccountShards } from '../../../infrastructure/database/account-shards';
import { EVENT_TYPES, type EventType } from './event-types';

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
