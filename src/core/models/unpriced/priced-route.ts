import { UnpricedRequest } from '../model-errors';
import type { ModelRoute, ModelStop } from '../models';
import { mediaParts, type MediaPart } from '../tokens/media-parts';
import { costingFields, type CostingField } from './costing-fields';
import { NO_TERMS, type ModelTerms } from './model-terms';
import { unpriced } from './unpriced-request';

/** The way of a request that nothing in it makes dearer than what is reserved. */
export interface PricedRoute {
  /** The stops whose terms price all that the request holds, and those that cost the operator nothing. */
  readonly route: ModelRoute;
  /** The most tokens of parts by their kind, at whichever of the stops. */
  readonly partTokens: ReadonlyMap<string, number>;
  /** The most that the fields passed on at a price of their own cost, at whichever of the stops; null for nothing. */
  readonly surcharge: Surcharge | null;
}

/** What a call costs beside its price, and the names of the fields that it is for. */
export interface Surcharge {
  readonly nanoUsd: bigint;
  readonly fields: readonly string[];
}

export interface PricedRequestOptions {
  /** The tokens of an image where the terms of a model do not set them. */
  readonly imageTokensMax: number;
  /** Whether the field `prompt` names a prompt that the upstream has stored. */
  readonly hasStoredPrompts?: boolean;
}

/**
 * Leaves out the upstreams that have no price for a field or a part of the request. The embedded engine costs nothing and
 * refuses parts and tools itself; alone it is asked only without the fields, because it would ignore them.
 * @throws UnpricedRequest that names the fields and parts, where no upstream is left
 */
export function pricedRoute(
  route: ModelRoute,
  request: Readonly<Record<string, unknown>>,
  { imageTokensMax, hasStoredPrompts = false }: PricedRequestOptions,
): PricedRoute {
  const fields = costingFields(request, hasStoredPrompts);
  const parts = mediaParts(request);
  const { stops } = route;
  const upstreams = stops.filter(({ model }) => model.terms !== undefined);
  const priced = upstreams.filter((stop) => unpriced(fields, parts, termsOf(stop)).length === 0);
  if (priced.length === 0) {
    refuseUnpriced(upstreams[0] ?? null, fields, parts);
  }
  const [first = stops[0], ...others] = stops.filter(
    (stop) => stop.model.terms === undefined || priced.includes(stop),
  );
  return {
    route: { model: first.model, stops: [first, ...others] },
    partTokens: largest(priced.map((stop) => partTokensOf(stop, imageTokensMax))),
    surcharge: dearest(priced.map((stop) => surchargeOf(fields, termsOf(stop)))),
  };
}

function refuseUnpriced(
  upstream: ModelStop | null,
  fields: readonly CostingField[],
  parts: readonly MediaPart[],
): void {
  const ofEngine = fields.filter(({ name }) => !name.startsWith('tools.'));
  const refused = upstream ? unpriced(fields, parts, termsOf(upstream)) : unpriced(ofEngine, [], NO_TERMS);
  if (refused.length > 0) {
    throw new UnpricedRequest(refused);
  }
}

function termsOf({ model }: ModelStop): ModelTerms {
  return model.terms ?? NO_TERMS;
}

function partTokensOf(stop: ModelStop, imageTokensMax: number): Map<string, number> {
  const { partTokens } = termsOf(stop);
  const image = partTokens.get('image') ?? imageTokensMax;
  return new Map([...partTokens, ['image', image], ['image_low', partTokens.get('image_low') ?? image]]);
}

function largest(all: readonly Map<string, number>[]): Map<string, number> {
  const merged = new Map<string, number>();
  for (const [kind, tokens] of all.flatMap((partTokens) => [...partTokens])) {
    merged.set(kind, Math.max(tokens, merged.get(kind) ?? 0));
  }
  return merged;
}

function surchargeOf(fields: readonly CostingField[], { passFields }: ModelTerms): Surcharge | null {
  const paid = fields.filter(({ name }) => (passFields.get(name) ?? 0n) > 0n);
  const nanoUsd = paid.reduce((sum, { name }) => sum + (passFields.get(name) ?? 0n), 0n);
  return nanoUsd === 0n ? null : { nanoUsd, fields: [...new Set(paid.map(({ name }) => name))].sort() };
}

function dearest(surcharges: readonly (Surcharge | null)[]): Surcharge | null {
  return surcharges.reduce((most, one) => ((one?.nanoUsd ?? 0n) > (most?.nanoUsd ?? 0n) ? one : most), null);
}
