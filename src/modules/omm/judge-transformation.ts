import type { OmmTarget, TransformInputRequest } from '../../../generated/types';
import { Unprocessable } from '../../core/errors/request-errors';
import type { InputType } from '../../core/models/multimodal/input';
import type { ImageKind } from '../../infrastructure/files/file-kinds';

const PICTURES: readonly OmmTarget[] = ['png', 'jpeg', 'webp'];
/** What could be meant to be the text that stands in a picture. */
const TEXTS_OF_PICTURES: readonly OmmTarget[] = ['text', 'markdown'];

/** Where the text of pictures is read. */
const READ_BY_A_MODEL = 'POST /api/omm/process with the task ocr has a model read pictures.';

/** Whether a result is a picture. */
export function isPicture(to: OmmTarget): to is ImageKind {
  return PICTURES.includes(to);
}

/**
 * Judges what is wanted of an input.
 * @param type what the input is; null while that is not known
 * @throws Unprocessable for what has no meaning, and for what no model is asked for, whichever upstreams there are
 */
export function judgeTransformation(
  { to, resize, crop, quality }: TransformInputRequest,
  type: InputType | null,
): void {
  if (!isPicture(to) && (resize ?? crop ?? quality) !== undefined) {
    throw new Unprocessable('Only a picture is resized, cropped or given a quality.');
  }
  if (resize && resize.width === undefined && resize.height === undefined) {
    throw new Unprocessable('resize: give a width or a height.');
  }
  if (to === 'png' && quality !== undefined) {
    throw new Unprocessable('quality: a PNG has none.');
  }
  if (to === 'audio') {
    throw new Unprocessable('Nothing here makes sounds, with a model or without.');
  }
  if (type !== null && type !== 'image' && isPicture(to)) {
    throw new Unprocessable(`A text does not become ${to}: nothing here draws, with a model or without.`);
  }
  if (type === 'image' && !isPicture(to)) {
    const hint = TEXTS_OF_PICTURES.includes(to) ? ` ${READ_BY_A_MODEL}` : '';
    throw new Unprocessable(`A picture does not become ${to}.${hint}`);
  }
}
