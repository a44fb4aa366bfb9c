import { Injectable } from '@nestjs/common';
import { BinaryAnswer } from '../contract/binary-answer';
import { CallCancelled, ClientGone, OperationTimedOut } from '../core/errors/service-errors';
import { Idempotency, type Claim, type StoredAnswer } from '../core/money/idempotency/idempotency';
import { Ledger } from '../core/money/ledger/ledger';
import type { TokenUse } from '../core/money/pricing/price-list';
import { formatUsd } from '../core/money/pricing/usd';
import { StreamedAnswer, type FinalNumbers } from '../core/models/streams/streamed-answer';
import { Clock } from '../infrastructure/clock/clock';
import { BinaryAnswers } from './binary-answers';
import { envelopeMetadata } from './enveloped';
import type { MeteredCall, Quote } from './metered-call';
import { operationTimeoutMs } from './operation-timeouts';
import { Settlement } from './settlement';
import { StreamedAnswers } from './streamed-answers';

/** Stands for an answer that has already left as a stream. */
export const SENT = Symbol('sent');

/**
 * Step 8: settles the call to its real cost and puts that cost into the answer. The settlement is durable before the
 * first byte of an answer leaves (before the last bytes of a stream). The answer is serialised before the settlement,
 * so that nothing can fail after the charge.
 */
@Injectable()
export class UsageLogStep {
  constructor(
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
    private readonly streams: StreamedAnswers,
    private readonly binaries: BinaryAnswers,
  ) {}

  /**
   * @param result what the work returned
   * @returns the answer: JSON text where the call was paid for or has an Idempotency-Key, otherwise a value to
   * serialise; SENT where it has left as a stream
   */
  run(call: MeteredCall, result: unknown): unknown {
    if (call.headers) {
      call.transport.setHeaders(call.headers);
    }
    if (call.quote && result instanceof StreamedAnswer) {
      return this.streams.send(call, call.quote, result).then(() => SENT);
    }
    if (call.quote) {
      return this.settle(call, call.quote, result);
    }
    if (result instanceof BinaryAnswer) {
      return this.binaries.send(call, result).then(() => SENT);
    }
    if (call.claim) {
      return this.keep(call, call.claim, result);
    }
    const answer = this.wrap(call, result, 0n, this.clock.now());
    call.succeed();
    return answer;
  }

  /**
   * Ends a call whose work ended without a result. Where the caller went away while an upstream worked for it, the call
   * is charged as a stream is: its input and what was produced until then. Its Idempotency-Key is free again. A call that
   * was cancelled is charged likewise, but its claim keeps that as its answer: whoever made it must not begin it again, and
   * where the claim was taken over meanwhile nothing is charged.
   * @param error what ended the work
   * @throws error, always; the call is then over if it was charged
   */
  async left(call: MeteredCall, error: unknown): Promise<never> {
    const isCancelled = error instanceof CallCancelled;
    if (call.quote && call.useWhenLeft && (isCancelled || error instanceof ClientGone)) {
      const use = call.report(await call.useWhenLeft);
      const kept = isCancelled && call.claim ? () => CANCELLED : null;
      const numbers = await this.settlement.settle(call, call.quote, use, kept, error.status);
      if (numbers) {
        call.succeed();
      }
    }
    throw error;
  }

  /** Answers a retry with the stored answer of the first try, free of charge. */
  async replay(call: MeteredCall, stored: StoredAnswer): Promise<string> {
    if (call.policy.price !== null) {
      const { balanceNanoUsd } = await this.ledger.balance(call.accountId);
      setCostHeaders(call, { chargedNanoUsd: 0n, balanceNanoUsd, tokens: 0 });
    }
    call.succeed();
    call.transport.setHeaders(REPLAYED);
    return stored.body;
  }

  private async settle(call: MeteredCall, quote: Quote, result: unknown): Promise<string> {
    let body = '';
    const numbers = await this.settlement.settle(call, quote, usedTokens(call, quote), (charge, now) => {
      body = call.passedOn ?? call.transport.serialize(this.wrap(call, result, charge, now));
      return call.claim ? body : null;
    });
    if (!numbers) {
      throw new OperationTimedOut(operationTimeoutMs(call.policy.rate));
    }
    call.succeed();
    setCostHeaders(call, numbers);
    return body;
  }

  /** Stores the answer of a free call for its retries. */
  private async keep(call: MeteredCall, claim: Claim, result: unknown): Promise<string> {
    const body = call.transport.serialize(this.wrap(call, result, 0n, this.clock.now()));
    await this.idempotency.complete(claim, { status: call.policy.status, body });
    call.succeed();
    return body;
  }

  private wrap(call: MeteredCall, result: unknown, chargeNanoUsd: bigint, now: Date): unknown {
    if (!call.policy.envelope) {
      return result;
    }
    return { data: result, metadata: envelopeMetadata(call, chargeNanoUsd, now) };
  }
}

/** What the claim of a cancelled call keeps. Nobody is answered with it. */
const CANCELLED = '{}';

const REPLAYED = Object.freeze({ 'idempotent-replayed': 'true' });

/** The tokens that the handler reported; none where the price is fixed. */
function usedTokens(call: MeteredCall, quote: Quote): TokenUse {
  if (quote.price.perTokenNanoUsd === null) {
    return { inputTokens: 0, outputTokens: 0 };
  }
  if (!call.use) {
    throw new Error(`${call.policy.operationId} is priced by tokens but did not report how many it used`);
  }
  return call.use;
}

function setCostHeaders(call: MeteredCall, numbers: FinalNumbers): void {
  call.transport.setHeaders({
    'x-request-cost': formatUsd(numbers.chargedNanoUsd),
    'x-tokens-used': numbers.tokens,
    'x-balance-remaining': formatUsd(numbers.balanceNanoUsd),
  });
}
