import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { BinaryAnswer, leaseMs, operationTimeoutMs } from '../contract/operation';
import { ProcessRegister } from '../database/process-register';
import { CallCancelled, ClientGone, NothingReserved, OperationTimedOut } from '../errors/api-errors';
import { CallTraces } from '../events/call-traces';
import type { StoredAnswer } from '../ledger/idempotency';
import { Ledger, type ReserveVerdict } from '../ledger/ledger';
import { Clock } from '../runtime/clock';
import type { Quote } from './call-transport';
import { Credentials } from './credentials';
import type { MeteredCall, Undoing } from './metered-call';
import { enveloped } from './settlement';
import { FirstLook, lower, refusalOf } from './step-3-price';
import { sendBinary, UsageLogStep } from './step-8-usage-log';
import { StepTimes } from './admission';

/** Balance, limits and deduction in one atomic step: between a check and its deduction a replica could spend the same. */
@Injectable()
export class ReservationStep implements Undoing {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly firstLook: FirstLook,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Where it turns out that no reservation was made, or that others have taken it from this process before anybody knew
   * of the call, there is no receipt either, and UnchargedCalls writes one.
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

  /**
   * A quote whose output is the service's to choose is lowered to the room there is.
   * @throws InsufficientCredits, SpendingLimitExceeded, or the refusal of a credential that has ended meanwhile
   */
  async reserve(call: MeteredCall, quote: Quote): Promise<void> {
    // Registered before the reservation, because its outcome may stay unknown and a release does no harm where there is
    // none.
    call.onFailure(this);
    const verdict = await this.verdictOn(call, quote);
    if (verdict.verdict === 'reserved') {
      return;
    }
    const refused = lower(quote, verdict) ? await this.verdictOn(call, quote) : verdict;
    if (refused.verdict !== 'reserved') {
      throw refusalOf(refused, quote, call.key !== null, this.configuration.sandboxCurrencies);
    }
  }

  private async verdictOn(call: MeteredCall, quote: Quote): Promise<ReserveVerdict> {
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
      const reserved = this.ledger.reserve(order);
      verdict = reserved instanceof Promise ? await reserved : reserved;
    } catch (error) {
      // A release of nothing would only wait for whatever the reservation has waited for in vain.
      call.hasReceipt = !(error instanceof NothingReserved);
      throw error;
    }
    if (verdict.verdict === 'reserved') {
      call.isReserved = true;
      this.firstLook.note(call.accountId, quote.reserveNanoUsd);
      return verdict;
    }
    if (verdict.verdict === 'insufficient_credits') {
      this.firstLook.note(call.accountId, verdict.availableNanoUsd);
    }
    call.hasReceipt = false;
    return verdict;
  }
}

/** Begins the work of a call, and calls one of the two once: with what it returned, or with what it threw. */
export type Work = (done: (result: unknown) => void, failed: (error: unknown) => void) => void;

/**
 * Step 7. When the time is over, 504, and the work is told to stop. A model's work also stops when its key ends, which
 * costs nothing, or its caller goes away, unless an Idempotency-Key without a stream lets him come back for the answer;
 * what it used by then is paid for. A cancelled call of the service's own ends at once where an upstream is asked, as its use is known. Any other
 * work is waited for: what it has done all the same is its result, and is paid for.
 */
export function runWork(call: MeteredCall, work: Work): Promise<unknown> {
  const isOfUseToCallerAlone = call.policy.rate === 'llm' && (!call.claim || call.asksForStream);
  return new Promise((resolve, reject) => {
    const timeoutMs = operationTimeoutMs(call.policy.rate);
    const timer = setTimeout(() => {
      const error = new OperationTimedOut(timeoutMs);
      call.abort(error);
      fail(error);
    }, timeoutMs);
    const leave = () => {
      const error = new ClientGone();
      call.leave(error);
      fail(error);
    };
    const stopWatching = isOfUseToCallerAlone ? call.transport.onGone(leave) : null;
    if (call.policy.rate === 'llm') {
      call.onRefused = (refusal) => {
        call.abort(refusal);
        fail(refusal);
      };
    }
    const { cancel } = call.terms;
    let cancelled: Error | null = null;
    const halt = () => {
      const error = cancel?.reason as Error;
      call.halt(error);
      if (error instanceof CallCancelled && !call.useWhenLeft) {
        cancelled = error;
      } else {
        fail(error);
      }
    };
    cancel?.addEventListener('abort', halt, { once: true });
    const end = () => {
      clearTimeout(timer);
      call.onRefused = null;
      stopWatching?.();
      cancel?.removeEventListener('abort', halt);
    };
    const fail = (error: unknown) => {
      end();
      reject(cancelled ?? (error as Error));
    };
    try {
      work((result) => {
        end();
        resolve(result);
      }, fail);
    } catch (error) {
      fail(error);
    }
    if (stopWatching && call.transport.isGone) {
      leave();
    }
    if (cancel?.aborted) {
      halt();
    }
  });
}

