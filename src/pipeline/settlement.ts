import { Injectable, Logger } from '@nestjs/common';
import { STREAM_TIMEOUT_MS } from '../contract/operation';
import {
  ApiError,
  ClientGone,
  errorText,
  NothingCharged,
  OperationTimedOut,
  OutcomeUnknown,
  StreamTimedOut,
} from '../errors/api-errors';
import { Idempotency } from '../ledger/idempotency';
import { Ledger } from '../ledger/ledger';
import { OperatorLoss } from '../ledger/ledger.metrics';
import { costNanoUsd, nanoToUsd, type TokenUse } from '../ledger/money';
import { UpstreamBrokeOff } from '../models/errors';
import { type FinalNumbers, type StreamedAnswer, WAITING_COMMENT } from '../models/streamed-answer';
import { Clock } from '../runtime/clock';
import { type AnswerStream, idsForLog, type Quote } from './call-transport';
import type { MeteredCall } from './metered-call';
import { CallsInFlight } from './calls-in-flight';

export function enveloped(call: MeteredCall, data: unknown, chargeNanoUsd: bigint, now: Date): unknown {
  return call.policy.envelope ? { data, metadata: envelopeMetadata(call, chargeNanoUsd, now) } : data;
}

function envelopeMetadata(call: MeteredCall, chargeNanoUsd: bigint, now: Date): object {
  const { includedNanoUsd, engine } = call.notes;
  return {
    request_id: call.requestId,
    timestamp: isoText(now),
    cost: nanoToUsd(chargeNanoUsd + includedNanoUsd),
    ...(engine && { engine }),
  };
}

function envelopedJson(call: MeteredCall, json: string, chargeNanoUsd: bigint, now: Date): string {
  if (!call.policy.envelope) {
    return json;
  }
  return `{"data":${json},"metadata":${JSON.stringify(envelopeMetadata(call, chargeNanoUsd, now))}}`;
}

let latestMs = NaN;
let latestText = '';

/** The last text is kept for calls in the same millisecond: making it is slow. */
function isoText(time: Date): string {
  const ms = time.getTime();
  if (ms !== latestMs) {
    latestText = time.toISOString();
    latestMs = ms;
  }
  return latestText;
}

/** Ends a paid call's money: its real cost is charged, the rest of its reservation is freed, its receipt is written. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger('Settlement');

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly loss: OperatorLoss,
  ) {}

  /**
   * @param answer makes the JSON text that a retry with the same Idempotency-Key will get, from the charge and the time
   * of settlement; where it is or returns null, none is kept and the key is free again. If it throws, nothing is
   * settled. It is called again where less was charged than the call cost, because only the settlement finds out how
   * much room is left for what goes beyond the reservation.
   * @returns null when the sweeper released the reservation before: the call cost nothing and must not succeed
   * @throws OutcomeUnknown where nobody can say whether the call was charged
   */
  async settle(
    call: MeteredCall,
    quote: Quote,
    use: TokenUse,
    answer: ((chargeNanoUsd: bigint, now: Date) => string | null) | null,
    status: number = call.successStatus,
  ): Promise<FinalNumbers | null> {
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const now = this.clock.now();
    const kept = answer && answer(chargeNanoUsd, now);
    const order = {
      callId: call.id,
      accountId: call.accountId,
      outcome: 'settled' as const,
      chargeNanoUsd,
      status,
      ...use,
      model: call.notes.headers?.['X-Model-Used'],
      now,
      answer: kept,
      holdsClaim: call.claim !== null,
    };
    let settled: Awaited<ReturnType<Ledger['settle']>>;
    try {
      settled = await this.ledger.settle(order);
    } catch (cause) {
      if (cause instanceof NothingCharged) {
        throw cause;
      }
      call.isOutcomeUnknown = true;
      throw new OutcomeUnknown(cause);
    }
    if (settled.verdict === 'gone') {
      return null;
    }
    const { chargedNanoUsd, balanceNanoUsd } = settled;
    if (chargedNanoUsd < chargeNanoUsd) {
      this.loss.note(chargeNanoUsd - chargedNanoUsd, call.requestId);
      await this.correct(call, kept, answer && answer(chargedNanoUsd, now));
    }
    call.charge = { chargedNanoUsd, balanceNanoUsd, tokens: use.inputTokens + use.outputTokens };
    return call.charge;
  }

  /** Keeps the answer that tells what was charged. Should that fail, a retry is told the higher cost of the call. */
  private async correct(call: MeteredCall, kept: string | null, body: string | null): Promise<void> {
    if (call.claim && body !== null && body !== kept) {
      await this.idempotency
        .complete(call.claim, { status: call.successStatus, body })
        .catch((error: unknown) => this.logger.warn(errorText(error)));
    }
  }
}

/** However a stream ends, it is settled before its last bytes leave: what was delivered is paid for. */
@Injectable()
export class StreamedAnswers {
  private readonly logger = new Logger('Streams');

