import type { Sharp } from 'sharp';
import { ImpossibleImageChange } from '../file-errors';
import type { ChangedImage, ImageChange } from '../file-jobs';
import type { ImageKind } from '../file-kinds';
import { IMAGE_PIXELS_MAX, IMAGE_SIDE_PIXELS_MAX } from '../file-limits';
import { openImage, readable, type Size, uprightSize } from './open-image';

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
  checkQuality(change.quality);
  const cropped = checkCrop(change.crop, uprightSize(metadata));
  checkSize(change.resize, cropped, frames);
  const changed = written(
    arranged(pipeline({ allFrames: frames > 1 }), change, format),
    format,
    change.quality,
  );
  const { data, info } = await readable(() => changed.toBuffer({ resolveWithObject: true }));
  return { bytes: data, kind: format, width: info.width, height: info.pageHeight ?? info.height };
}

function checkCrop(crop: ImageChange['crop'], { width, height }: Size): Size {
  if (crop === undefined) {
    return { width, height };
  }
  const sides = [crop.left, crop.top, crop.width - 1, crop.height - 1];
  const isWhole = sides.every((side) => Number.isInteger(side) && side >= 0);
  if (!isWhole || crop.left + crop.width > width || crop.top + crop.height > height) {
    throw new ImpossibleImageChange(
      `The crop is not within the image, which has ${width} × ${height} pixels.`,
    );
  }
  return crop;
}

function checkSize(resize: ImageChange['resize'], { width, height }: Size, frames: number): void {
  const sides = [resize?.width, resize?.height].filter((side) => side !== undefined);
  if (!sides.every((side) => Number.isInteger(side) && side >= 1 && side <= IMAGE_SIDE_PIXELS_MAX)) {
    throw new ImpossibleImageChange(`A side of the image may have 1 to ${IMAGE_SIDE_PIXELS_MAX} pixels.`);
  }
  if (resize === undefined || sides.length === 0) {
    return;
  }
  const wanted = {
    width: resize.width ?? Math.round((width * (resize.height ?? 0)) / height),
    height: resize.height ?? Math.round((height * (resize.width ?? 0)) / width),
  };
  const isTooLong = Math.max(wanted.width, wanted.height) > IMAGE_SIDE_PIXELS_MAX;
  if (isTooLong || wanted.width * wanted.height * frames > IMAGE_PIXELS_MAX) {
    throw new ImpossibleImageChange(
      `The image would have ${wanted.width} × ${wanted.height} pixels, which is more than is written.`,
    );
  }
}

function checkQuality(quality: number | undefined): void {
  if (quality !== undefined && !(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw new ImpossibleImageChange('The quality is a whole number from 1 to 100.');
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

function written(image: Sharp, format: ImageKind, quality = QUALITY): Sharp {
  switch (format) {
    case 'png':
      return image.png();
    case 'jpeg':
      return image.jpeg({ quality });
    case 'webp':
      return image.webp({ quality });
  }
}
