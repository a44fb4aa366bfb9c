import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a receiver does to a request. */
export type ReceiverReaction =
  | {
      kind: 'answer';
      status: number;
      body?: string | Buffer;
      headers?: Record<string, string>;
      delayMs?: number;
    }
  /** Answers with a byte of a body every so often, and never ends. */
  | { kind: 'drip'; status: number; everyMs: number }
  /** Answers with a body of so many bytes, as fast as they are taken. */
  | { kind: 'huge'; status: number; bytes: number; headers?: Record<string, string> }
  | { kind: 'redirect'; to: string; status?: number }
  | { kind: 'hang' }
  | { kind: 'reset' }
  /** Writes bytes on the connection as they are; the repeated ones over and over, as fast as they are taken. */
  | { kind: 'raw'; first: string; repeated?: string };

/** Does it. Everything ends with the connection. */
export function react(reaction: ReceiverReaction, request: IncomingMessage, response: ServerResponse): void {
  switch (reaction.kind) {
    case 'answer': {
      const { status, headers, body, delayMs = 0 } = reaction;
      const timer = setTimeout(() => response.writeHead(status, headers).end(body), delayMs);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    case 'drip': {
      response.writeHead(reaction.status).write('.');
      const timer = setInterval(() => response.write('.'), reaction.everyMs);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'huge':
      response.writeHead(reaction.status, { 'content-length': reaction.bytes, ...reaction.headers });
      writeOnAndOn(response, Buffer.alloc(64 * 1024, 'x'), reaction.bytes);
      return;
    case 'redirect':
      response.writeHead(reaction.status ?? 302, { location: reaction.to }).end();
      return;
    case 'hang':
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'raw':
      request.socket.write(reaction.first);
      if (reaction.repeated !== undefined) {
        writeOnAndOn(request.socket, Buffer.from(reaction.repeated.repeat(500)), Infinity);
      }
  }
}

function writeOnAndOn(to: NodeJS.WritableStream, piece: Buffer, bytes: number): void {
  let left = bytes;
  let isOpen = true;
  const write = () => {
    while (isOpen && left > 0) {
      left -= piece.length;
      if (!to.write(left < 0 ? piece.subarray(0, left) : piece)) {
        return;
      }
    }
  };
  to.on('drain', write);
  to.on('error', () => (isOpen = false));
  to.on('close', () => (isOpen = false));
  write();
}
