import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as turn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Decompress } from 'fzstd';
import { BODY_FAULTS, type BodyFault, bodyTooLarge, type ReadText } from './request-body';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => new ZstdDecoder(),
};

export const TAKEN_ENCODINGS: readonly string[] = ['gzip', 'deflate', 'br', 'zstd'];

export function isTakenEncoding(encoding: string): boolean {
  return Object.hasOwn(DECODERS, nameOf(encoding));
}

function nameOf(encoding: string): string {
  return encoding.trim().toLowerCase();
}

/** `bytesMax` is of what is sent, `judge` bounds what it unpacks to. `done` is called once, never before this returns. */
export function readEncodedText(
  request: IncomingMessage,
  { encoding, bytesMax }: { readonly encoding: string; readonly bytesMax: number },
  judge: (part: Buffer) => BodyFault | null,
  done: (read: ReadText) => void,
): void {
  const decoder = (DECODERS[nameOf(encoding)] as () => Transform)();
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
  decoder.on('end', () => end({ text: texts.join('') + characters.end() }));
  request.pipe(decoder);
}

const MAGIC = 0xfd2fb528;
const FRAME_HEAD_BYTES_MAX = 18;
/** Of a window that names no size of the content. RFC 8878 recommends that decoders support it (section 3.1.1.1.2). */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;
const CONTENT_BYTES_MAX = 128 * 1024 * 1024;
const BLOCK_BYTES_MAX = 128 * 1024;
const BLOCK_HEAD_BYTES = 3;
const CHECKSUM_BYTES = 4;
const REPEATED_BYTE = 1;
const RESERVED = 3;
/** Each costs a move of the whole window, however little it holds. Encoders fill most of theirs. */
const BLOCKS_MAX = 2_048;

interface FrameHead {
  readonly bytes: number;
  readonly checksumBytes: number;
}

/** Node 20 has no zstd, and the library takes whatever a frame asks for: so it is walked here (RFC 8878, 3.1.1). */
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

/** @throws RangeError for what is no frame, and for one that needs more memory than is given to it */
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
