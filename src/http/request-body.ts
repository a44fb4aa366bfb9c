import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Why a request's body was not read. */
export interface BodyFault {
  readonly status: 400 | 408 | 413 | 415 | 503;
  /** Begins with a verb: the body is what it speaks of. */
  readonly message: string;
}

const ENCODING_LENGTH_MAX = 40;

/** The faults that a body can have before it is parsed, with their texts. What is no JSON is told by jsonFault(). */
export const BODY_FAULTS = {
  notJsonType: { status: 400, message: 'must be application/json' },
  notFormType: { status: 400, message: 'must be multipart/form-data' },
  malformedForm: { status: 400, message: 'must be a form with a boundary that all of its parts end with' },
  tooManyParts: { status: 400, message: 'must not have more than one file and 16 fields' },
  repeatedField: { status: 400, message: 'must not have a field twice' },
  fieldTooLong: { status: 413, message: 'must not have a field of more than 64 KiB' },
  noFileName: { status: 400, message: 'must name the file that it brings (filename)' },
  stalled: { status: 408, message: 'did not arrive in time' },
  tooManyBodies: { status: 503, message: 'cannot be taken while so many others are held; send it again' },
  tooManyUploads: { status: 503, message: 'cannot be taken while so many files arrive; send it again' },
} as const satisfies Record<string, BodyFault>;

/**
 * The body is larger than the operation takes.
 * @param bytesMax null where that is not known
 * @param fileBytesMax how large its file may be, where it may bring one
 */
export function bodyTooLarge(bytesMax: number | null, fileBytesMax: number | null = null): BodyFault {
  if (bytesMax === null) {
    return { status: 413, message: 'is too large' };
  }
  const whose =
    fileBytesMax === null
      ? `this operation takes at most ${sizeOf(bytesMax)}`
      : `a file has at most ${sizeOf(fileBytesMax)}`;
  return { status: 413, message: `is too large: ${whose}` };
}

/** The body brings a file in a field that takes none. @param taking the field that takes one; null where none does */
export function fileInOtherField(taking: string | null): BodyFault {
  const message =
    taking === null
      ? 'must not bring a file: no field takes one'
      : `must bring its file in the field ${taking}, and none in another`;
  return { status: 400, message };
}

function sizeOf(bytes: number): string {
  if (bytes < 1024 * 1024) {
    return `${Math.round((bytes / 1024) * 100) / 100} KiB`;
  }
  return `${Math.round((bytes / 1024 / 1024) * 100) / 100} MiB`;
}

/** The body is compressed, and nobody can tell before unpacking it how large it is. */
export function compressedBody(encoding: string): BodyFault {
  const name = encoding.slice(0, ENCODING_LENGTH_MAX);
  return { status: 415, message: `must not be compressed: send it without Content-Encoding ${name}` };
}

/** The answers of requests whose client sends the body only once it is asked to. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Lets requests with `Expect: 100-continue` (RFC 9110, section 10.1.1) be judged by their heads: without this Node asks
 * every client for its body at once. Other expectations are ignored, as that section allows.
 */
export function leaveExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, answer: ServerResponse) => {
    waiting.set(request, answer);
    server.emit('request', request, answer);
  });
  server.on('checkExpectation', (request: IncomingMessage, answer: ServerResponse) => {
    server.emit('request', request, answer);
  });
}

/** Tells the client to send its body, where it waits to be told. */
export function askForBody(request: IncomingMessage): void {
  if (request.headers.expect !== undefined) {
    waiting.get(request)?.writeContinue();
  }
}

/** What came of reading a body: its text, why it is refused, or that its client left before the end. */
type ReadText = { readonly text: string } | BodyFault | 'broken off';

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

/** An unread rest up to this size is read and thrown away, so that the connection serves the next request. */
const DISCARDED_BYTES_MAX = 64 * 1024;
/** What one connection may still send while it ends, and for how long. */
const LINGERING_BYTES_MAX = 4 * 1024 * 1024;
const LINGERING_MS_MAX = 2_000;
/** What all ending connections together may send between two looks: 32 MiB a second cost a tenth of a core. */
const LOOKED_EVERY_MS = 25;
const BYTES_A_LOOK = 800 * 1024;
/** What one connection hands over at a time. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Called before an answer leaves. Where much of the request's body is unread, the connection ends after the answer:
 * Node would otherwise read on for as long as the client sends.
 */
export function closeIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.readableEnded || unreadBytesMax(raw) <= DISCARDED_BYTES_MAX) {
    return;
  }
  const { socket } = raw;
  reply.header('connection', 'close');
  // A body that somebody has begun to read is not read to its end by Node, so that its connection waits for its turn.
  raw.pause();
  raw.read(0);
  // Node calls this after the last byte of such an answer.
  socket.destroySoon = () => endGently(socket, raw);
}

/** Whether the connection was ended by our side, so that nothing that still arrives may be served. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return socket.writableEnded;
}

/**
 * Ends a connection whose peer may still be sending. Closed at once, it would be reset, and the peer could lose an
 * answer that it has not read yet. So only our side is ended, and what still arrives is thrown away, up to 4 MiB and
 * 2 seconds (RFC 9112, section 9.6). All such connections take turns, because many that send at once would keep the
 * process from everything else.
 * @param body the body that is still arriving, paused; the connection itself where what arrives is no HTTP
 */
export function endGently(socket: Socket, body: Readable = socket): void {
  if (socket.destroyed) {
    return;
  }
  const bytesReadMax = socket.bytesRead + LINGERING_BYTES_MAX;
  const timer = setTimeout(() => socket.destroy(), LINGERING_MS_MAX);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  body.on('data', (chunk: Buffer) => {
    if (socket.bytesRead > bytesReadMax) {
      socket.destroy();
    } else {
      turns.spend(body, chunk.length);
    }
  });
  turns.wait(body);
}

/** Whose bytes are thrown away next, in the order in which they came. */
class DiscardTurns {
  private readonly waiting = new Set<Readable>();
  private bytesLeft = BYTES_A_LOOK;
  private timer: NodeJS.Timeout | null = null;

  wait(source: Readable): void {
    source.pause();
    this.waiting.add(source);
    this.timer ??= setInterval(() => this.look(), LOOKED_EVERY_MS);
  }

  spend(source: Readable, bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft <= 0) {
      this.wait(source);
    }
  }

  private look(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer ?? undefined);
      this.timer = null;
    }
    this.bytesLeft = BYTES_A_LOOK;
    for (const source of [...this.waiting].slice(0, BYTES_A_LOOK / CHUNK_BYTES)) {
      this.waiting.delete(source);
      source.resume();
    }
  }
}

const turns = new DiscardTurns();

function unreadBytesMax(request: IncomingMessage): number {
  if (!hasBody(request)) {
    return 0;
  }
  return request.headers['transfer-encoding'] === undefined
    ? Number(request.headers['content-length'])
    : Infinity;
}
