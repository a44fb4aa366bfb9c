import type { RefusalName } from './file-errors';
import type { FileKind, ImageKind, WrittenKind } from './file-kinds';

/** A table found in a file; rows may be shorter than the header. */
export interface ReadTable {
  readonly header: string[];
  readonly rows: string[][];
}

/** What was read from a file. */
export interface ReadFile {
  /** At most 2,000,000 UTF-16 units, well-formed and without NUL. Empty for a scanned PDF and for images. */
  readonly text: string;
  /** The same with its headings, lists and tables, where the format has them; else null. Bounded like the text. */
  readonly markdown: string | null;
  /** null for a format without pages. */
  readonly pages: number | null;
  readonly title: string | null;
  readonly tables: ReadTable[];
  /** Whether there was more than `text` or `tables` hold. */
  readonly isCut: boolean;
}

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

/** What the child processes do with the bytes of a file: the parameters of each job, and its result. */
export interface FileJobs {
  read: { parameters: { kind: FileKind }; result: ReadFile };
  imageFacts: { parameters: { kind: ImageKind }; result: ImageFacts };
  changeImage: { parameters: { kind: ImageKind; change: ImageChange }; result: ChangedImage };
  /** The bytes are Markdown in UTF-8, or a plain text. */
  write: { parameters: { kind: WrittenKind; isPlain: boolean }; result: Uint8Array };
}

export type FileJobName = keyof FileJobs;

// What the service and its child processes tell each other. The bytes of a file go through the child's standard input.

/** From the service: the job that comes next. The child loads its code, which is not the file's time and memory. */
export interface JobAnnounced {
  readonly job: FileJobName;
  readonly parameters: unknown;
  /** How many bytes the file has. */
  readonly sizeBytes: number;
}

/** From the child: that it can be given work (`isReady`), that it wants the file, or how the job ended. */
export type FromChild =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly refusal: RefusalName; readonly message: string }
  | { readonly type: 'failed'; readonly error: string };
