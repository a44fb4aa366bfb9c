import type { UpstreamSettings } from '../../../config/upstream-settings';
import { parseUsd } from './usd';

/** What a token of one model costs, whichever operation uses the model. */
export interface ModelPrice {
  /** The model's id. */
  model: string;
  inputNanoUsd: bigint;
  outputNanoUsd: bigint;
}

/**
 * The prices that the upstreams set for their models. Where several upstreams name a model, only the first of them
 * counts. If that one sets no price, the model has none, and the operations' own prices are charged.
 * @throws RangeError where an amount is no whole number of nano-USD or is negative, or where only one of a model's two
 * prices is set
 */
export function modelPrices(upstreams: readonly Pick<UpstreamSettings, 'name' | 'models'>[]): ModelPrice[] {
  const named = new Set<string>();
  const prices: ModelPrice[] = [];
  for (const { name, models } of upstreams) {
    for (const { id, inputPricePerTokenUsd: input, outputPricePerTokenUsd: output } of models ?? []) {
      const where = `${name}, ${id}`;
      if ((input === null) !== (output === null)) {
        throw new RangeError(`${where}: prices of input and output must both be set, or neither`);
      }
      if (!named.has(id) && input !== null && output !== null) {
        const [inputNanoUsd, outputNanoUsd] = [amount(where, input), amount(where, output)];
        prices.push({ model: id, inputNanoUsd, outputNanoUsd });
      }
      named.add(id);
    }
  }
  return prices;
}

/** A text for each field that an upstream passes on at a price, so that the version of the prices covers it. */
export function surchargeTexts(
  upstreams: readonly Pick<UpstreamSettings, 'name' | 'passFields'>[],
): string[] {
  return upstreams.flatMap(({ name, passFields = new Map<string, string>() }) =>
    [...passFields].map(([field, usd]) => `${name}+${field}:${parseUsd(usd)}`).sort(),
  );
}

function amount(where: string, usd: string): bigint {
  let nanoUsd: bigint;
  try {
    nanoUsd = parseUsd(usd);
  } catch (cause) {
    throw new RangeError(`${where}: ${(cause as Error).message}`, { cause });
  }
  if (nanoUsd < 0n) {
    throw new RangeError(`${where}: a price must not be negative: ${usd}`);
  }
  return nanoUsd;
}
