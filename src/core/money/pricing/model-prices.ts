import type { UpstreamSettings } from '../../../config/upstream-settings';
import { parseUsd } from './usd';

/** What the tokens of one model cost, whichever operation it answers. */
export interface ModelPrice {
  /** The model's id. */
  model: string;
  inputNanoUsd: bigint;
  outputNanoUsd: bigint;
}

/**
 * The prices that the upstreams give their models. Of several upstreams that name a model the first one decides, also by
 * naming it without a price: then the operations' own prices hold.
 * @throws RangeError for an amount that is no whole number of nano-USD, is negative or lacks its other half
 */
export function modelPrices(upstreams: readonly Pick<UpstreamSettings, 'name' | 'models'>[]): ModelPrice[] {
  const named = new Set<string>();
  const prices: ModelPrice[] = [];
  for (const { name, models } of upstreams) {
    for (const { id, inputPricePerTokenUsd: input, outputPricePerTokenUsd: output } of models ?? []) {
      const where = `${name}, ${id}`;
      if ((input === null) !== (output === null)) {
        throw new RangeError(`${where}: prices of input and output go together`);
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
