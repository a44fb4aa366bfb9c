import { Injectable } from '@nestjs/common';
import { Unprocessable } from '../../errors/api-errors';
import { withRefusals } from '../../files/file-errors';
import type { ReadFile } from '../../files/file-jobs';
import { FILE_KINDS, type FileKind, isImageKind } from '../../files/sniff-file-kind';
import { FileReaders } from '../../files/file-readers';
import { targetIn } from '../../http/outbound/ssrf-policy';
import type { ContentPart } from '../model-provider';

export interface Input {
  readonly type: 'text' | 'image' | 'document' | 'url';
  readonly content?: string;
  readonly url?: string;
  readonly format?: 'plain' | 'markdown' | 'html';
}

export type InputType = 'text' | 'image' | 'document';

export interface ReceivedInput {
  readonly accountId: string;
  readonly index: number;
  readonly name: string;
  readonly type: InputType;
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly isCounted: boolean;
}

export interface ReadInput extends ReceivedInput {
  readonly file: ReadFile | null;
}

const TEXT_LENGTH_MAX = 400_000;

/** Reads and fetches nothing. @throws Unprocessable for the first invalid input */
export function judgeInputs(
  inputs: readonly Input[],
  names: readonly string[],
  options: { allowLoopback: boolean },
): void {
  inputs.forEach((input, index) => judgeInput(input, names[index] ?? '', options));
}

export function namesOf(inputs: readonly Input[]): string[] {
  return inputs.map((_, index) => `inputs.${index}`);
}

function judgeInput(
  { type, content, url, format }: Input,
  name: string,
  options: { allowLoopback: boolean },
): void {
  if ((content === undefined) === (url === undefined)) {
    throw new Unprocessable(`${name}: give either content or url.`);
  }
  if (type === 'url' && url === undefined) {
    throw new Unprocessable(`${name}: an input of type url has a url.`);
  }
  if (format !== undefined && (type !== 'text' || content === undefined)) {
    throw new Unprocessable(`${name}: only a text that stands in content has a format.`);
  }
  if (type === 'text' && (content ?? '').length > TEXT_LENGTH_MAX) {
    throw new Unprocessable(`${name}: a text has at most ${TEXT_LENGTH_MAX} characters.`);
  }
  if (url !== undefined) {
    targetIn(`${name}.url`, url, options);
  }
}

/** Models look at no more. */
const SIDE_PIXELS_MAX = 2_048;
const PNG_BYTES_MAX = 2 * 1024 * 1024;
const SHOWN_BYTES_MAX = 20 * 1024 * 1024;

/** Pictures are re-encoded: upright, without metadata, and never in a stranger's bytes. */
@Injectable()
export class ImagesForModel {
  constructor(private readonly readers: FileReaders) {}

  /** @throws Unprocessable for an unreadable picture or too many bytes; ServiceUnavailable, the signal's reason */
  async parts(pictures: readonly ReceivedInput[], signal: AbortSignal): Promise<ContentPart[]> {
    const parts: ContentPart[] = [];
    let bytesLeft = SHOWN_BYTES_MAX;
    for (const picture of pictures) {
      const { bytes, mediaType } = await this.shown(picture, signal);
      bytesLeft -= bytes.length;
      if (bytesLeft < 0) {
        throw new Unprocessable('The pictures are too large to be shown to a model together.');
      }
      const url = `data:${mediaType};base64,${bytes.toString('base64')}`;
      parts.push({ type: 'image_url', image_url: { url } });
    }
    return parts;
  }

  private async shown(
    { accountId, bytes, kind, name }: ReceivedInput,
    signal: AbortSignal,
  ): Promise<{ bytes: Buffer; mediaType: string }> {
    if (!isImageKind(kind)) {
      throw new Error(`a ${kind} is no picture`);
    }
    const format = kind === 'png' && bytes.length > PNG_BYTES_MAX ? 'jpeg' : kind;
    const order = { accountId, signal };
    const changed = await withRefusals(async () => {
      const { width, height } = await this.readers.image(bytes, kind, order);
      const isLarge = Math.max(width, height) > SIDE_PIXELS_MAX;
      const resize = { width: SIDE_PIXELS_MAX, height: SIDE_PIXELS_MAX };
      const change = { format, quality: 90, ...(isLarge && { resize }) };
      return this.readers.changeImage(bytes, kind, change, order);
    }, name);
    return { bytes: Buffer.from(changed.bytes), mediaType: FILE_KINDS[changed.kind].mediaType };
  }
}
