import type { ImageKind } from '../file-kinds';
import type { ImageFacts } from '../image-facts';
import { exifFacts } from './exif-facts';
import { openImage, readable, type OpenedImage } from './open-image';
import { brightnessOf, dominantColorOf, sharpnessOf, type Raster } from './raster-facts';

/** The picture is measured at this size, so that the measures of large and small ones compare. */
const MEASURED_SIDE_PIXELS = 512;
const QUARTER_TURNED_FROM = 5;

/** What can be told of a picture. */
export async function imageFacts(bytes: Buffer, kind: ImageKind): Promise<ImageFacts> {
  const image = await openImage(bytes, kind);
  const { metadata } = image;
  const raster = await measured(image);
  const isTurned = (metadata.orientation ?? 1) >= QUARTER_TURNED_FROM;
  const height = metadata.pageHeight ?? metadata.height;
  return {
    width: isTurned ? height : metadata.width,
    height: isTurned ? metadata.width : height,
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

/** The first frame on white, in RGB, within 512 pixels. Decoding it shows too whether the picture is whole. */
async function measured({ pipeline }: OpenedImage): Promise<Raster> {
  const { data, info } = await readable(() =>
    pipeline()
      .resize(MEASURED_SIDE_PIXELS, MEASURED_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true }),
  );
  return { pixels: data, width: info.width, height: info.height, channels: info.channels };
}
