import type { Metadata } from 'sharp';
import type { ExifFacts } from '../image-facts';

const MAKE = 0x010f;
const MODEL = 0x0110;
const DATE_TIME = 0x0132;
const EXIF_FOLDER = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const ASCII = 2;
const ENTRIES_MAX = 200;
const TEXT_BYTES_MAX = 200;
const TIFF_HEADER = Buffer.from('Exif\0\0', 'latin1');

/**
 * What EXIF says of the camera and the time (EXIF 2.32, section 4.6); places and owners are not read.
 * @returns null for a picture without EXIF
 */
export function exifFacts({ exif, orientation, density }: Metadata): ExifFacts | null {
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

/** The texts of the first folder of a TIFF header and of its EXIF folder, by their tags. What is broken is left out. */
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

/** '2026:03:01 12:30:00' as '2026-03-01T12:30:00'; null for anything else. */
function isoTimeOf(time: string | undefined): string | null {
  const match = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(time ?? '');
  return match && match[1] !== '0000' ? `${match[1]}-${match[2]}-${match[3]}T${match[4]}` : null;
}
