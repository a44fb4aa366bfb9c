import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as turn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceUnavailableException } from '@nestjs/common';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Decompress } from 'fzstd';
import {
  askForBody,
  BODY_FAULTS,
  type BodyBudget,
  type BodyFault,
  type BodyRoom,
  bodyTooLarge,
  compressedBody,
  encodingOf,
  hasBody,
  largeBodies,
  PARSED_HEAP_BYTES,
  READING_HEAP_BYTES,
  readText,
  type ReadText,
  takeBodyRoom,
} from './request-body';
import { noteExactNumbers } from '../runtime/exact-numbers';
import { JsonCounts, parseJson } from './json-text';

/** Longer bodies (UTF-16 units) are validated in their own turn of the event loop. */
export const TURN_LENGTH_MAX = 64 * 1024;
/** Bytes of text and heap that one turn of the event loop parses. */
const TURN_BYTES_MAX = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    bodyFault?: BodyFault;
    bodyLength?: number;
    isBodyLeft: boolean;
    bodyRoom: BodyRoom | null;
  }
}

const BODYLESS = new Set(['GET', 'HEAD']);

/** With `bodyBytesMax` a body is read after admission, so that a stranger's costs nothing. */
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
  // Fastify refuses an invalid type before any handler, even beyond the rate limit.
  if (request.headers['content-type'] !== undefined && request.mediaType === undefined) {
    delete request.raw.headers['content-type'];
  }
  done();
}

function leaveRoom(request: FastifyRequest, _: unknown, done: () => void): void {
  request.bodyRoom?.leave();
  done();
}

interface BodyBounds {
  readonly bytesMax: number;
  /** Memory taken for the body; null without one. It keeps what the parsed body needs. */
  readonly room: BodyRoom | null;
  readonly takesEncoded?: boolean;
}

/** On failure `bodyFault` says why. `done` is called once: with false if the client left. */
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

function faultOfHead(
  { headers, mediaType }: FastifyRequest,
  { bytesMax, takesEncoded = false }: BodyBounds,
  encoding: string | null,
): BodyFault | null {
  if (mediaType !== 'application/json') {
    return BODY_FAULTS.notJsonType;
  }
  if (encoding !== null && !(takesEncoded && decoderOf(encoding))) {
    return compressedBody(encoding, takesEncoded ? TAKEN_ENCODINGS : []);
  }
  return Number(headers['content-length']) > bytesMax ? bodyTooLarge(bytesMax) : null;
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', () => new ZstdDecoder()],
]);

const TAKEN_ENCODINGS: readonly string[] = ['gzip', 'deflate', 'br', 'zstd'];

function decoderOf(encoding: string): (() => Transform) | undefined {
  return DECODERS.get(encoding.trim().toLowerCase());
}

/** @param bytesMax as sent; `judge` bounds what it unpacks to @param done called once, never before the return */
function readEncodedText(
  request: IncomingMessage,
  { encoding, bytesMax }: { readonly encoding: string; readonly bytesMax: number },
  judge: (part: Buffer) => BodyFault | null,
  done: (read: ReadText) => void,
): void {
  const decoder = (decoderOf(encoding) as () => Transform)();
  const characters = new StringDecoder('utf8');
  const texts: string[] = [];
  let sentBytes = 0;
  let isOver = false;
  const end = (read: ReadText) => {
    if (!isOver) {
      isOver = true;
      request.unpipe(decoder);
      request.off('data', count);
      decoder.destroy();
      request.resume();
      done(read);
    }
  };
  const count = (part: Buffer) => {
    sentBytes += part.length;
    if (sentBytes > bytesMax) {
      end(bodyTooLarge(bytesMax));
    }
  };
  request.on('data', count).on('error', () => end('broken off'));
  request.on('close', () => (request.readableEnded ? undefined : end('broken off')));
  decoder.on('data', (part: Buffer) => {
    const fault = isOver ? null : judge(part);
    if (fault) {
      end(fault);
    } else if (!isOver) {
      texts.push(characters.write(part));
    }
  });
  decoder.on('error', () => end(BODY_FAULTS.notAsEncoded));
  // One that ended late was answered with 408 already.
  decoder.on('end', () =>
    end(request.socket.writableEnded ? 'broken off' : { text: texts.join('') + characters.end() }),
  );
  request.pipe(decoder);
}

