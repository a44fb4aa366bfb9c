import { Injectable } from '@nestjs/common';
import { NotFound } from '../core/errors/request-errors';
import { Ledger } from '../core/money/ledger/ledger';
import { InsufficientCredits } from '../core/money/payment-errors';
import type { MeteredCall } from './metered-call';

/** So many UTF-16 units are 6 KiB in UTF-8 at most, which are counted at once. */
const SMALL_BODY_LENGTH_MAX = 2 * 1024;
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

/** Whether all that is read of a call is a small body. One with an id in its path may read what is stored under it. */
function isSmall({ transport, input }: MeteredCall): boolean {
  if (Object.keys(input.params).length > 0) {
    return false;
  }
  const { body, bodyLength } = transport.input;
  // Nobody knows the length of a body that came without HTTP.
  return body === undefined || (bodyLength > 0 && bodyLength <= SMALL_BODY_LENGTH_MAX);
}
