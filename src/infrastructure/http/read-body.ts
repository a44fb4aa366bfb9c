import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { BodyFault } from './body-fault';

/** What came of reading a body: its text, why it is refused, or that its client left before the end. */
export type ReadText = { readonly text: string } | BodyFault | 'broken off';

/**
 * Whether a request has a body, by its head alone (RFC 9112, section 6.3). One of length 0 is none.
 */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body as UTF-8. Each piece is decoded as it arrives, so that no turn of the event loop decodes a large body as a
 * whole. Where the body is refused, nothing of it is kept.
 * @param judge sees each piece before it is kept, and says why the body is refused; null lets it go on
 * @param done is called once, never before this returns
 */
export function readText(
  request: IncomingMessage,
  judge: (part: Buffer) => BodyFault | null,
  done: (read: ReadText) => void,
): void {
  if (request.destroyed) {
    // Its events are past.
    process.nextTick(done, 'broken off');
    return;
  }
  if (request.complete && !request.socket.writableEnded) {
    // All of it came along with the head, as short bodies mostly do: it only has to be taken.
    const whole = request.read() as Buffer | null;
    process.nextTick(done, (whole && judge(whole)) ?? { text: whole?.toString('utf8') ?? '' });
    return;
  }
  // A character may be divided between two pieces.
  const decoder = new StringDecoder('utf8');
  const texts: string[] = [];
  const stop = () => {
    request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
  };
  const take = (part: Buffer) => {
    const fault = judge(part);
    if (fault) {
      stop();
      // Thrown away from here on, as far as whoever answers lets it come.
      request.resume();
      done(fault);
      return;
    }
    texts.push(decoder.write(part));
  };
  const end = () => {
    stop();
    if (request.socket.writableEnded) {
      // It came too late: its client was answered with 408 by now.
      done('broken off');
      return;
    }
    texts.push(decoder.end());
    done({ text: texts.join('') });
  };
  const breakOff = () => {
    stop();
    // An error that comes later would have no listener and end the process.
    request.on('error', () => undefined);
    done('broken off');
  };
  request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
}
