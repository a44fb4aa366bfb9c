import type { OmmResult } from '../../../generated/types';
import type { ReadInput } from '../../core/models/multimodal/input';
import { FILE_KINDS } from '../../infrastructure/files/file-kinds';

/** A result of which nothing is found yet. */
export function blankResult({ index, type, kind, file }: ReadInput): OmmResult {
  return {
    index,
    type,
    media_type: FILE_KINDS[kind].mediaType,
    is_cut: file?.isCut ?? false,
    description: null,
    summary: null,
    entities: null,
    label: null,
    keywords: null,
    text: null,
  };
}