/** A free call has no reservation and no settlement, and one without a claim no stored answer. */
@Injectable()
export class Metering {
  constructor(
    private readonly reservation: ReservationStep,
    private readonly usageLog: UsageLogStep,
    private readonly times: StepTimes,
    private readonly traces: CallTraces,
    private readonly credentials: Credentials,
    private readonly register: ProcessRegister,
    private readonly clock: Clock,
  ) {}

  /** `work` is not begun for a retry with a stored answer. @throws what ends the call, for MeteredCall.fail */
  run(call: MeteredCall, work: Work): Promise<unknown> {
    return call.policy.price === null ? this.unpaid(call, work) : this.charged(call, work);
  }

  private async unpaid(call: MeteredCall, work: Work): Promise<unknown> {
    if (call.replay) {
      return this.replayed(call, call.replay);
    }
    const judged = this.judgeAnew(call);
    if (judged) {
      await judged;
    }
    call.throwIfEnded();
    call.isWorking = true;
    const watch = this.times.start('work', call);
    try {
      this.noteTrace(call);
      const result = await runWork(call, work);
      call.throwIfRefused();
      watch.next('settlement');
      return await this.answerUnpaid(call, result);
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private async answerUnpaid(call: MeteredCall, result: unknown): Promise<unknown> {
    const { policy, claim } = call;
    if (policy.itemCosts) {
      await this.usageLog.tellItems(call);
    }
    setHeaders(call);
    if (result instanceof BinaryAnswer) {
      return sendBinary(call, result);
    }
    if (claim !== null) {
      return this.usageLog.keep(call, claim, result);
    }
    const answer = policy.envelope ? enveloped(call, result, 0n, this.clock.now()) : result;
    call.succeed();
    return answer;
  }

  private async charged(call: MeteredCall, work: Work): Promise<unknown> {
    if (call.replay) {
      return this.replayed(call, call.replay);
    }
    const quote = call.quoted();
    call.throwIfEnded();
    call.isWorking = true;
    const watch = this.times.start('reservation', call);
    try {
      await this.reservation.reserve(call, quote);
      this.noteTrace(call);
      call.throwIfEnded();
      watch.next('work');
      let result: unknown;
      try {
        result = await runWork(call, work);
      } catch (error) {
        watch.stop();
        return await this.usageLog.left(call, quote, error);
      }
      watch.next('settlement');
      setHeaders(call);
      return await this.usageLog.charged(call, quote, result);
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private async replayed(call: MeteredCall, stored: StoredAnswer): Promise<string> {
    await this.judgeAnew(call);
    call.throwIfEnded();
    call.isWorking = true;
    try {
      return await this.usageLog.replay(call, stored);
    } finally {
      call.isWorking = false;
    }
  }

  /** A process that was frozen may have admitted it by stale memory. The reservation judges paid calls, this all others. */
  private judgeAnew(call: MeteredCall): Promise<void> | void {
    const { caller } = call;
    if (caller === null || this.register.isHeard) {
      return;
    }
    return Promise.resolve(
      this.credentials.again(call.transport, caller.kind === 'key' ? 'key' : 'jwt'),
    ).then((credential) => {
      if (credential.kind === 'refused') {
        throw credential.error;
      }
    });
  }

  /**
   * Only from here on can it cause anything, and only for an account: nobody refused can have rows written. One that is
   * not sampled is noted too, or other processes would begin a trace of their own.
   */
  private noteTrace({ requestId, account, traceParent }: MeteredCall): void {
    if (account !== null && traceParent !== null) {
      this.traces.note(requestId, traceParent);
    }
  }
}

function setHeaders({ notes: { headers }, transport }: MeteredCall): void {
  if (headers) {
    transport.setHeaders(headers);
  }
}
