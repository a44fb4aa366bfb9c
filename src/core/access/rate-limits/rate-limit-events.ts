import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { EventSubscriptions } from '../../events/outbox/event-subscriptions';
import { Outbox } from '../../events/outbox/outbox';
import { UnawaitedWrites } from '../../events/outbox/unawaited-writes';
import { refusalFields } from './rate-limit-exceeded';
import type { RefusedCall } from './rate-limiter';

const TYPE = 'rate_limit.exceeded';
const TOLD_EVERY_MS = 60_000;
const TRIED_AGAIN_AFTER_MS = 1_000;
const CALLERS_MAX = 20_000;

/** Whose call was refused, and which. */
export interface RefusedCaller {
  accountId: string;
  /** Null for a call with an account token. */
  keyId: string | null;
  operationId: string;
  at: Date;
}

/**
 * Tells the subscribers of an account that its calls are refused beyond the rate limit: once a minute for each key, and
 * for all account tokens together, whichever replica refuses. However many calls are refused, a process tries to tell of
 * it no more often than that, or once a second where it fails.
 */
@Injectable()
export class RateLimitEvents {
  /** Until when nothing more is to be told of a key or account, in Unix milliseconds. */
  private readonly quietUntilMs = new LRUCache<string, number>({ max: CALLERS_MAX });

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly writes: UnawaitedWrites,
    private readonly outbox: Outbox,
    private readonly database: DataSource,
  ) {}

  /** Notes a refused call. Returns at once and never throws; the event is written off the call's path. */
  refused(caller: RefusedCaller, refused: RefusedCall): void {
    const { accountId } = caller;
    const nowMs = caller.at.getTime();
    if (this.subscriptions.cached(accountId, TYPE, nowMs) === false) {
      return;
    }
    const callerId = caller.keyId ?? accountId;
    if (nowMs < (this.quietUntilMs.get(callerId) ?? 0)) {
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

  /** Where another replica has told of it before, this one is quiet until the time that it wrote down. */
  private async write({ accountId, keyId, operationId, at }: RefusedCaller, refused: RefusedCall) {
    const callerId = keyId ?? accountId;
    const mark = `${TYPE}:${callerId}`;
    const isWritten = await this.outbox.write(this.database, {
      accountId,
      type: TYPE,
      data: { user_id: accountId, access_key_id: keyId, ...refusalFields(refused) },
      operation: operationId,
      occurredAt: at,
      once: { mark, heldUntil: new Date(at.getTime() + TOLD_EVERY_MS) },
    });
    if (!isWritten) {
      const heldUntil = await this.outbox.heldUntil(this.database, accountId, mark);
      this.quietUntilMs.set(callerId, heldUntil?.getTime() ?? at.getTime() + TRIED_AGAIN_AFTER_MS);
    }
  }
}
