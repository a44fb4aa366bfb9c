import sharp, { type Metadata, type Sharp } from 'sharp';
import { FileContradictsName, FileTooComplex, UnreadableFile } from '../file-errors';
import type { ImageKind } from '../file-kinds';
import { IMAGE_PIXELS_MAX } from '../file-limits';
import { judgeImageBytes } from './judge-image-bytes';

// A cache would keep pictures of others, and threads of its own would decode more of them at once.
sharp.cache(false);
sharp.concurrency(1);

/** A picture that was judged by its header; nothing of it has been decoded. */
export interface OpenedImage {
  readonly metadata: Metadata;
  /** A new pipeline over the picture; of an animation over all frames where that is asked for. */
  readonly pipeline: (options?: { allFrames?: boolean }) => Sharp;
}

/**
 * Opens a picture.
 * @throws FileTooComplex for more than 50 megapixels, all frames together, UnreadableFile for a broken one,
 *   FileContradictsName for one that is something else too
 */
export async function openImage(bytes: Buffer, kind: ImageKind): Promise<OpenedImage> {
  judgeImageBytes(bytes, kind);
  const pipeline = ({ allFrames = false } = {}) =>
    sharp(bytes, {
      animated: allFrames,
      failOn: 'error',
      // Judged below, with a sentence of our own.
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

/** What reading a picture gives; the library's own errors mean that the picture is broken. */
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
