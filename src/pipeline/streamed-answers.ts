import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../core/errors/api-error';
import { ClientGone, OperationTimedOut, StreamTimedOut } from '../core/errors/service-errors';
import type { FinalNumbers, StreamedAnswer } from '../core/models/streams/streamed-answer';
import type { AnswerStream } from './call-transport';
import { CallsInFlight } from './calls-in-flight';
import { envelopedJson } from './enveloped';
import type { MeteredCall, Quote } from './metered-call';
import { STREAM_TIMEOUT_MS } from './operation-timeouts';
import { Settlement } from './settlement';

/**
 * Sends answers that are streams, and settles each when it has ended, in whatever way, before its last bytes leave: what
 * was delivered is paid for, also where the caller went away or the upstream broke off.
 */
@Injectable()
export class StreamedAnswers {
  private readonly logger = new Logger('Streams');

  constructor(
    private readonly settlement: Settlement,
    private readonly inFlight: CallsInFlight,
  ) {}

  /** @throws OutcomeUnknown, and whatever the answer throws that it should not; the stream is broken off then */
  async send(call: MeteredCall, quote: Quote, answer: StreamedAnswer): Promise<void> {
    const stream = call.transport.openStream(() => call.abort(new ClientGone()));
    try {
      const broken = await this.deliver(call, answer, stream);
      call.brokenOff = broken;
      call.report(await answer.use());
      await this.finish(call, quote, answer, stream, broken);
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  /** Returns why the answer broke off; null when it is complete. */
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
      for await (const bytes of untilAborted(answer.events(), signal)) {
        await stream.write(bytes, signal);
      }
      return null;
    } catch (thrown) {
      // A source that heeds the signal may throw an error of its own for it.
      return this.breakOf(call, signal.aborted ? signal.reason : thrown);
    } finally {
      clearTimeout(timer);
      this.inFlight.streamEnds(call);
    }
  }

  private breakOf(call: MeteredCall, error: unknown): ApiError {
    const { requestId } = call;
    if (!(error instanceof ApiError)) {
      this.logger.error({ message: 'a stream failed', request_id: requestId, error: stackOf(error) });
      return new ApiError(500, 'Internal Server Error', 'Something went wrong on our side.');
    }
    if (!(error instanceof ClientGone)) {
      this.logger.warn({ message: 'a stream broke off', request_id: requestId, error: error.message });
    }
    return error;
  }

  /** The settlement is durable before the last bytes leave, so that whoever reads them reads what is true. */
  private async finish(
    call: MeteredCall,
    quote: Quote,
    answer: StreamedAnswer,
    stream: AnswerStream,
    broken: ApiError | null,
  ): Promise<void> {
    const keptAnswer = broken || !call.claim ? null : answer.unstreamed();
    const numbers = await this.settle(call, quote, keptAnswer);
    if (!numbers) {
      const error = new OperationTimedOut(STREAM_TIMEOUT_MS);
      call.brokenOff = error;
      await call.fail(error.status, (failure) => this.logger.error(stackOf(failure)));
      stream.end(answer.failure(error, call.requestId, null));
      return;
    }
    call.succeed();
    stream.end(broken ? answer.failure(broken, call.requestId, numbers) : answer.ending(numbers));
  }

  /**
   * Null when the sweeper was first. Without an answer to keep, the settlement frees the call's Idempotency-Key: a retry
   * of a stream that broke off runs anew.
   */
  private settle(call: MeteredCall, quote: Quote, keptAnswer: string | null): Promise<FinalNumbers | null> {
    const use = call.use ?? { inputTokens: 0, outputTokens: 0 };
    return this.settlement.settle(call, quote, use, (charge, now) =>
      keptAnswer === null ? null : envelopedJson(call, keptAnswer, charge, now),
    );
  }
}

/** Ends with the signal's reason as soon as that aborts, whether or not the source heeds it. */
async function* untilAborted<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  // One promise that every round races with would keep all rounds alive until it settles.
  let stopWaiting: (reason: Error) => void = () => undefined;
  const abort = () => stopWaiting(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<Item, unknown>>((resolve, reject) => {
        stopWaiting = reject;
        items.next().then(resolve, reject);
      });
      if (next.done) {
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not waited for: a source that hangs would not end either.
    items.return?.().catch(() => undefined);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
