import type { IncomingMessage } from 'node:http';

/** Why a body has no text. */
export type NoText = 'too large' | 'broken off';

/**
 * Whether a request has a body, by its head alone (RFC 9112, section 6.3). One of length 0 is none.
 */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body as UTF-8. Calls `done` once, never before it returns: with the text, or with why there is none. Where
 * the body is longer than `bytesMax` it keeps nothing of it.
 */
export function readText(
  request: IncomingMessage,
  bytesMax: number,
  done: (noText: NoText | null, text: string) => void,
): void {
  if (request.destroyed) {
    // Its events are past.
    process.nextTick(done, 'broken off', '');
    return;
  }
  if (request.complete && !request.socket.writableEnded) {
    // All of it came along with the head, as short bodies mostly do: it only has to be taken.
    const whole = request.read() as Buffer | null;
    const isTooLarge = whole !== null && whole.length > bytesMax;
    process.nextTick(
      done,
      isTooLarge ? 'too large' : null,
      isTooLarge ? '' : (whole?.toString('utf8') ?? ''),
    );
    return;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  const stop = () => {
    request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
  };
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes > bytesMax) {
      stop();
      // Thrown away from here on, as far as whoever answers lets it come.
      request.resume();
      done('too large', '');
      return;
    }
    parts.push(part);
  };
  const end = () => {
    stop();
    if (request.socket.writableEnded) {
      // It came too late: its client was answered with 408 by now.
      done('broken off', '');
      return;
    }
    // Decoded at once, because a character may be divided between two parts.
    done(null, (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, bytes)).toString('utf8'));
  };
  const breakOff = () => {
    stop();
    // An error that comes later would have no listener and end the process.
    request.on('error', () => undefined);
    done('broken off', '');
  };
  request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
}
