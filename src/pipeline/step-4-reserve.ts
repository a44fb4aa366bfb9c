import { Injectable } from '@nestjs/common';
import { ApiKeyExpired, InvalidApiKey, InvalidToken } from '../accounts/credentials';
import { leaseMs } from '../contract/operation';
import { NothingReserved } from '../errors/api-errors';
import { InsufficientCredits, Ledger, type ReserveVerdict, SpendingLimitExceeded } from '../ledger/ledger';
import { affordableInputTokens, affordableOutputTokens } from '../ledger/price-list';
import { Clock } from '../runtime/clock';
import type { MeteredCall, Undoing } from './metered-call';
import { FirstLook } from './step-3-price';
import type { Quote } from './call-transport';

/**
 * Steps 4, 5 and 6: balance, then spending limits, then deduction, as one atomic step of the ledger. One after the
 * other they could not keep a cap: between a check and its deduction another replica could spend the same credit.
 */
@Injectable()
export class ReservationStep implements Undoing {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly firstLook: FirstLook,
  ) {}

  /**
   * Releases the reservation. A call that the ledger refused has none. Where it turns out that none was made, there is
   * no receipt either, and the call is noted as one that was refused.
   */
  async undo(call: MeteredCall, status: number): Promise<void> {
    if (!call.hasReceipt) {
      return;
    }
    const { verdict } = await this.ledger.settle({
      callId: call.id,
      accountId: call.accountId,
      outcome: 'released',
      chargeNanoUsd: 0n,
      status,
      inputTokens: call.use?.inputTokens ?? 0,
      outputTokens: call.use?.outputTokens ?? 0,
      now: this.clock.now(),
      answer: null,
    });
    call.hasReceipt = verdict === 'settled';
  }

  /** @throws InsufficientCredits, SpendingLimitExceeded, or the refusal of a credential that has ended meanwhile */
  async reserve(call: MeteredCall, quote: Quote): Promise<void> {
    // Registered before the reservation, because its outcome may stay unknown and a release does no harm where there is
    // none.
    call.onFailure(this);
    // True until the ledger refuses. Where the outcome stays unknown, the release or the sweep writes the receipt.
    call.hasReceipt = true;
    const now = this.clock.now();
    const order = {
      callId: call.id,
      accountId: call.accountId,
      keyId: call.key?.id ?? null,
      amountNanoUsd: quote.reserveNanoUsd,
      now,
      leaseUntil: new Date(now.getTime() + leaseMs(call.policy.rate, call.asksForStream)),
      operation: call.policy.operationId,
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      price: quote.price.name,
      priceVersion: quote.priceVersion,
      secretHash: call.secretHash,
    };
    let verdict: ReserveVerdict;
    try {
      verdict = await this.ledger.reserve(order);
    } catch (error) {
      // A release of nothing would only wait for whatever the reservation has waited for in vain.
      call.hasReceipt = !(error instanceof NothingReserved);
      throw error;
    }
    this.remember(call.accountId, verdict);
    if (verdict.verdict !== 'reserved') {
      call.hasReceipt = false;
      throw refusalOf(verdict, quote, call.key !== null);
    }
  }

  private remember(accountId: string, verdict: ReserveVerdict): void {
    if (verdict.verdict === 'reserved') {
      this.firstLook.note(accountId, verdict.balanceNanoUsd);
    } else if (verdict.verdict === 'insufficient_credits') {
      this.firstLook.note(accountId, verdict.availableNanoUsd);
    }
  }
}

function refusalOf(
  verdict: Exclude<ReserveVerdict, { verdict: 'reserved' }>,
  quote: Quote,
  hasKey: boolean,
): Error {
  switch (verdict.verdict) {
    case 'insufficient_credits':
      return new InsufficientCredits({
        requiredNanoUsd: quote.reserveNanoUsd,
        availableNanoUsd: verdict.availableNanoUsd,
        affordableMaxTokens: affordable(quote, verdict.roomNanoUsd),
        affordableMaxInputTokens: affordableInput(quote, verdict.roomNanoUsd),
      });
    case 'per_request':
    case 'daily':
    case 'monthly': {
      const left = verdict.limitNanoUsd - verdict.spentNanoUsd;
      const availableNanoUsd = left > 0n ? left : 0n;
      return new SpendingLimitExceeded({
        requiredNanoUsd: quote.reserveNanoUsd,
        availableNanoUsd,
        affordableMaxTokens: affordable(quote, verdict.roomNanoUsd),
        affordableMaxInputTokens: affordableInput(quote, verdict.roomNanoUsd),
        limitType: verdict.verdict,
        limitNanoUsd: verdict.limitNanoUsd,
        spentNanoUsd: verdict.spentNanoUsd,
        resetsAt: verdict.resetsAt,
      });
    }
    case 'key_expired':
      return new ApiKeyExpired();
    default:
      return hasKey ? new InvalidApiKey() : new InvalidToken();
  }
}

/**
 * The largest max_tokens with which the call would fit into the balance and every limit, not only into the one that
 * refused it; null where even the least does not fit.
 */
function affordable(quote: Quote, roomNanoUsd: bigint): number | null {
  const fitting = affordableOutputTokens(quote.price, quote.inputTokens, roomNanoUsd) ?? 0;
  const tokens = fitting - (quote.outputTokensFixed ?? 0);
  return tokens < quote.choices ? null : Math.floor(tokens / quote.choices);
}

/** The largest max_input_tokens with which the call would fit; null where it has none, or even the least does not fit. */
function affordableInput(
  { price, inputTokens, boundedInput, outputTokensMax }: Quote,
  roomNanoUsd: bigint,
): number | null {
  if (boundedInput === null) {
    return null;
  }
  const { tokens, times } = boundedInput;
  const fitting = affordableInputTokens(price, outputTokensMax, roomNanoUsd) ?? 0;
  const left = Math.floor((fitting - (inputTokens - tokens * times)) / times);
  return left < 1 ? null : left;
}
