import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { BinaryAnswer, leaseMs, OPERATION_TIMEOUT_MS } from '../contract/operation';
import { ProcessRegister } from '../database/process-register';
import { CallCancelled, ClientGone, NothingReserved, OperationTimedOut } from '../errors/api-errors';
import { CallTraces } from '../events/call-traces';
import type { Replay } from '../ledger/idempotency';
import { Ledger, type ReserveVerdict } from '../ledger/ledger';
import { StreamedAnswer } from '../models/streamed-answer';
import { Clock } from '../runtime/clock';
import type { Quote } from './call-transport';
import { Credentials } from './credentials';
import {
  type AdmittedCall,
  asksForStream,
  CallWork,
  type MeteredCall,
  type PaidWork,
  type UndoStep,
} from './metered-call';
import { sendBinary, StreamedAnswers } from './sent-streams';
import { FirstLook, lowered, refusalOf } from './step-3-price';
import { enveloped, UsageLogStep } from './step-8-usage-log';
import { StepTimes } from './admission';

/** Checks and deducts in one atomic step: otherwise two replicas could spend the same credit. */
@Injectable()
export class ReservationStep implements UndoStep {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly firstLook: FirstLook,
    private readonly configuration: Configuration,
  ) {}

  /** Without a reservation there is no receipt either, and UnchargedCalls writes one. */
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
      inputTokens: call.work?.meter.use?.inputTokens ?? 0,
      outputTokens: call.work?.meter.use?.outputTokens ?? 0,
      now: this.clock.now(),
      answer: null,
    });
    call.hasReceipt = verdict === 'settled';
  }

  /**
   * @returns the quote, lowered to the room where the service chooses the output
   * @throws InsufficientCredits, SpendingLimitExceeded, or the refusal of a credential that has ended
   */
  async reserve(admitted: AdmittedCall, quote: Quote): Promise<Quote> {
    const { call } = admitted;
    // Before the reservation, whose outcome may stay unknown: releasing nothing is harmless.
    call.onFailure(this);
    const isOpen = quote.planFor !== undefined;
    const verdict = await this.verdictOn(admitted, quote, isOpen);
    if (verdict.verdict === 'reserved') {
      return quote;
    }
    const less = lowered(quote, verdict);
    const last = less ?? quote;
    const isUntold = isOpen && (verdict.verdict === 'daily' || verdict.verdict === 'monthly');
    const refused = less || isUntold ? await this.verdictOn(admitted, last) : verdict;
    if (refused.verdict === 'reserved') {
      return last;
    }
    throw refusalOf(refused, last, call.key !== null, this.configuration.sandboxCurrencies);
  }

  private async verdictOn(
    { call, input }: AdmittedCall,
    quote: Quote,
    isAskedAgain = false,
  ): Promise<ReserveVerdict> {
    // If the outcome stays unknown, the release or the sweep writes the receipt.
    call.hasReceipt = true;
    const now = this.clock.now();
    const order = {
      callId: call.id,
      accountId: call.accountId,
      keyId: call.key?.id ?? null,
      amountNanoUsd: quote.reserveNanoUsd,
      now,
      leaseUntil: new Date(now.getTime() + leaseMs(call.policy.rate, asksForStream(input.body))),
      operation: call.policy.operationId,
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      price: quote.price.name,
      priceVersion: quote.priceVersion,
      secretHash: call.secretHash,
      isAskedAgain,
    };
    let verdict: ReserveVerdict;
    try {
      const reserved = this.ledger.reserve(order);
      verdict = reserved instanceof Promise ? await reserved : reserved;
    } catch (error) {
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

export type Work = (done: (result: unknown) => void, failed: (error: unknown) => void) => void;

/**
 * Step 7. Time-out: 504. Model work also stops when its key ends, for free, or when its caller leaves,
 * charged so far, unless an Idempotency-Key without a stream lets a retry fetch the answer. A cancelled internal call
 * ends at once if an upstream's use is known. All other work is waited for, and its result is paid for.
 */
function runWork({ call, admitted, meter }: CallWork, work: Work): Promise<unknown> {
  const isOfUseToCallerAlone =
    call.policy.rate === 'llm' && (!admitted.claim || asksForStream(admitted.input.body));
  return new Promise((resolve, reject) => {
    const timeoutMs = OPERATION_TIMEOUT_MS[call.policy.rate];
    const timer = setTimeout(() => {
      const error = new OperationTimedOut(timeoutMs);
      call.abort(error);
      fail(error);
    }, timeoutMs);
    const leave = () => {
      const error = new ClientGone();
      meter.leave();
      call.abort(error);
      fail(error);
    };
    const stopWatching = isOfUseToCallerAlone ? call.transport.onGone(leave) : null;
    call.onOverdue = (refusal) => {
      call.abort(refusal);
      fail(refusal);
    };
    call.onRefused = call.policy.rate === 'llm' ? call.onOverdue : null;
    const { cancel } = call.terms;
    let cancelled: Error | null = null;
    const halt = () => {
      const error = cancel?.reason as Error;
      // Work stopped to be done anew is not paid for.
      if (error instanceof CallCancelled) {
        meter.leave();
      }
      call.abort(error);
      if (error instanceof CallCancelled && !meter.useWhenLeft) {
        cancelled = error;
      } else {
        fail(error);
      }
    };
    cancel?.addEventListener('abort', halt, { once: true });
    const end = () => {
      clearTimeout(timer);
      call.onRefused = call.onOverdue = null;
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

@Injectable()
export class Metering {
  constructor(
    private readonly reservation: ReservationStep,
    private readonly usageLog: UsageLogStep,
    private readonly streams: StreamedAnswers,
    private readonly times: StepTimes,
    private readonly traces: CallTraces,
    private readonly credentials: Credentials,
    private readonly register: ProcessRegister,
    private readonly clock: Clock,
  ) {}

  /** Does not begin `work` for a stored answer. @throws what ends the call, for MeteredCall.fail */
  run(admitted: AdmittedCall, work: Work): Promise<unknown> {
    const { call, replay, quote } = admitted;
    if (replay) {
      return this.replayed(call, replay);
    }
    return quote === null ? this.unpaid(admitted, work) : this.charged(admitted, quote, work);
  }

  private async unpaid(admitted: AdmittedCall, work: Work): Promise<unknown> {
    const { call } = admitted;
    const judged = this.judgeAnew(call);
    if (judged) {
      await judged;
    }
    call.throwIfEnded();
    call.isWorking = true;
    const watch = this.times.watch(call);
    watch.next('work');
    try {
      this.noteTrace(call);
      const begun = (call.work = new CallWork(admitted, null));
      const result = await runWork(begun, work);
      call.throwIfRefused();
      watch.next('settlement');
      if (call.policy.itemCosts) {
        await this.usageLog.reportItems(begun);
      }
      const answer = this.answerUnpaid(begun, result);
      return answer instanceof Promise ? await answer : answer;
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private answerUnpaid(work: CallWork, result: unknown): unknown {
    const { call, admitted } = work;
    setHeaders(work);
    if (result instanceof BinaryAnswer) {
      return sendBinary(call, result);
    }
    if (admitted.claim !== null) {
      return this.usageLog.keep(work, admitted.claim, result);
    }
    const answer = call.policy.envelope ? enveloped(work, result, 0n, this.clock.now()) : result;
    call.succeed();
    return answer;
  }

  private async charged(admitted: AdmittedCall, quote: Quote, work: Work): Promise<unknown> {
    const { call } = admitted;
    call.throwIfEnded();
    call.isWorking = true;
    const watch = this.times.watch(call);
    watch.next('reservation');
    try {
      const reserved = await this.reservation.reserve(admitted, quote);
      this.noteTrace(call);
      call.throwIfEnded();
      watch.next('work');
      const begun = (call.work = new CallWork(admitted, reserved) as PaidWork);
      let result: unknown;
      try {
        result = await runWork(begun, work);
      } catch (error) {
        watch.stop();
        return await this.usageLog.left(begun, error);
      }
      watch.next('settlement');
      setHeaders(begun);
      return call.policy.streams && result instanceof StreamedAnswer
        ? await this.streams.send(begun, result)
        : await this.usageLog.charged(begun, result);
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private async replayed(call: MeteredCall, stored: Replay): Promise<string> {
    await this.judgeAnew(call);
    call.throwIfEnded();
    call.isWorking = true;
    try {
      return await this.usageLog.replay(call, stored);
    } finally {
      call.isWorking = false;
    }
  }

  /** A process that was frozen may admit by stale memory. Paid calls are judged by the reservation. */
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

  /** Only for an account, so that refused callers write no rows. Also if unsampled, or others would begin a trace. */
  private noteTrace({ requestId, account, traceParent }: MeteredCall): void {
    if (account !== null && traceParent !== null) {
      this.traces.note(requestId, traceParent);
    }
  }
}

function setHeaders({ call, notes: { headers } }: CallWork): void {
  if (headers) {
    call.transport.setHeaders(headers);
  }
}
