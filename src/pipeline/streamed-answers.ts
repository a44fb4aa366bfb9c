import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../core/errors/api-error';
import { ClientGone, OperationTimedOut, StreamTimedOut } from '../core/errors/service-errors';
import type { FinalNumbers, StreamedAnswer } from '../core/models/streams/streamed-answer';
import { errorText } from '../infrastructure/logging/error-text';
import type { AnswerStream } from './call-transport';
import { idsForLog } from './client-request-id';
import { CallsInFlight } from './calls-in-flight';
import { envelopedJson } from './enveloped';
import type { MeteredCall, Quote } from './metered-call';
import { STREAM_TIMEOUT_MS } from './operation-timeouts';
import { Settlement } from './settlement';

/**
 * Sends answers that are streams. However a stream ends, it is settled before its last bytes leave: what was delivered
 * is paid for, also where the caller went away or the upstream broke off.
 */
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
      this.logger.warn({ message: 'a stream broke off', ...idsForLog(call), error: error.message });
    }
    return error;
  }

  /** The settlement is durable before the last bytes leave, because they tell the cost and the balance. */
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
      await call.fail(error.status, (failure) =>
        this.logger.error({
          message: 'a failed call could not be taken back',
          ...idsForLog(call),
          error: errorText(failure),
        }),
      );
      stream.end(answer.failure(error, call.requestId, null));
      return;
    }
    call.succeed();
    stream.end(broken ? answer.failure(broken, call.requestId, numbers) : answer.ending(numbers));
  }

  /**
   * Returns null when the sweeper released the reservation before. Without an answer to keep, the settlement frees the
   * call's Idempotency-Key, so that a retry of a stream that broke off runs anew.
   */
  private settle(call: MeteredCall, quote: Quote, keptAnswer: string | null): Promise<FinalNumbers | null> {
    const use = call.use ?? { inputTokens: 0, outputTokens: 0 };
    return this.settlement.settle(call, quote, use, (charge, now) =>
      keptAnswer === null ? null : envelopedJson(call, keptAnswer, charge, now),
    );
  }
}

/** The source's items. Throws the signal's reason as soon as it aborts, whether or not the source heeds the signal. */
async function* untilAborted<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  // Each round waits for a promise of its own: Promise.race with one shared promise would keep every round in memory
  // until the shared one settles.
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
    // Not awaited, because a source that hangs would not answer this either.
    items.return?.().catch(() => undefined);
  }
}
