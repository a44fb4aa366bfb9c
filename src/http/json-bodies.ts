import { ServiceUnavailableException } from '@nestjs/common';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import {
  askForBody,
  BODY_FAULTS,
  type BodyBudget,
  type BodyFault,
  type BodyOwner,
  type BodyRoom,
  bodyTooLarge,
  compressedBody,
  encodingOf,
  hasBody,
  readText,
  type ReadText,
} from './request-body';
import { isTakenEncoding, readEncodedText, TAKEN_ENCODINGS } from './encoded-bodies';
import { noteExactNumbers } from '../runtime/exact-numbers';
import { JsonCounts, parseJson } from './json-text';

/** A longer JSON body (in UTF-16 units) is validated in a turn of the event loop of its own. */
export const TURN_LENGTH_MAX = 64 * 1024;
/** What is parsed beside other bodies in one turn of the event loop: bytes of the text and of the heap together. */
const TURN_BYTES_MAX = 64 * 1024;
/** A body takes so much of the heap for each byte while it is read: its pieces, its text, and the texts parsed out of it. */
const READING_HEAP_BYTES = 3;
/** Once it is parsed: its texts, at two bytes for each character of most alphabets, and what the call makes of them. */
const PARSED_HEAP_BYTES = 2;

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
  interface FastifyRequest {
    bodyFault?: BodyFault;
    bodyLength?: number;
    isBodyLeft: boolean;
    bodyRoom: BodyRoom | null;
  }
}

/** Fastify reads no body of theirs. */
const BODYLESS = new Set(['GET', 'HEAD']);

