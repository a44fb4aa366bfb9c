import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { getHeapStatistics } from 'node:v8';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface BodyFault {
  readonly status: 400 | 408 | 413 | 415 | 503;
  /** Begins with a verb: its subject is the body. */
  readonly message: string;
}

const ENCODING_LENGTH_MAX = 40;

export const BODY_FAULTS = {
  notJsonType: { status: 415, message: 'must be application/json' },
  notFormType: { status: 415, message: 'must be multipart/form-data' },
  malformedForm: { status: 400, message: 'must be a form with a boundary that all of its parts end with' },
  tooManyParts: { status: 400, message: 'must not have more than one file and 16 fields' },
  repeatedField: { status: 400, message: 'must not have a field twice' },
  fieldTooLong: { status: 413, message: 'must not have a field of more than 64 KiB' },
  noFileName: { status: 400, message: 'must name the file that it brings (filename)' },
  notAsEncoded: { status: 400, message: 'must be of the encoding that Content-Encoding names' },
  stalled: { status: 408, message: 'did not arrive in time' },
  tooManyBodies: { status: 503, message: 'cannot be taken while so many others are held; send it again' },
  tooManyUploads: { status: 503, message: 'cannot be taken while so many files arrive; send it again' },
} as const satisfies Record<string, BodyFault>;

/** @param bytesMax null for unknown @param fileBytesMax where the operation takes a file */
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

export function fileInOtherField(taking: string | null): BodyFault {
  return taking === null
    ? { status: 400, message: 'must not bring a file: no field takes one' }
    : { status: 400, message: `must bring its file in the field ${taking}, and none in another` };
}

function sizeOf(bytes: number): string {
  const [unit, size] = bytes < 1024 * 1024 ? ['KiB', bytes / 1024] : ['MiB', bytes / 1024 / 1024];
  return `${Math.round(size * 100) / 100} ${unit}`;
}

export function compressedBody(encoding: string, taken: readonly string[]): BodyFault {
  const name = encoding.slice(0, ENCODING_LENGTH_MAX);
  const what = taken.length === 0 ? 'compressed' : `compressed as anything but ${taken.join(', ')}`;
  return { status: 415, message: `must not be ${what}: send it without Content-Encoding ${name}` };
}

export function encodingOf({ 'content-encoding': encoding }: IncomingHttpHeaders): string | null {
  return encoding === undefined || /^\s*(?:identity\s*)?$/i.test(encoding) ? null : encoding;
}

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** The head is checked before Node asks for the body. Other expectations are ignored (RFC 9110, 10.1.1). */
export function leaveExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, answer: ServerResponse) => {
    waiting.set(request, answer);
    server.emit('request', request, answer);
  });
  server.on('checkExpectation', (request: IncomingMessage, answer: ServerResponse) => {
    server.emit('request', request, answer);
  });
}

export function askForBody(request: IncomingMessage): void {
  if (request.headers.expect !== undefined) {
    waiting.get(request)?.writeContinue();
  }
}

export type ReadText = { readonly text: string } | BodyFault | 'broken off';

/** By the head alone (RFC 9112, section 6.3). A body of length 0 is none. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Decodes in pieces, for short turns. @param judge returns null to go on @param done called once, never before the return */
export function readText(
  request: IncomingMessage,
  judge: (part: Buffer) => BodyFault | null,
  done: (read: ReadText) => void,
): void {
  if (request.destroyed) {
    process.nextTick(done, 'broken off');
    return;
  }
  if (request.complete && !request.socket.writableEnded) {
    const parts: Buffer[] = [];
    // Before Node 26 the first call returns all, since then one part.
    for (let part = readPart(request); part !== null; part = readPart(request)) {
      parts.push(part);
    }
    const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    process.nextTick(done, judge(whole) ?? { text: whole.toString('utf8') });
    return;
  }
  const decoder = new StringDecoder('utf8');
  const texts: string[] = [];
  const stop = () => {
    request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
  };
  const take = (part: Buffer) => {
    const fault = judge(part);
    if (fault) {
      stop();
      request.resume();
      done(fault);
      return;
    }
    texts.push(decoder.write(part));
  };
  const end = () => {
    stop();
    if (request.socket.writableEnded) {
      done('broken off');
      return;
    }
    texts.push(decoder.end());
    done({ text: texts.join('') });
  };
  const breakOff = () => {
    stop();
    // A later error without a listener would end the process.
    request.on('error', () => undefined);
    done('broken off');
  };
  request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
}

function readPart(request: IncomingMessage): Buffer | null {
  return request.read() as Buffer | null;
}

/** Unread bytes discarded so that the connection serves the next request. */
const DISCARDED_BYTES_MAX = 64 * 1024;
const LINGERING_BYTES_MAX = 4 * 1024 * 1024;
const LINGERING_MS_MAX = 2_000;
/** Of all ending connections between two looks: 32 MiB a second cost a tenth of a core. */
const LOOKED_EVERY_MS = 25;
const BYTES_A_LOOK = 800 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * With much of the body unread the connection ends: Node would read on without end. Call before the answer leaves.
 */
