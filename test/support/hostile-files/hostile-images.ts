import sharp from 'sharp';
import { crc32, deflateSync } from 'node:zlib';
import { endlessZlibBytes } from './endless-bytes';
import { zipArchive } from './zip-archive';

const HEADER = Buffer.from('89504e470d0a1a0a', 'hex');
const GREY = 0;
const ADAM7 = 1;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

interface Png {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
  readonly interlace?: number;
  readonly others?: readonly Buffer[];
}

function png({ width, height, data, interlace = 0, others = [] }: Png): Buffer {
  const facts = Buffer.alloc(13);
  facts.writeUInt32BE(width, 0);
  facts.writeUInt32BE(height, 4);
  facts[8] = 8;
  facts[9] = GREY;
  facts[12] = interlace;
  const picture = [chunk('IHDR', facts), ...others, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([HEADER, ...picture]);
}

const rows = (width: number, height: number) => deflateSync(Buffer.alloc((width + 1) * height), { level: 9 });

export const hundredMegapixels = () => png({ width: 10_000, height: 10_000, data: rows(10_000, 10_000) });
/** Ten billion pixels, of which there are none. */
export const declaredPixels = () => png({ width: 100_000, height: 100_000, data: rows(10, 10) });
/** A single pixel, and a gigabyte for it. */
export const pngBomb = () => png({ width: 1, height: 1, data: endlessZlibBytes(1024) });
/** As many pixels as are allowed, in passes, all of which have to be held at once. */
export const interlacedPng = () =>
  png({ width: 7_000, height: 7_000, data: rows(7_000, 8_000), interlace: ADAM7 });
/** A profile of colours that inflates to a gigabyte. */
export const profileBomb = () =>
  png({
    width: 10,
    height: 10,
    data: rows(10, 10),
    others: [chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), endlessZlibBytes(1024)]))],
  });
export const textBomb = () =>
  png({
    width: 10,
    height: 10,
    data: rows(10, 10),
    others: [chunk('zTXt', Buffer.concat([Buffer.from('t\0\0'), endlessZlibBytes(1024)]))],
  });

const PAGE = Buffer.from('<html><script>alert(1)</script></html>');
const SMALL = { width: 10, height: 10, data: rows(10, 10) };
export const ordinaryPng = () => png(SMALL);
export const pageInPng = () =>
  png({ ...SMALL, others: [chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), PAGE]))] });
export const pageBehindPng = () => Buffer.concat([png(SMALL), PAGE]);
export const archiveBehindPng = () =>
  Buffer.concat([png(SMALL), zipArchive([{ name: 'a.txt', content: 'a' }])]);
export const cutPng = () => png({ width: 1_000, height: 1_000, data: rows(1_000, 1_000) }).subarray(0, 500);

const jpeg = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } }).jpeg();
export const archiveBehindJpeg = async () =>
  Buffer.concat([await jpeg().toBuffer(), zipArchive([{ name: 'a.txt', content: 'a' }])]);

/** A JPEG whose header says 65,500 by 65,500 pixels. */
export async function declaredJpeg(): Promise<Buffer> {
  const bytes = await jpeg().toBuffer();
  const frame = bytes.indexOf(Buffer.from('ffc0', 'hex'));
  bytes.writeUInt16BE(65_500, frame + 5);
  bytes.writeUInt16BE(65_500, frame + 7);
  return bytes;
}

/** 49 megapixels in scans, each of which changes all of them. */
export const progressiveJpeg = () =>
  sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#336699' } })
    .jpeg({ progressive: true })
    .toBuffer();
