import { Injectable, Logger } from '@nestjs/common';
import type { BinaryAnswer } from '../contract/binary-answer';
import { ClientGone } from '../core/errors/service-errors';
import { errorText } from '../infrastructure/logging/error-text';
import { idsForLog } from './client-request-id';
import type { MeteredCall } from './metered-call';
import { STREAM_TIMEOUT_MS } from './operation-timeouts';

const NOTHING = new Uint8Array();

/** Sends answers that are bytes, each piece when the one before it has left. */
@Injectable()
export class BinaryAnswers {
  private readonly logger = new Logger('Http');

  /** Never rejects: the head has left, so a failure can only be told by breaking the connection. */
  async send(call: MeteredCall, { head, bytes }: BinaryAnswer): Promise<void> {
    const stream = call.transport.openStream(() => call.abort(new ClientGone()), head);
    const timer = setTimeout(() => call.abort(new ClientGone()), STREAM_TIMEOUT_MS);
    const { signal } = call;
    try {
      if (stream.takesBody) {
        for await (const piece of bytes(signal)) {
          await stream.write(piece, signal);
          signal.throwIfAborted();
        }
      }
      stream.end(NOTHING);
    } catch (error) {
      stream.destroy();
      if (!signal.aborted) {
        this.logger.error({ message: 'an answer broke off', ...idsForLog(call), error: errorText(error) });
      }
    } finally {
      clearTimeout(timer);
      call.succeed();
    }
  }
}
