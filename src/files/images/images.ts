import sharp, { type Metadata, type Sharp } from 'sharp';
import { FileContradictsName, FileTooComplex, ImpossibleImageChange, UnreadableFile } from '../file-errors';
import {
  type ChangedImage,
  type ExifFacts,
  type ImageChange,
  type ImageFacts,
  NOTHING_READ,
  type ReadFile,
} from '../file-jobs';
import { IMAGE_PIXELS_MAX, IMAGE_SIDE_PIXELS_MAX } from '../file-limits';
import { checkTrailer, type ImageKind } from '../sniff-file-kind';

/** What a browser would run if the file were opened as a page. */
const PAGE_MARKS = ['<!doctype html', '<html', '<script', '<svg', '<?php'];
const PNG_HEADER_BYTES = 8;
const PNG_CHUNK_BYTES = 12;
const PNG_DATA_CHUNK = 'IDAT';
const PNG_END_CHUNK = 'IEND';
const CHUNKS_MAX = 100_000;
const JPEG_HEADER_BYTES = 2;
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
const JPEG_TAIL_BYTES_MAX = 64 * 1024;
const RIFF_HEADER_BYTES = 8;
const PADDING_BYTES_MAX = 1024;

/** Metadata and the end may hide another format. @throws FileContradictsName, UnreadableFile */
function checkImageBytes(bytes: Buffer, kind: ImageKind): void {
  checkTrailer(bytes);
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    throw new FileContradictsName('The image is a PDF too.');
  }
  const texts = kind === 'png' ? pngTexts(bytes) : kind === 'jpeg' ? jpegTexts(bytes) : [webpTexts(bytes)];
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

/** The segments, and what is behind the end: at once, and behind the last of the pictures that phones append. */
function jpegTexts(bytes: Buffer): Buffer[] {
  const texts: Buffer[] = [bytes.subarray(Math.max(bytes.lastIndexOf(Buffer.from('ffd9', 'hex')), 0))];
  let from = nextMarker(bytes, JPEG_HEADER_BYTES);
  let at = from;
  while (at + 4 <= bytes.length && bytes[at + 1] !== JPEG_END) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const next = nextMarker(bytes, end);
    if (bytes[at + 1] === JPEG_SCAN) {
      if (texts.length > CHUNKS_MAX) {
        throw new UnreadableFile('The image has too many parts.');
      }
      texts.push(bytes.subarray(from, end));
      from = next;
    }
    at = next;
  }
  return [...texts, bytes.subarray(from, at + JPEG_TAIL_BYTES_MAX)];
}

/** Within a scan 0xff is data where a zero or a restart follows it (ITU-T T.81, B.1.1.5). */
function nextMarker(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && isOfScan(bytes[at + 1])) {
    at = bytes.indexOf(0xff, at + 1);
  }
  return at < 0 ? bytes.length : at;
}

function isOfScan(code = 0): boolean {
  return code === 0 || code === 0xff || (code >= 0xd0 && code <= 0xd7);
}

function webpTexts(bytes: Buffer): Buffer {
  const end = RIFF_HEADER_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length + 1) {
    throw new UnreadableFile('The image is cut off.');
  }
  checkPadding(bytes.subarray(end));
  const metadata = ['EXIF', 'XMP '].map((name) => bytes.indexOf(name)).filter((at) => at >= 0);
  return metadata.length === 0 ? Buffer.alloc(0) : bytes.subarray(Math.min(...metadata));
}

function checkPadding(rest: Buffer): void {
  if (rest.length > PADDING_BYTES_MAX || rest.some((byte) => byte !== 0 && byte !== 0x0a && byte !== 0x0d)) {
    throw new FileContradictsName('Further bytes follow behind the end of the image.');
  }
}

