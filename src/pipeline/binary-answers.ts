import { Injectable, Logger } from '@nestjs/common';
import type { BinaryAnswer } from '../contract/binary-answer';
import { NotFound } from '../core/errors/request-errors';
import { ClientGone } from '../core/errors/service-errors';
import { errorText } from '../infrastructure/logging/error-text';
import type { AnswerStream } from './call-transport';
import { idsForLog } from './client-request-id';
import type { MeteredCall } from './metered-call';
import { STREAM_TIMEOUT_MS } from './operation-timeouts';

const NOTHING = new Uint8Array();

/** Sends answers that are bytes, each piece when the one before it has left. */
@Injectable()
export class BinaryAnswers {
  private readonly logger = new Logger('Http');

  /**
   * Reads the first piece before the head leaves, so that what is gone by then is refused as it is anywhere else.
   * @throws what reading that piece throws; a later failure can only be told by breaking the connection
   */
  async send(call: MeteredCall, { head, bytes }: BinaryAnswer): Promise<void> {
    const pieces = bytes(call.signal)[Symbol.asyncIterator]();
    const first = await pieces.next();
    const stream = call.transport.openStream(() => call.abort(new ClientGone()), head);
    const timer = setTimeout(() => call.abort(new ClientGone()), STREAM_TIMEOUT_MS);
    try {
      if (stream.takesBody) {
        await sendPieces(stream, first, pieces, call.signal);
      }
      stream.end(NOTHING);
    } catch (error) {
      stream.destroy();
      if (!call.signal.aborted) {
        // What its owner has deleted meanwhile is no failure of the service.
        const level = error instanceof NotFound ? 'warn' : 'error';
        this.logger[level]({ message: 'an answer broke off', ...idsForLog(call), error: errorText(error) });
      }
    } finally {
      clearTimeout(timer);
      call.succeed();
    }
  }
}

async function sendPieces(
  stream: AnswerStream,
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for (let piece = first; piece.done !== true; piece = await pieces.next()) {
    await stream.write(piece.value, signal);
    signal.throwIfAborted();
  }
}
