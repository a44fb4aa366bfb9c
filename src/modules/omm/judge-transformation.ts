import type { OmmTarget, TransformInputRequest } from '../../../generated/types';
import { Unprocessable } from '../../core/errors/request-errors';
import { ModelNotConfigured } from '../../core/models/model-errors';
import type { InputType } from '../../core/models/multimodal/input';
import type { ImageKind } from '../../infrastructure/files/file-kinds';

const PICTURES: readonly OmmTarget[] = ['png', 'jpeg', 'webp'];
/** What only a model could make of a picture: the text that stands in it. */
const TEXTS_OF_PICTURES: readonly OmmTarget[] = ['text', 'markdown'];

/** Whether a result is a picture. */
export function isPicture(to: OmmTarget): to is ImageKind {
  return PICTURES.includes(to);
}

/**
 * Judges what is wanted of an input.
 * @param type what the input is; null while that is not known
 * @throws Unprocessable for what has no meaning, ModelNotConfigured for what only a model could do
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
  if (to === 'audio' || (type !== null && type !== 'image' && isPicture(to))) {
    throw new ModelNotConfigured();
  }
  if (type === 'image' && !isPicture(to)) {
    if (TEXTS_OF_PICTURES.includes(to)) {
      throw new ModelNotConfigured();
    }
    throw new Unprocessable(`A picture does not become ${to}.`);
  }
}