// A cache would keep others' pictures, and more threads would decode more pictures at once.
sharp.cache(false);
sharp.concurrency(1);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws FileTooComplex above 50 megapixels of all frames, UnreadableFile, FileContradictsName */
async function openImage(bytes: Buffer, kind: ImageKind) {
  checkImageBytes(bytes, kind);
  const pipeline = ({ allFrames = false } = {}) =>
    sharp(bytes, {
      animated: allFrames,
      failOn: 'error',
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

async function readable<T>(read: () => Promise<T>): Promise<T> {
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

const QUALITY = 80;

/** An animation stays one only as WebP. @throws ImpossibleImageChange */
export async function changeImage(
  bytes: Buffer,
  kind: ImageKind,
  change: ImageChange,
): Promise<ChangedImage> {
  const format = change.format ?? kind;
  const { metadata, pipeline } = await openImage(bytes, kind);
  const frames = format === 'webp' ? (metadata.pages ?? 1) : 1;
  const cropped = checkCrop(change.crop, metadata.autoOrient);
  checkSize(change.resize, cropped, frames);
  const arrangedImage = arranged(pipeline({ allFrames: frames > 1 }), change, format);
  // With a quality, PNG would lose colours.
  const options = format === 'png' ? {} : { quality: change.quality ?? QUALITY };
  const changed = arrangedImage.toFormat(format, options);
  const { data, info } = await readable(() => changed.toBuffer({ resolveWithObject: true }));
  return { bytes: data, kind: format, width: info.width, height: info.pageHeight ?? info.height };
}

function checkCrop(crop: ImageChange['crop'], { width, height }: Size): Size {
  if (crop === undefined) {
    return { width, height };
  }
  if (crop.left + crop.width > width || crop.top + crop.height > height) {
    throw new ImpossibleImageChange(
      `The crop is not within the image, which has ${width} × ${height} pixels.`,
    );
  }
  return crop;
}

function checkSize(resize: ImageChange['resize'], { width, height }: Size, frames: number): void {
  if (resize?.width === undefined && resize?.height === undefined) {
    return;
  }
  const scale = Math.min((resize.width ?? Infinity) / width, (resize.height ?? Infinity) / height);
  const inside = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const { fit = 'inside' } = resize;
  const wanted =
    fit === 'inside'
      ? inside
      : { width: resize.width ?? inside.width, height: resize.height ?? inside.height };
  const isTooLong = Math.max(wanted.width, wanted.height) > IMAGE_SIDE_PIXELS_MAX;
  if (isTooLong || wanted.width * wanted.height * frames > IMAGE_PIXELS_MAX) {
    throw new ImpossibleImageChange(
      `The image would have ${wanted.width} × ${wanted.height} pixels, which is more than is written.`,
    );
  }
}

function arranged(image: Sharp, { crop, resize }: ImageChange, format: ImageKind): Sharp {
  let arranged = image.autoOrient();
  if (crop !== undefined) {
    arranged = arranged.extract({ left: crop.left, top: crop.top, width: crop.width, height: crop.height });
  }
  if (resize !== undefined) {
    const { width, height, fit = 'inside' } = resize;
    arranged = arranged.resize({ width, height, fit, background: { r: 0, g: 0, b: 0, alpha: 0 } });
  }
  // JPEG has no transparency: white shines through, as on paper.
  return format === 'jpeg' ? arranged.flatten({ background: '#ffffff' }) : arranged;
}

const MAKE = 0x010f;
const MODEL = 0x0110;
const DATE_TIME = 0x0132;
const EXIF_FOLDER = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const ASCII = 2;
const ENTRIES_MAX = 200;
const TEXT_BYTES_MAX = 200;
const TIFF_HEADER = Buffer.from('Exif\0\0', 'latin1');

/** EXIF 2.32, section 4.6. Places and owners are not read. */
function exifFacts({ exif, orientation, density }: Metadata): ExifFacts | null {
  if (exif === undefined) {
    return null;
  }
  const texts = textsOf(exif.subarray(0, 6).equals(TIFF_HEADER) ? exif.subarray(6) : exif);
  return {
    orientation: orientation ?? 1,
    densityDpi: density ?? null,
    takenAt: isoTimeOf(texts.get(DATE_TIME_ORIGINAL) ?? texts.get(DATE_TIME)),
    cameraMake: texts.get(MAKE) ?? null,
    cameraModel: texts.get(MODEL) ?? null,
  };
}

function textsOf(tiff: Buffer): Map<number, string> {
  const texts = new Map<number, string>();
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const long = (at: number) =>
    at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at);
  const folders = [long(4)];
  for (const [index, folder] of folders.entries()) {
    const entries = Math.min(short(folder), ENTRIES_MAX);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = folder + 2 + entry * 12;
      const tag = short(at);
      const length = long(at + 4);
      if (tag === EXIF_FOLDER && index === 0) {
        folders.push(long(at + 8));
      } else if (short(at + 2) === ASCII && length <= TEXT_BYTES_MAX) {
        const start = length <= 4 ? at + 8 : long(at + 8);
        const text = tiff
          .toString('latin1', start, start + length)
          .replace(/\0[\s\S]*$/, '')
          .trim();
        if (/^[\x20-\xff]+$/.test(text)) {
          texts.set(tag, text);
        }
      }
    }
  }
  return texts;
}

function isoTimeOf(time: string | undefined): string | null {
  const match = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(time ?? '');
  return match && match[1] !== '0000' ? `${match[1]}-${match[2]}-${match[3]}T${match[4]}` : null;
}

interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

const SHADES = 16;

function dominantColorOf(raster: Raster): string {
  const counts = new Uint32Array(SHADES ** 3);
  const sums = new Float64Array(SHADES ** 3 * 3);
  eachPixel(raster, (red, green, blue) => {
    const shade = ((red >> 4) * SHADES + (green >> 4)) * SHADES + (blue >> 4);
    counts[shade] = (counts[shade] ?? 0) + 1;
    [red, green, blue].forEach((value, channel) => {
      sums[shade * 3 + channel] = (sums[shade * 3 + channel] ?? 0) + value;
    });
  });
  const commonest = counts.reduce((best, count, shade) => (count > (counts[best] ?? 0) ? shade : best), 0);
  const mean = [0, 1, 2].map((channel) =>
    Math.round((sums[commonest * 3 + channel] ?? 0) / (counts[commonest] || 1)),
  );
  return `#${mean.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function brightnessOf(raster: Raster): number {
  let sum = 0;
  eachPixel(raster, (red, green, blue) => {
    sum += luminance(red, green, blue);
  });
  return Math.round((sum / (raster.width * raster.height) / 255) * 1_000) / 1_000;
}

/** The standard deviation of the Laplacian of the luminance: how strong edges are (Pech-Pacheco, 2000). */
function sharpnessOf(raster: Raster): number {
  const { width, height } = raster;
  const grey = new Float32Array(width * height);
  let at = 0;
  eachPixel(raster, (red, green, blue) => {
    grey[at] = luminance(red, green, blue);
    at += 1;
  });
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const middle = y * width + x;
      const edge =
        4 * (grey[middle] ?? 0) -
        (grey[middle - 1] ?? 0) -
        (grey[middle + 1] ?? 0) -
        (grey[middle - width] ?? 0) -
        (grey[middle + width] ?? 0);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  }
  const variance = count === 0 ? 0 : squares / count - (sum / count) ** 2;
  return Math.round(Math.sqrt(Math.max(variance, 0)) * 100) / 100;
}

function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function eachPixel(
  { pixels, channels }: Raster,
  visit: (red: number, green: number, blue: number) => void,
): void {
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  for (let at = 0; at < pixels.length; at += channels) {
    visit(pixels[at] ?? 0, pixels[at + green] ?? 0, pixels[at + blue] ?? 0);
  }
}

const MEASURED_SIDE_PIXELS = 512;

export async function imageFacts(bytes: Buffer, kind: ImageKind): Promise<ImageFacts> {
  const { metadata, pipeline } = await openImage(bytes, kind);
  const raster = await measured(pipeline());
  return {
    ...metadata.autoOrient,
    format: kind,
    hasAlpha: metadata.hasAlpha,
    channels: metadata.channels,
    dominantColor: dominantColorOf(raster),
    brightness: brightnessOf(raster),
    sharpness: sharpnessOf(raster),
    frames: metadata.pages ?? 1,
    exif: exifFacts(metadata),
  };
}

/** The first frame on white within 512 pixels, so that measures compare. Decoding proves the picture whole. */
async function measured(image: Sharp): Promise<Raster> {
  const { data, info } = await readable(() =>
    image
      .resize(MEASURED_SIDE_PIXELS, MEASURED_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  return { pixels: data, width: info.width, height: info.height, channels: info.channels };
}
