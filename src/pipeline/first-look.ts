import { Injectable } from '@nestjs/common';
import { NotFound } from '../core/errors/request-errors';
import { Ledger } from '../core/money/ledger/ledger';
import { InsufficientCredits } from '../core/money/payment-errors';
import type { MeteredCall } from './metered-call';

/** So many UTF-16 units are 6 KiB in UTF-8 at most, which are counted at once. */
const SMALL_BODY_LENGTH_MAX = 2 * 1024;
/** The field of a request that names a stored document in place of a text. */
const DOCUMENT_ID = 'document_id';
const SEEN_FOR_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

interface Seen {
  readonly availableNanoUsd: bigint;
  readonly untilMs: number;
}

/**
 * The look at the balance before anything of a call is counted or any file opened, so that nobody without credit has work done.
 * It asks only for what every such call costs, whatever is in it, and decides nothing else: that the call can be paid for
 * says the reservation alone. Small calls are spared it, and so are accounts that had as much lately, because a stale memory
 * lets a call pass at most as far as its reservation.
 */
@Injectable()
export class FirstLook {
  private readonly seen = new Map<string, Seen>();

  constructor(private readonly ledger: Ledger) {}

  /**
   * @param leastNanoUsd what the call costs at least
   * @returns no promise where nothing has to be asked
   * @throws InsufficientCredits where the balance less what calls in flight have reserved is less than that
   */
  pass(call: MeteredCall, leastNanoUsd: bigint): Promise<void> | void {
    if (!isSmall(call) && !this.hadLately(call.accountId, leastNanoUsd)) {
      return this.look(call.accountId, leastNanoUsd);
    }
  }

  /** Remembers what a reservation, or its refusal, has told of an account's balance. */
  note(accountId: string, availableNanoUsd: bigint): void {
    this.seen.delete(accountId);
    if (this.seen.size >= ACCOUNTS_MAX) {
      const [oldest = ''] = this.seen.keys();
      this.seen.delete(oldest);
    }
    this.seen.set(accountId, { availableNanoUsd, untilMs: performance.now() + SEEN_FOR_MS });
  }

  private hadLately(accountId: string, leastNanoUsd: bigint): boolean {
    const seen = this.seen.get(accountId);
    return seen !== undefined && seen.availableNanoUsd >= leastNanoUsd && performance.now() < seen.untilMs;
  }

  private async look(accountId: string, leastNanoUsd: bigint): Promise<void> {
    const balance = await this.ledger.balance(accountId).catch((error: unknown) => {
      // Of an account that is gone the reservation says so.
      if (error instanceof NotFound) {
        return null;
      }
      throw error;
    });
    if (balance === null) {
      return;
    }
    const availableNanoUsd = balance.balanceNanoUsd - balance.reservedNanoUsd;
    this.note(accountId, availableNanoUsd);
    if (availableNanoUsd < leastNanoUsd) {
      throw new InsufficientCredits({
        requiredNanoUsd: leastNanoUsd,
        isLeast: true,
        availableNanoUsd,
        affordableMaxTokens: null,
        affordableMaxInputTokens: null,
      });
    }
  }
}

/**
 * Whether all that is read of a call is a small body: no text in it is long, and no document is named, by its path or in its
 * body, whose text would be read.
 */
function isSmall({ input: { params, body }, transport }: MeteredCall): boolean {
  if (Object.keys(params).length > 0 || transport.input.bodyLength > SMALL_BODY_LENGTH_MAX) {
    return false;
  }
  // The length of what came without HTTP is not known. A body may be nested as deep as it likes.
  const pending: unknown[] = [body];
  let length = 0;
  while (pending.length > 0 && length <= SMALL_BODY_LENGTH_MAX) {
    const next = pending.pop();
    length += typeof next === 'string' ? next.length : 1;
    if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next);
      if (names.includes(DOCUMENT_ID)) {
        return false;
      }
      length += names.length;
      pending.push(...(Object.values(next) as unknown[]).slice(0, SMALL_BODY_LENGTH_MAX));
    }
  }
  return length <= SMALL_BODY_LENGTH_MAX;
}