/** Where `bodyBytesMax` is set, a body is read once its call is admitted, so that a stranger's costs nothing. */
export function leaveBodies(server: FastifyInstance, budget: BodyBudget): void {
  server.decorate('bodyBudget', budget);
  server.decorateRequest('isBodyLeft', false);
  server.decorateRequest('bodyRoom', null);
  server.addHook('onRoute', (route) => {
    if (BODYLESS.has(String(route.method))) {
      return;
    }
    if (((route.config ?? {}) as { bodyBytesMax?: number | null }).bodyBytesMax !== undefined) {
      route.onRequest = [...[route.onRequest ?? []].flat(), leaveBody];
    } else {
      route.onResponse = [...[route.onResponse ?? []].flat(), leaveRoom];
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request, _, done) => {
    if (request.isBodyLeft || request.is404) {
      done(null, undefined);
      return;
    }
    const { bodyLimit } = request.routeOptions;
    request.bodyRoom = takeBodyRoom(request, { address: request.ip });
    readJsonBody(request, { bytesMax: bodyLimit, room: request.bodyRoom }, (isWhole) =>
      done(errorOfFastify(request, isWhole), request.body),
    );
  });
  server.addContentTypeParser('*', (request, payload, done) => {
    if (!request.isBodyLeft && !request.is404) {
      request.bodyFault = BODY_FAULTS.notJsonType;
      payload.resume();
    }
    done(null, undefined);
  });
}

function errorOfFastify({ bodyFault }: FastifyRequest, isWhole: boolean): Error | null {
  if (!isWhole) {
    return new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH();
  }
  if (bodyFault?.status === 503) {
    return new ServiceUnavailableException(`The body ${bodyFault.message}.`);
  }
  return bodyFault?.status === 413 ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : null;
}

function leaveBody(request: FastifyRequest, _: unknown, done: () => void): void {
  request.isBodyLeft = true;
  // Fastify refuses a type that is none before it asks any handler, also for a caller who is over the rate limit.
  if (request.headers['content-type'] !== undefined && request.mediaType === undefined) {
    delete request.raw.headers['content-type'];
  }
  done();
}

function leaveRoom(request: FastifyRequest, _: unknown, done: () => void): void {
  request.bodyRoom?.leave();
  done();
}

/** As far as the head tells how long the body is; one whose length is not announced takes more with each piece. */
export function takeBodyRoom({ headers, server }: FastifyRequest, owner: BodyOwner): BodyRoom | null {
  const announcedBytes = Number(headers['content-length'] ?? 0);
  return server.bodyBudget.take(owner, announcedBytes * READING_HEAP_BYTES);
}

interface BodyBounds {
  readonly bytesMax: number;
  /** What was taken for the body, null where there was none; it keeps what the parsed body needs. */
  readonly room: BodyRoom | null;
  readonly takesEncoded?: boolean;
}

/** On failure `bodyFault` says why. `done` is called once, maybe before this returns: with false where the client left. */
export function readJsonBody(
  request: FastifyRequest,
  bounds: BodyBounds,
  done: (isWhole: boolean) => void,
): void {
  if (!hasBody(request.raw)) {
    done(true);
    return;
  }
  const { bytesMax, room } = bounds;
  const encoding = encodingOf(request.headers);
  const fault = faultOfHead(request, bounds, encoding);
  if (fault !== null || room === null) {
    request.bodyFault = fault ?? BODY_FAULTS.tooManyBodies;
    room?.leave();
    done(true);
    return;
  }
  askForBody(request.raw);
  const arriving = new ArrivingBody(request, bytesMax, room);
  const judge = (part: Buffer) => arriving.judge(part);
  const take = (read: ReadText) => {
    if (read === 'broken off' || 'status' in read) {
      room.leave();
      request.bodyFault = read === 'broken off' ? undefined : read;
      done(read !== 'broken off');
    } else {
      arriving.parse(read.text, () => done(true));
    }
  };
  if (encoding === null) {
    readText(request.raw, judge, take);
  } else {
    readEncodedText(request.raw, { encoding, bytesMax }, judge, take);
  }
}

class ArrivingBody {
  private readonly counts = new JsonCounts();
  private readonly announcedBytes: number;
  private bytes = 0;

  constructor(
    private readonly request: FastifyRequest,
    private readonly bytesMax: number,
    private readonly room: BodyRoom,
  ) {
    this.announcedBytes = Number(request.headers['content-length'] ?? 0);
  }

  judge(part: Buffer): BodyFault | null {
    this.bytes += part.length;
    if (this.bytes > this.bytesMax) {
      return bodyTooLarge(this.bytesMax);
    }
    const fault = this.counts.take(part);
    if (fault) {
      return fault;
    }
    const readBytes = Math.max(this.bytes, this.announcedBytes);
    const heapBytes = readBytes * READING_HEAP_BYTES + this.counts.heapBytes;
    return this.room.hold(heapBytes) ? null : BODY_FAULTS.tooManyBodies;
  }

  /** Parses a body at once where that is little work. All others have a turn of the event loop each, one after the other. */
  parse(text: string, done: () => void): void {
    if (text === '') {
      this.room.leave();
      done();
    } else if (this.bytes + this.counts.heapBytes <= TURN_BYTES_MAX) {
      this.parseInto(text);
      done();
    } else {
      largeBodies.run(() => {
        this.parseInto(text);
        largeBodies.run(done);
      });
    }
  }

  private parseInto(text: string): void {
    const { request, room } = this;
    request.bodyLength = text.length;
    const parsed = parseJson(text);
    if ('fault' in parsed) {
      request.bodyFault = { status: 400, message: parsed.fault };
      room.leave();
    } else {
      request.body = parsed.value;
      if (this.counts.hasLongNumbers) {
        noteExactNumbers(text, parsed.value);
      }
      room.hold(this.bytes * PARSED_HEAP_BYTES + this.counts.heapBytes);
    }
  }
}

class TurnsOfTheLoop {
  private readonly waiting: (() => void)[] = [];
  private isTurnTaken = false;

  /** Does the work now, or in a later turn where this one has had some. Who waits holds room of the budget, which bounds them. */
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
    const work = this.waiting.shift();
    if (work === undefined) {
      this.isTurnTaken = false;
      return;
    }
    setImmediate(() => this.next());
    work();
  }
}

const largeBodies = new TurnsOfTheLoop();

function faultOfHead(
  { headers, mediaType }: FastifyRequest,
  { bytesMax, takesEncoded = false }: BodyBounds,
  encoding: string | null,
): BodyFault | null {
  if (mediaType !== 'application/json') {
    return BODY_FAULTS.notJsonType;
  }
  if (encoding !== null && !(takesEncoded && isTakenEncoding(encoding))) {
    return compressedBody(encoding, takesEncoded ? TAKEN_ENCODINGS : []);
  }
  return Number(headers['content-length']) > bytesMax ? bodyTooLarge(bytesMax) : null;
}