  constructor(
    private readonly settlement: Settlement,
    private readonly inFlight: CallsInFlight,
  ) {}

  /** @throws OutcomeUnknown, and any unexpected error of the answer's; the stream is then broken off without an end */
  async send(call: MeteredCall, quote: Quote, answer: StreamedAnswer): Promise<void> {
    const stream = call.transport.openStream(() => call.abort(new ClientGone()));
    try {
      const broken = await this.deliver(call, answer, stream);
      call.brokenOff = broken;
      if (broken && !answer.hasBegun && !call.signal.aborted) {
        await this.endFree(call, answer, stream, broken);
        return;
      }
      const use = await answer.use();
      call.report(use);
      if (broken instanceof UpstreamBrokeOff && use.outputTokens === 0) {
        await this.endFree(call, answer, stream, broken);
      } else {
        await this.finish(call, quote, answer, stream, broken);
      }
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  private async deliver(
    call: MeteredCall,
    answer: StreamedAnswer,
    stream: AnswerStream,
  ): Promise<ApiError | null> {
    const { signal } = call;
    const timer = setTimeout(() => call.abort(new StreamTimedOut(STREAM_TIMEOUT_MS)), STREAM_TIMEOUT_MS);
    this.inFlight.streamBegins(call);
    if (stream.isGone) {
      call.abort(new ClientGone());
    }
    try {
      await sendPieces(answer.events(), (bytes) => stream.write(bytes, signal), signal);
      return null;
    } catch (thrown) {
      // A source that heeds the signal may throw an error of its own; the signal's reason says why the stream ends.
      return this.breakOf(call, signal.aborted ? signal.reason : thrown);
    } finally {
      clearTimeout(timer);
      this.inFlight.streamEnds(call);
    }
  }

  private breakOf(call: MeteredCall, error: unknown): ApiError {
    if (!(error instanceof ApiError)) {
      this.logger.error({ message: 'a stream failed', ...idsForLog(call), error: errorText(error) });
      return new ApiError(500, 'Internal Server Error', 'Something went wrong on our side.');
    }
    if (!(error instanceof ClientGone)) {
      const upstream = error instanceof UpstreamBrokeOff ? { upstream: error.upstream } : {};
      this.logger.warn({
        message: 'a stream broke off',
        ...idsForLog(call),
        ...upstream,
        error: error.message,
      });
    }
    return error;
  }

  /** Before the last bytes, which tell cost and balance. Without an answer to keep, a retry of a broken stream runs anew. */
  private async finish(
    call: MeteredCall,
    quote: Quote,
    answer: StreamedAnswer,
    stream: AnswerStream,
    broken: ApiError | null,
  ): Promise<void> {
    const keptAnswer = broken || !call.claim ? null : answer.unstreamed();
    const use = call.use ?? { inputTokens: 0, outputTokens: 0 };
    const numbers = await this.settlement.settle(call, quote, use, (charge, now) =>
      keptAnswer === null ? null : envelopedJson(call, keptAnswer, charge, now),
    );
    if (!numbers) {
      return this.endFree(call, answer, stream, call.refusal ?? new OperationTimedOut(STREAM_TIMEOUT_MS));
    }
    call.succeed();
    stream.end(broken ? answer.failure(broken, call.requestId, numbers) : answer.ending(numbers));
  }

  /** What was reserved is released before the last bytes leave. An upstream that fails before it says anything costs nothing. */
  private async endFree(
    call: MeteredCall,
    answer: StreamedAnswer,
    stream: AnswerStream,
    error: ApiError,
  ): Promise<void> {
    call.brokenOff = error;
    await call.fail(error.status);
    stream.end(answer.failure(error, call.requestId, null));
  }
}

/** Proxies give up connections on which nothing comes for longer. */
const COMMENT_EVERY_MS = 15_000;

/** A comment whenever nothing has come for 15 s. Throws the signal's reason at once, whether or not the source heeds it. */
export async function sendPieces(
  source: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  // Each round waits for a promise of its own: Promise.race with one shared promise would keep every round in memory
  // until the shared one settles.
  let stopWaiting: ((reason: unknown) => void) | null = null;
  const leave = () => stopWaiting?.(signal.reason);
  signal.addEventListener('abort', leave);
  const timer = setInterval(() => void (stopWaiting && write(WAITING_COMMENT)), COMMENT_EVERY_MS);
  try {
    for (;;) {
      signal.throwIfAborted();
      timer.refresh();
      const piece = await new Promise<IteratorResult<Uint8Array, unknown>>((resolve, reject) => {
        stopWaiting = reject;
        pieces.next().then(resolve, reject);
      });
      stopWaiting = null;
      if (piece.done) {
        return;
      }
      const writing = write(piece.value);
      if (writing) {
        await writing;
      }
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', leave);
    // Not awaited, because a source that hangs would not answer this either.
    pieces.return?.().catch(() => undefined);
  }
}
