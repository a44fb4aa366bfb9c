import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccountDatabases } from '../database/account-databases';
import {
  EventSubscriptions,
  SUBSCRIPTIONS_CACHED_FOR_MS,
  BackgroundEventWriter,
} from '../events/event-subscriptions';
import { Outbox } from '../events/outbox';
import { Clock, hourOf } from '../runtime/clock';
import { BackgroundWrites } from '../runtime/background-writes';
import { ANOMALY, anomalyDetected, type KeyNamingCalls, Sightings } from './anomaly-observations';
import { type KeyPrincipal, previewBeginning } from './credentials';
import type { RefusedCall } from './rate-limiter';
import { refusalFields } from './rate-windows';

const TYPE = 'rate_limit.exceeded';
const TOLD_EVERY_MS = 60_000;
const TRIED_AGAIN_AFTER_MS = 1_000;
const CALLERS_MAX = 20_000;

interface RefusedCaller {
  accountId: string;
  keyId: string | null;
  operationId: string;
  at: Date;
}

/** Once a minute for each key, or all account tokens, across replicas; retried a second after a failure. */
@Injectable()
export class RateLimitEvents {
  private readonly quietUntilMs = new LRUCache<string, number>({ max: CALLERS_MAX });

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly writes: BackgroundEventWriter,
    private readonly outbox: Outbox,
    private readonly databases: AccountDatabases,
  ) {}

  /** Returns at once and never throws: the event is written off the call's path. */
  refused(caller: RefusedCaller, refused: RefusedCall): void {
    const { accountId } = caller;
    const nowMs = caller.at.getTime();
    if (this.subscriptions.cached(accountId, TYPE, nowMs) === false) {
      return;
    }
    const callerId = caller.keyId ?? accountId;
    const quietMs = (this.quietUntilMs.get(callerId) ?? 0) - nowMs;
    // It is longer where the clock was set back.
    if (quietMs > 0 && quietMs <= 2 * TOLD_EVERY_MS) {
      return;
    }
    this.quietUntilMs.set(callerId, nowMs + TOLD_EVERY_MS);
    this.writes.begin({
      accountId,
      type: TYPE,
      write: () => this.write(caller, refused),
      undone: () => this.quietUntilMs.set(callerId, nowMs + TRIED_AGAIN_AFTER_MS),
    });
  }

  private async write({ accountId, keyId, operationId, at }: RefusedCaller, refused: RefusedCall) {
    const callerId = keyId ?? accountId;
    const mark = `${TYPE}:${callerId}`;
    const database = this.databases.of(accountId);
    const isWritten = await this.outbox.write(database, {
      accountId,
      type: TYPE,
      data: { user_id: accountId, access_key_id: keyId, ...refusalFields(refused) },
      operation: operationId,
      occurredAt: at,
      once: { mark, heldUntil: new Date(at.getTime() + TOLD_EVERY_MS) },
    });
    if (!isWritten) {
      const heldUntil = await this.outbox.heldUntil(database, accountId, mark);
      this.quietUntilMs.set(callerId, heldUntil?.getTime() ?? at.getTime() + TRIED_AGAIN_AFTER_MS);
    }
  }
}

/** More calls in an hour with wrong secrets that begin as one key are unusual. */
const USUAL_CALLS_MAX = 20;
/** Strangers choose the beginnings, so a flood brings ever new ones. */
const WAITING_MAX = 2_000;
const NAMED_MAX = 10_000;

interface WrongCalls {
  readonly beginning: string;
  readonly hour: Date;
  calls: number;
  lastAt: Date;
}

