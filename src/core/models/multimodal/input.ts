import type { FileKind } from '../../../infrastructure/files/file-kinds';
import type { ReadFile } from '../../../infrastructure/files/read-file';

/** An input as a caller gives it. */
export interface Input {
  readonly type: 'text' | 'image' | 'document' | 'url';
  /** The text, or a file in base64. */
  readonly content?: string;
  readonly url?: string;
  /** Of a text; absent for a plain one. */
  readonly format?: 'plain' | 'markdown' | 'html';
}

/** What an input turned out to be. */
export type InputType = 'text' | 'image' | 'document';

/** An input whose bytes are here and whose kind is known. */
export interface ReceivedInput {
  /** Whose call brought it. */
  readonly accountId: string;
  /** Which of the inputs, from 0 on. */
  readonly index: number;
  /** What errors call it, such as `inputs.0`. */
  readonly name: string;
  readonly type: InputType;
  readonly kind: FileKind;
  readonly bytes: Buffer;
  /** Whether its text was counted before, because it came as a text. */
  readonly isCounted: boolean;
}

/** An input that was read; `file` is null for a picture. */
export interface ReadInput extends ReceivedInput {
  readonly file: ReadFile | null;
}
