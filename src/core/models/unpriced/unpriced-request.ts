import type { ValidationDetail } from '../../errors/request-errors';
import { UnpricedRequest } from '../model-errors';
import { mediaParts, type MediaPart } from '../tokens/media-parts';
import { detailOf } from '../tokens/media-tokens';
import type { CostingField } from './costing-fields';
import { NO_TERMS, type ModelTerms } from './model-terms';

/** The details of images that IMAGE_TOKENS_MAX bounds. */
const BOUNDED_DETAILS: readonly unknown[] = [undefined, 'auto', 'low', 'high'];
const OF_FIELD = 'may cost more than its tokens, and the operator of this service has set no price for it';
const OF_PART =
  'may take any number of tokens, and the operator of this service has set no price for such parts';

/** The fields and parts of a request that the terms do not price, each with the reason why it is refused. */
export function unpriced(
  fields: readonly CostingField[],
  parts: readonly MediaPart[],
  { passFields, partTokens }: ModelTerms,
): ValidationDetail[] {
  return [
    ...fields.filter(({ name }) => !passFields.has(name)).map(({ at }) => ({ field: at, message: OF_FIELD })),
    ...parts
      .filter((part) => !isBounded(part, partTokens))
      .map(({ at, kind }) => ({ field: at, message: `a part of kind ${kind} ${OF_PART}` })),
  ];
}

/** @throws UnpricedRequest for a body with parts whose tokens cannot be bounded, where no model's terms are known */
export function refuseUnboundedParts(body: unknown): void {
  const refused = unpriced([], mediaParts(body), NO_TERMS);
  if (refused.length > 0) {
    throw new UnpricedRequest(refused);
  }
}

function isBounded(part: MediaPart, partTokens: ModelTerms['partTokens']): boolean {
  return partTokens.has(part.kind) || (part.kind === 'image' && BOUNDED_DETAILS.includes(detailOf(part)));
}
