import type { FileKind, ImageKind, WrittenKind } from './file-kinds';
import type { ChangedImage, ImageChange, ImageFacts } from './image-facts';
import type { ReadFile } from './read-file';

/** What the child processes do with the bytes of a file: the parameters of each job, and its result. */
export interface FileJobs {
  read: { parameters: { kind: FileKind }; result: ReadFile };
  imageFacts: { parameters: { kind: ImageKind }; result: ImageFacts };
  changeImage: { parameters: { kind: ImageKind; change: ImageChange }; result: ChangedImage };
  /** The bytes are Markdown in UTF-8, or a plain text. */
  write: { parameters: { kind: WrittenKind; isPlain: boolean }; result: Uint8Array };
}

export type FileJobName = keyof FileJobs;
