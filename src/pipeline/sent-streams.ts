import { Injectable, Logger } from '@nestjs/common';
import { type BinaryAnswer, STREAM_TIMEOUT_MS } from '../contract/operation';
import {
  ApiError,
  ClientGone,
  errorText,
  NotFound,
  OperationTimedOut,
  StreamTimedOut,
} from '../errors/api-errors';
import { UpstreamBrokeOff } from '../models/errors';
import { type StreamedAnswer, WAITING_COMMENT } from '../models/streamed-answer';
import type { AnswerStream } from './call-transport';
import { CallsInFlight } from './calls-in-flight';
import { idsForLog, type MeteredCall, type PaidWork, SentAnswer } from './metered-call';
import { envelopedJson, UsageLogStep } from './step-8-usage-log';

/** A stream is settled before its last bytes leave, however it ends: what was delivered is paid for. */
@Injectable()
export class StreamedAnswers {
  private readonly logger = new Logger('Streams');

  constructor(
    private readonly usageLog: UsageLogStep,
    private readonly inFlight: CallsInFlight,
  ) {}

  /** @throws OutcomeUnknown or an unexpected error; the stream is then broken off without an end */
  async send(work: PaidWork, answer: StreamedAnswer): Promise<SentAnswer> {
    const { call } = work;
    const stream = call.transport.openStream(() => call.abort(new ClientGone()));
    try {
      const broken = await this.deliver(call, answer, stream);
      if (broken && !answer.hasBegun && !call.signal.aborted) {
        return await this.endFree(call, answer, stream, broken);
      }
      const use = await answer.use();
      work.meter.report(use);
      return broken instanceof UpstreamBrokeOff && use.outputTokens === 0
        ? await this.endFree(call, answer, stream, broken)
        : await this.finish(work, answer, stream, broken);
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
      // The signal's reason says why: a source that heeds it may throw its own error.
      return this.breakOf(call, signal.aborted ? signal.reason : thrown);
    } finally {
      clearTimeout(timer);
      call.isStreaming = false;
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

  /** The last bytes tell cost and balance. A broken stream stores no answer for a retry. */
  private async finish(
    work: PaidWork,
    answer: StreamedAnswer,
    stream: AnswerStream,
    broken: ApiError | null,
  ): Promise<SentAnswer> {
    const { call, admitted, meter } = work;
    const keptAnswer = broken || !admitted.claim ? null : answer.unstreamed();
    const use = meter.use ?? { inputTokens: 0, outputTokens: 0 };
    const numbers = await this.usageLog.settle(work, use, (charge, now) =>
      keptAnswer === null ? null : envelopedJson(work, keptAnswer, charge, now),
    );
    if (!numbers) {
      return this.endFree(call, answer, stream, call.refusal ?? new OperationTimedOut(STREAM_TIMEOUT_MS));
    }
    call.succeed();
    stream.end(broken ? answer.failure(broken, call.requestId, numbers) : answer.ending(numbers));
    return new SentAnswer(broken);
  }

  /** An upstream that fails before its first piece costs nothing. */
  private async endFree(
    call: MeteredCall,
    answer: StreamedAnswer,
    stream: AnswerStream,
    error: ApiError,
  ): Promise<SentAnswer> {
    await call.fail(error.status);
    stream.end(answer.failure(error, call.requestId, null));
    return new SentAnswer(error);
  }
}

/** Proxies close connections that are silent for longer. */
const COMMENT_EVERY_MS = 15_000;

/** Throws the signal's reason at once, even if the source ignores it. */
export async function sendPieces(
  source: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  // A new promise each round: racing one shared promise would keep every round in memory.
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

const NOTHING = new Uint8Array();

const logger = new Logger('Http');

/**
 * Reads the first piece before the head leaves, so that its failures get an ordinary error answer.
 * @throws those, or the refusal of an ended credential; later failures break the connection
 */
export async function sendBinary(call: MeteredCall, { head, bytes }: BinaryAnswer): Promise<SentAnswer> {
  const pieces = bytes(call.signal)[Symbol.asyncIterator]();
  // A credential may end during the first read; nothing judges the stream again.
  call.onRefused = (refusal) => call.abort(refusal);
  try {
    const first = await pieces.next();
    call.throwIfRefused();
    await sendFrom(first, pieces, call, head);
    return new SentAnswer();
  } catch (error) {
    throw call.refusal ?? error;
  } finally {
    // Not awaited: a source that hangs would not answer.
    pieces.return?.().catch(() => undefined);
  }
}

async function sendFrom(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  call: MeteredCall,
  head: BinaryAnswer['head'],
): Promise<void> {
  const stream = call.transport.openStream(() => call.abort(new ClientGone()), head);
  const timer = setTimeout(() => call.abort(new ClientGone()), STREAM_TIMEOUT_MS);
  // A connection that has closed already emits nothing more.
  if (stream.isGone) {
    call.abort(new ClientGone());
  }
  try {
    for (let piece = first; stream.takesBody && piece.done !== true; piece = await pieces.next()) {
      await stream.write(piece.value, call.signal);
      call.signal.throwIfAborted();
    }
    stream.end(NOTHING);
  } catch (error) {
    stream.destroy();
    if (!call.signal.aborted) {
      const level = error instanceof NotFound ? 'warn' : 'error';
      logger[level]({ message: 'an answer broke off', ...idsForLog(call), error: errorText(error) });
    }
  } finally {
    clearTimeout(timer);
    call.succeed();
  }
}