export function closeIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.readableEnded || unreadBytesMax(raw) <= DISCARDED_BYTES_MAX) {
    return;
  }
  const { socket } = raw;
  reply.header('connection', 'close');
  // Node does not resume a body that has begun to be read, so the connection waits its turn.
  raw.pause();
  raw.read(0);
  // Node calls this after the last byte of such an answer.
  socket.destroySoon = () => closeLingering(socket, raw);
}

/**
 * Half-closes, as a reset could lose the answer, and discards up to 4 MiB or 2 seconds of input (RFC 9112,
 * section 9.6).
 * @param body still arriving, paused; the connection itself for what is no HTTP
 */
export function closeLingering(socket: Socket, body: Readable = socket): void {
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

export function unreadBytesMax(request: IncomingMessage): number {
  if (!hasBody(request)) {
    return 0;
  }
  return request.headers['transfer-encoding'] === undefined
    ? Number(request.headers['content-length'])
    : Infinity;
}

/** The rest of the heap is for the program, and for what calls make of bodies. */
const HEAP_SHARE = 3;
const ACCOUNT_SHARE = 1 / 4;
const STRANGERS_SHARE = 1 / 8;
const ADDRESS_SHARE = 1 / 64;
/** For owners with little: accounts that fill the rest keep no small bodies out. */
const COMMON_SHARE = 3 / 4;
const LITTLE_SHARE = 1 / 256;

/** A stranger is known only by an address or a block of addresses. */
export type BodyOwner = { readonly accountId: string } | { readonly address: string };

/** From reading to the call's end: no account, address or stranger takes all memory. */
export class BodyBudget {
  private readonly owners = new Map<string, { held: number; readonly share: number }>();
  private strangers = 0;
  private total = 0;

  constructor(readonly bytesMax = Math.floor(getHeapStatistics().heap_size_limit / HEAP_SHARE)) {}

  get bytes(): number {
    return this.total;
  }

  /** An owner that holds nothing gets any size while there is room: its share may be less than one operation's. */
  take(owner: BodyOwner, heapBytes: number): BodyRoom | null {
    const room = new BodyRoom(this, owner);
    return room.hold(heapBytes) ? room : null;
  }

  change(owner: BodyOwner, held: number, wanted: number): boolean {
    const isStranger = 'address' in owner;
    const key = isStranger ? `address:${owner.address}` : `account:${owner.accountId}`;
    const own = this.owners.get(key) ?? { held: 0, share: isStranger ? ADDRESS_SHARE : ACCOUNT_SHARE };
    const more = wanted - held;
    if (more > 0) {
      const ofAll = own.held + more <= this.bytesMax * LITTLE_SHARE ? 1 : COMMON_SHARE;
      if (
        this.isTooMuch(own.held - held, wanted, own.share) ||
        (isStranger && this.isTooMuch(this.strangers - held, wanted, STRANGERS_SHARE)) ||
        this.isTooMuch(this.total - held, wanted, ofAll)
      ) {
        return false;
      }
    }
    own.held += more;
    this.total += more;
    this.strangers += isStranger ? more : 0;
    if (own.held === 0) {
      this.owners.delete(key);
    } else {
      this.owners.set(key, own);
    }
    return true;
  }

  /** An only body always fits. */
  private isTooMuch(others: number, wanted: number, share: number): boolean {
    return others > 0 && others + wanted > this.bytesMax * share;
  }
}

export class BodyRoom {
  private held = 0;
  private isLeft = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly owner: BodyOwner,
  ) {}

  /** @returns false, and changes nothing, where there is too little room; less than before is always given */
  hold(heapBytes: number): boolean {
    // What is read after the end of its call is thrown away.
    const wanted = this.isLeft ? 0 : Math.ceil(heapBytes);
    if (!this.budget.change(this.owner, this.held, wanted)) {
      return false;
    }
    this.held = wanted;
    return true;
  }

  /** For good: what is held later counts as nothing. */
  leave(): void {
    this.hold(0);
    this.isLeft = true;
  }
}

/** Heap per byte while reading: pieces, text, and the texts parsed out of it. */
export const READING_HEAP_BYTES = 3;
/** After parsing: two bytes for each character, and what the call makes of them. */
export const PARSED_HEAP_BYTES = 2;

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
}

export function takeBodyRoom({ headers, server }: FastifyRequest, owner: BodyOwner): BodyRoom | null {
  const announcedBytes = Number(headers['content-length'] ?? 0);
  return server.bodyBudget.take(owner, announcedBytes * READING_HEAP_BYTES);
}

/** Waiting work holds room of the budget, which bounds it. */
class TurnsOfTheLoop {
  private readonly waiting: (() => void)[] = [];
  private isTurnTaken = false;

  run(work: () => void): void {
    if (this.isTurnTaken) {
      this.waiting.push(work);
      return;
    }
    this.isTurnTaken = true;
    setImmediate(() => this.next());
    work();
  }

  private next(): void {
    this.isTurnTaken = false;
    const work = this.waiting.shift();
    if (work !== undefined) {
      this.run(work);
    }
  }
}

export const largeBodies = new TurnsOfTheLoop();