const MAGIC = 0xfd2fb528;
const FRAME_HEAD_BYTES_MAX = 18;
/** For a window without a content size; RFC 8878, section 3.1.1.1.2, recommends supporting 8 MiB. */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;
const CONTENT_BYTES_MAX = 128 * 1024 * 1024;
const BLOCK_BYTES_MAX = 128 * 1024;
const BLOCK_HEAD_BYTES = 3;
const CHECKSUM_BYTES = 4;
const REPEATED_BYTE = 1;
const RESERVED = 3;
/** Each block moves the whole window, however small. Encoders fill most of theirs. */
const BLOCKS_MAX = 2_048;

interface FrameHead {
  readonly bytes: number;
  readonly checksumBytes: number;
}

/** Node 20 has no zstd, and the library allocates what a frame asks for, so it is checked here (RFC 8878, 3.1.1). */
class ZstdDecoder extends Transform {
  private pending = Buffer.alloc(0);
  private head: FrameHead | null = null;
  private blocks = 0;
  private isAtEnd = false;
  private readonly inner = new Decompress((data) => {
    if (data.length > 0 && !this.destroyed) {
      this.push(Buffer.from(data));
    }
  });

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.pending = Buffer.concat([this.pending, chunk]);
    this.decode(FRAME_HEAD_BYTES_MAX).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.decode(0)
      .then(() => void this.inner.push(new Uint8Array(), true))
      .then(() => done(), done);
  }

  private async decode(headBytesMin: number): Promise<void> {
    if (this.head === null && this.pending.length >= headBytesMin) {
      this.head = headOf(this.pending);
      this.feed(this.head.bytes);
    }
    while (this.head !== null && !this.isAtEnd && !this.destroyed) {
      const block = this.nextBlock();
      if (block === null) {
        return;
      }
      this.feed(block.bytes);
      this.isAtEnd = block.isLast;
      await turn();
    }
    if (this.isAtEnd) {
      this.endFrame();
    }
  }

  private nextBlock(): { readonly bytes: number; readonly isLast: boolean } | null {
    if (this.pending.length < BLOCK_HEAD_BYTES) {
      return null;
    }
    const head = this.pending.readUIntLE(0, BLOCK_HEAD_BYTES);
    const [isLast, type, size] = [(head & 1) === 1, (head >> 1) & 3, head >> 3];
    if (type === RESERVED || size > BLOCK_BYTES_MAX || this.blocks >= BLOCKS_MAX) {
      throw new RangeError('zstd: a block that is not taken');
    }
    const bytes = BLOCK_HEAD_BYTES + (type === REPEATED_BYTE ? 1 : size);
    if (this.pending.length < bytes) {
      return null;
    }
    this.blocks += 1;
    return { bytes, isLast };
  }

  private endFrame(): void {
    const { checksumBytes } = this.head as FrameHead;
    if (this.pending.length > checksumBytes) {
      throw new RangeError('zstd: something follows the frame');
    }
    if (this.pending.length === checksumBytes && checksumBytes > 0) {
      this.feed(checksumBytes);
      this.head = { bytes: 0, checksumBytes: 0 };
    }
  }

  private feed(bytes: number): void {
    this.inner.push(this.pending.subarray(0, bytes));
    this.pending = this.pending.subarray(bytes);
  }
}

/** @throws RangeError for no frame, or one that needs too much memory */
function headOf(frame: Buffer): FrameHead {
  if (frame.length < 6 || frame.readUInt32LE(0) !== MAGIC) {
    throw new RangeError('zstd: no frame');
  }
  const flags = frame[4] as number;
  const isWhole = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] as number;
  const sizeBytes = [isWhole ? 1 : 0, 2, 4, 8][flags >> 6] as number;
  const sizeAt = 5 + (isWhole ? 0 : 1) + dictionaryBytes;
  const bytes = sizeAt + sizeBytes;
  if (frame.length < bytes || dictionaryBytes > 0) {
    throw new RangeError('zstd: a frame that is cut off, or needs a dictionary');
  }
  const descriptor = frame[5] as number;
  const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
  const content =
    sizeBytes === 8 ? Number(frame.readBigUInt64LE(sizeAt)) : frame.readUIntLE(sizeAt, sizeBytes || 1);
  if (isWhole ? content > CONTENT_BYTES_MAX : window > WINDOW_BYTES_MAX) {
    throw new RangeError('zstd: too wide a window');
  }
  return { bytes, checksumBytes: (flags & 4) === 0 ? 0 : CHECKSUM_BYTES };
}
