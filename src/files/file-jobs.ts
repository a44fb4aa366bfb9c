import type { RefusalName } from './file-errors';
import type { FileKind, ImageKind, WrittenKind } from './sniff-file-kind';

export interface ReadTable {
  readonly header: string[];
  readonly rows: string[][];
}

export interface ReadFile {
  /** At most 2,000,000 UTF-16 units, well-formed and without NUL. Empty for a scanned PDF and for images. */
  readonly text: string;
  /** Null where the format has none. Bounded like the text. */
  readonly markdown: string | null;
  readonly pages: number | null;
  readonly title: string | null;
  readonly tables: ReadTable[];
  readonly isCut: boolean;
}

export const NOTHING_READ: ReadFile = {
  text: '',
  markdown: null,
  pages: null,
  title: null,
  tables: [],
  isCut: false,
};

export interface ExifFacts {
  /** 1 to 8, as in EXIF; 1 is upright. */
  readonly orientation: number;
  readonly densityDpi: number | null;
  /** ISO 8601 without a zone, by the camera's clock. */
  readonly takenAt: string | null;
  readonly cameraMake: string | null;
  readonly cameraModel: string | null;
}

export interface ImageFacts {
  /** In pixels, upright, and of one frame. */
  readonly width: number;
  readonly height: number;
  readonly format: ImageKind;
  readonly hasAlpha: boolean;
  readonly channels: number;
  /** #rrggbb. */
  readonly dominantColor: string;
  /** The mean luminance, 0 (black) to 1 (white). */
  readonly brightness: number;
  /** The standard deviation of the edges at 512 pixels. Below 5 a photo is blurred. */
  readonly sharpness: number;
  readonly frames: number;
  readonly exif: ExifFacts | null;
}

/** A picture is turned upright, cropped, then resized; its metadata is left out. */
export interface ImageChange {
  /** In pixels, at most 8,192. One side determines the other; two are bounds, unless `fit` says otherwise. */
  readonly resize?: {
    readonly width?: number;
    readonly height?: number;
    readonly fit?: 'inside' | 'cover' | 'contain' | 'fill';
  };
  readonly crop?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly format?: ImageKind;
  /** 1 to 100, by default 80; no effect on PNG. */
  readonly quality?: number;
}

export interface ChangedImage {
  readonly bytes: Uint8Array;
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
}

export interface FileJobs {
  read: { parameters: { kind: FileKind }; result: ReadFile };
  imageFacts: { parameters: { kind: ImageKind }; result: ImageFacts };
  changeImage: { parameters: { kind: ImageKind; change: ImageChange }; result: ChangedImage };
  write: { parameters: { kind: WrittenKind; isPlain: boolean }; result: Uint8Array };
}

export type FileJobName = keyof FileJobs;

/** Announced first, so that loading the job's code does not count as the file's time and memory. */
export interface JobAnnounced {
  readonly job: FileJobName;
  readonly parameters: unknown;
  readonly sizeBytes: number;
}

export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly refusal: RefusalName; readonly message: string }
  | { readonly type: 'failed'; readonly error: string };
