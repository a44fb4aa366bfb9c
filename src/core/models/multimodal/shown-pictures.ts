import { Injectable } from '@nestjs/common';
import { FILE_KINDS, isImageKind } from '../../../infrastructure/files/file-kinds';
import { FileReaders } from '../../../infrastructure/files/file-readers';
import { Unprocessable } from '../../errors/request-errors';
import type { ContentPart } from '../chat-completion';
import type { ReceivedInput } from './input';
import { withNamedRefusals } from './named-refusals';

/** Models look at no more than that, in pixels. */
const SIDE_PIXELS_MAX = 2_048;
/** A PNG that is larger is sent as JPEG. */
const PNG_BYTES_MAX = 2 * 1024 * 1024;
/** Of all pictures of a call together. */
const SHOWN_BYTES_MAX = 20 * 1024 * 1024;

/**
 * Makes parts of a chat of pictures. Each is written anew: upright, no larger than models look at, without what the camera
 * has noted, and never the bytes that a stranger has sent.
 */
@Injectable()
export class ShownPictures {
  constructor(private readonly readers: FileReaders) {}

  /** @throws Unprocessable for a picture that can't be read, or too many bytes; ServiceUnavailable, and the signal's reason */
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
    const changed = await withNamedRefusals(name, async () => {
      const { width, height } = await this.readers.image(bytes, kind, order);
      const isLarge = Math.max(width, height) > SIDE_PIXELS_MAX;
      const resize = { width: SIDE_PIXELS_MAX, height: SIDE_PIXELS_MAX };
      return this.readers.changeImage(
        bytes,
        kind,
        { format, quality: 90, ...(isLarge && { resize }) },
        order,
      );
    });
    return { bytes: Buffer.from(changed.bytes), mediaType: FILE_KINDS[changed.kind].mediaType };
  }
}
