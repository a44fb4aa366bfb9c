import sharp, { type Metadata, type Sharp } from 'sharp';
import { FileContradictsName, FileTooComplex, UnreadableFile } from '../file-errors';
import { NOTHING_READ, type ReadFile } from '../file-jobs';
import { checkTrailer, type ImageKind } from '../sniff-file-kind';
import { IMAGE_PIXELS_MAX } from '../file-limits';

/** What a browser would run if the file were opened as a page. */
const PAGE_MARKS = ['<!doctype html', '<html', '<script', '<svg', '<?php'];
const PNG_HEADER_BYTES = 8;
const PNG_CHUNK_BYTES = 12;
const PNG_DATA_CHUNK = 'IDAT';
const PNG_END_CHUNK = 'IEND';
const CHUNKS_MAX = 100_000;
const RIFF_HEADER_BYTES = 8;
/** Writers pad files with a few bytes. */
const PADDING_BYTES_MAX = 1024;

/** Metadata and the end may hide something else. @throws FileContradictsName, UnreadableFile */
function checkImageBytes(bytes: Buffer, kind: ImageKind): void {
  checkTrailer(bytes);
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    throw new FileContradictsName('The image is a PDF too.');
  }
  const texts = kind === 'png' ? pngTexts(bytes) : [kind === 'jpeg' ? jpegHeader(bytes) : webpTexts(bytes)];
  for (const text of texts) {
    const lower = text.toString('latin1').toLowerCase();
    if (PAGE_MARKS.some((mark) => lower.includes(mark))) {
      throw new FileContradictsName('The image has a web page within it.');
    }
  }
}

function pngTexts(bytes: Buffer): Buffer[] {
  const texts: Buffer[] = [];
  let at = PNG_HEADER_BYTES;
  for (let chunks = 0; at + PNG_CHUNK_BYTES <= bytes.length && chunks < CHUNKS_MAX; chunks += 1) {
    const end = at + PNG_CHUNK_BYTES + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type !== PNG_DATA_CHUNK) {
      texts.push(bytes.subarray(at, end));
    }
    at = end;
    if (type === PNG_END_CHUNK) {
      checkPadding(bytes.subarray(at));
      return texts;
    }
  }
  throw new UnreadableFile('The image is cut off.');
}

/** All before the picture and behind its last end, where cameras put further pictures. */
function jpegHeader(bytes: Buffer): Buffer {
  const scan = bytes.indexOf(Buffer.from('ffda', 'hex'));
  const end = bytes.lastIndexOf(Buffer.from('ffd9', 'hex'));
  return Buffer.concat([bytes.subarray(0, scan < 0 ? undefined : scan), bytes.subarray(Math.max(end, 0))]);
}

function webpTexts(bytes: Buffer): Buffer {
  const end = RIFF_HEADER_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length + 1) {
    throw new UnreadableFile('The image is cut off.');
  }
  checkPadding(bytes.subarray(end));
  const metadata = ['EXIF', 'XMP '].map((name) => bytes.lastIndexOf(name)).filter((at) => at >= 0);
  return metadata.length === 0 ? Buffer.alloc(0) : bytes.subarray(Math.min(...metadata));
}

function checkPadding(rest: Buffer): void {
  if (rest.length > PADDING_BYTES_MAX || rest.some((byte) => byte !== 0 && byte !== 0x0a && byte !== 0x0d)) {
    throw new FileContradictsName('Further bytes follow behind the end of the image.');
  }
}

// A cache would keep pictures of others, and more threads would decode more pictures at once.
sharp.cache(false);
sharp.concurrency(1);

export interface Size {
  readonly width: number;
  readonly height: number;
}

const QUARTER_TURNED_FROM = 5;

export function uprightSize({ width, height, pageHeight = height, orientation = 1 }: Metadata): Size {
  return orientation >= QUARTER_TURNED_FROM
    ? { width: pageHeight, height: width }
    : { width, height: pageHeight };
}

/** A picture of which only the header was checked. */
export interface OpenedImage {
  readonly metadata: Metadata;
  readonly pipeline: (options?: { allFrames?: boolean }) => Sharp;
}

/** @throws FileTooComplex for more than 50 megapixels of all frames, UnreadableFile, FileContradictsName */
export async function openImage(bytes: Buffer, kind: ImageKind): Promise<OpenedImage> {
  checkImageBytes(bytes, kind);
  const pipeline = ({ allFrames = false } = {}) =>
    sharp(bytes, {
      animated: allFrames,
      failOn: 'error',
      // Checked below, with a sentence of our own.
      limitInputPixels: IMAGE_PIXELS_MAX,
      sequentialRead: true,
    });
  const metadata = await readable(() => sharp(bytes, { limitInputPixels: false }).metadata());
  const pixels = metadata.width * (metadata.pageHeight ?? metadata.height) * (metadata.pages ?? 1);
  if (pixels > IMAGE_PIXELS_MAX) {
    const megapixels = Math.ceil(pixels / 1e6);
    throw new FileTooComplex(
      `The image has ${megapixels} megapixels; at most ${IMAGE_PIXELS_MAX / 1e6} are read.`,
    );
  }
  if (metadata.format !== kind) {
    throw new FileContradictsName(`The file is no ${kind.toUpperCase()} image.`);
  }
  return { metadata, pipeline };
}

export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    throw /exceeds pixel limit/i.test(message)
      ? new FileTooComplex('The image has too many pixels to be read.', { cause })
      : new UnreadableFile('The image is broken and cannot be read.', { cause });
  }
}

/** Without a model a picture has no text; it is only checked to be whole. */
export async function readImage(bytes: Buffer, kind: ImageKind): Promise<ReadFile> {
  const { pipeline } = await openImage(bytes, kind);
  await readable(() => pipeline().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  return NOTHING_READ;
}