/** Gathers up to 2,000 beginnings for a quarter of a second, and only for subscribers; Postgres sums. */
@Injectable()
export class InvalidKeyCalls implements BeforeApplicationShutdown {
  private readonly logger = new Logger('InvalidKeyCalls');
  private readonly named: LRUCache<string, readonly KeyPrincipal[]>;
  private waiting = new Map<string, WrongCalls>();
  private readonly writes = new BackgroundWrites(
    () => this.waiting.size > 0,
    () => this.count(),
  );
  private quietUntilMs = 0;

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly sightings: Sightings,
    private readonly outbox: Outbox,
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {
    this.named = new LRUCache({
      max: NAMED_MAX,
      ttl: SUBSCRIPTIONS_CACHED_FOR_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
  }

  note(secret: string, at: Date): void {
    const beginning = previewBeginning(secret);
    if (beginning === null || at.getTime() < this.quietUntilMs || this.named.get(beginning)?.length === 0) {
      return;
    }
    const hour = hourOf(at);
    const name = `${beginning} ${hour.getTime()}`;
    const counted = this.waiting.get(name);
    if (counted) {
      counted.calls += 1;
      counted.lastAt = at;
    } else if (this.waiting.size < WAITING_MAX) {
      this.waiting.set(name, { beginning, hour, calls: 1, lastAt: at });
    }
    this.writes.begin();
  }

  get held(): { waiting: number; named: number } {
    return { waiting: this.waiting.size, named: this.named.size };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  write(): Promise<void> {
    return this.writes.end();
  }

  private async count(): Promise<void> {
    const batch = [...this.waiting.values()];
    this.waiting = new Map();
    try {
      if ((await this.subscriptions.subscribers(ANOMALY, null, 1)).length === 0) {
        this.quietUntilMs = this.clock.now().getTime() + SUBSCRIPTIONS_CACHED_FOR_MS;
        return;
      }
      const naming = await this.naming(batch);
      if (naming.length > 0) {
        await this.add(naming, batch);
      }
    } catch (error) {
      const calls = batch.reduce((sum, wrong) => sum + wrong.calls, 0);
      this.logger.error({ message: 'wrong secrets were not counted', calls, error: String(error) });
    }
  }

  private async naming(batch: readonly WrongCalls[]): Promise<KeyNamingCalls[]> {
    const beginnings = [...new Set(batch.map(({ beginning }) => beginning))];
    const named = new Map(beginnings.map((beginning) => [beginning, this.named.get(beginning)]));
    const unknown = beginnings.filter((beginning) => !named.get(beginning));
    for (const [beginning, keys] of await this.lookUp(unknown)) {
      named.set(beginning, keys);
      this.named.set(beginning, keys);
    }
    return batch.flatMap(({ beginning, hour, calls }) =>
      (named.get(beginning) ?? []).map((key) => ({ key, hour, calls })),
    );
  }

  private async lookUp(beginnings: readonly string[]): Promise<[string, KeyPrincipal[]][]> {
    const found =
      beginnings.length > 0 ? await this.sightings.keysNamed(beginnings) : new Map<string, never[]>();
    return Promise.all(
      beginnings.map(async (beginning): Promise<[string, KeyPrincipal[]]> => {
        const keys = found.get(beginning) ?? [];
        const wanted = await Promise.all(
          keys.map(({ accountId }) => this.subscriptions.wants(accountId, ANOMALY)),
        );
        return [beginning, keys.filter((_, index) => wanted[index])];
      }),
    );
  }

  private async add(naming: readonly KeyNamingCalls[], batch: readonly WrongCalls[]): Promise<void> {
    const lastAtMs = Math.max(...batch.map(({ lastAt }) => lastAt.getTime()));
    const detectedAt = new Date(lastAtMs);
    const owned = naming.map((calls) => ({ ...calls, accountId: calls.key.accountId }));
    for (const [database, together] of this.databases.split(owned)) {
      await database.transaction(async (manager) => {
        for (const { key, hour, calls: count } of await this.sightings.addCalls(manager, together)) {
          if (count > USUAL_CALLS_MAX) {
            const anomaly = { kind: 'invalid_credentials', key, count, hour, detectedAt } as const;
            await this.outbox.write(manager, anomalyDetected(anomaly));
          }
        }
      });
    }
  }
}
