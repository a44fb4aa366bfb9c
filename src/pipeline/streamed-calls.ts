import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Quote } from '../contract/call-state';
import type { FinalNumbers, StreamedAnswer } from '../core/models/streams/streamed-answer';
import { ApiError } from '../core/errors/api-error';
import { ClientGone, OperationTimedOut, OutcomeUnknown, StreamTimedOut } from '../core/errors/service-errors';
import { Ledger } from '../core/money/ledger/ledger';
import { costNanoUsd } from '../core/money/pricing/price-list';
import { Clock } from '../infrastructure/clock/clock';
import { CallsInFlight } from './calls-in-flight';
import { envelopedJson } from './enveloped';
import { EventStream } from './event-stream';
import { STREAM_TIMEOUT_MS } from './operation-timeouts';
import type { PipelineCall } from './pipeline-call';

/**
 * Sends answers that are streams, and settles each when it has ended, in whatever way, before its last bytes leave: what
 * was delivered is paid for, also where the caller went away or the upstream broke off.
 */
@Injectable()
export class StreamedCalls {
  private readonly logger = new Logger('Streams');

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly inFlight: CallsInFlight,
  ) {}

  /** @throws OutcomeUnknown, and whatever the answer throws that it should not; the connection is broken then */
  async send(call: PipelineCall, quote: Quote, answer: StreamedAnswer, reply: FastifyReply): Promise<void> {
    const stream = new EventStream(reply, () => call.abort(new ClientGone()));
    try {
      const broken = await this.deliver(call, answer, stream);
      call.report(await answer.use());
      await this.finish(call, quote, answer, stream, broken);
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  /** Returns why the answer broke off; null when it is complete. */
  private async deliver(
    call: PipelineCall,
    answer: StreamedAnswer,
    stream: EventStream,
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
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof ApiError) {
        if (!(error instanceof ClientGone)) {
          this.logger.warn({
            message: 'a stream broke off',
            request_id: call.requestId,
            error: error.message,
          });
        }
        return error;
      }
      this.logger.error({ message: 'a stream failed', request_id: call.requestId, error: stackOf(error) });
      return new ApiError(500, 'Internal Server Error', 'Something went wrong on our side.');
    } finally {
      clearTimeout(timer);
      this.inFlight.streamEnds(call);
    }
  }

  /** The settlement is durable before the last bytes leave, so that whoever reads them reads what is true. */
  private async finish(
    call: PipelineCall,
    quote: Quote,
    answer: StreamedAnswer,
    stream: EventStream,
    broken: ApiError | null,
  ): Promise<void> {
    const numbers = await this.settle(call, quote, broken || !call.claim ? null : answer.unstreamed());
    if (!numbers) {
      const error = new OperationTimedOut(STREAM_TIMEOUT_MS);
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
  private async settle(
    call: PipelineCall,
    quote: Quote,
    keptAnswer: string | null,
  ): Promise<FinalNumbers | null> {
    const use = call.use ?? { inputTokens: 0, outputTokens: 0 };
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const now = this.clock.now();
    const { verdict, chargedNanoUsd, balanceNanoUsd } = await this.ledger
      .settle({
        callId: call.id,
        accountId: call.accountId,
        outcome: 'settled',
        chargeNanoUsd,
        status: call.policy.status,
        ...use,
        now,
        answer: keptAnswer && envelopedJson(call, keptAnswer, chargeNanoUsd, now),
      })
      .catch((cause: unknown) => {
        throw new OutcomeUnknown(cause);
      });
    const tokens = use.inputTokens + use.outputTokens;
    return verdict === 'gone' ? null : { chargedNanoUsd, balanceNanoUsd, tokens };
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
