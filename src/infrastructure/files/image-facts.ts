import type { ImageKind } from './file-kinds';

/** Facts of EXIF that say nothing about who took the picture or where. */
export interface ExifFacts {
  /** 1 to 8, as in EXIF; 1 is upright. */
  readonly orientation: number;
  /** Dots per inch; null where it is not told. */
  readonly densityDpi: number | null;
  /** ISO 8601 without a zone, as the camera's clock told it; null where it is not told. */
  readonly takenAt: string | null;
  readonly cameraMake: string | null;
  readonly cameraModel: string | null;
}

/** What can be told of a picture without looking at what it shows. */
export interface ImageFacts {
  /** In pixels, upright, and of one frame. */
  readonly width: number;
  readonly height: number;
  readonly format: ImageKind;
  readonly hasAlpha: boolean;
  readonly channels: number;
  /** The commonest colour, #rrggbb. */
  readonly dominantColor: string;
  /** The mean luminance, 0 (black) to 1 (white). */
  readonly brightness: number;
  /** The standard deviation of the edges of the picture at 512 pixels, 0 (even) and more. Below 5 a photo is blurred. */
  readonly sharpness: number;
  /** How many frames it has; 1 for a picture that does not move. */
  readonly frames: number;
  /** null for a picture without EXIF. */
  readonly exif: ExifFacts | null;
}

/** What is done with a picture: it is turned upright, cropped, then resized. Its metadata is always left out. */
export interface ImageChange {
  /** In pixels, at most 8,192. With one side the other follows; with both it fits within them, unless `fit` says else. */
  readonly resize?: {
    readonly width?: number;
    readonly height?: number;
    readonly fit?: 'inside' | 'cover' | 'contain' | 'fill';
  };
  /** In pixels of the upright picture. */
  readonly crop?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** The same as before where it is not given. */
  readonly format?: ImageKind;
  /** 1 to 100; for PNG it has no effect. 80 where it is not given. */
  readonly quality?: number;
}

export interface ChangedImage {
  readonly bytes: Uint8Array;
  readonly kind: ImageKind;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}
