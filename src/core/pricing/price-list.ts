import { createHash } from 'node:crypto';
import { formatUsd, parseUsd } from './usd';

/** Tokens that an operation really used. */
export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
}

/** A price in force: nano-USD for the call, and for each token that it counts. */
export interface Price {
  name: string;
  title: string;
  baseNanoUsd: bigint;
  /** Null for a fixed price. */
  perTokenNanoUsd: bigint | null;
  counts: 'input' | 'input_and_output' | null;
}

interface PriceTexts {
  title: string;
  base: string;
  perToken: string | null;
  counts: 'input' | 'input_and_output' | null;
}

/** The prices in force and the version that names them: equal prices have equal versions on every replica. */
export class PriceList {
  readonly version: string;
  private readonly prices = new Map<string, Price>();

  /**
   * @param definitions the document's prices: decimal strings, USD
   * @param overrides the operator's file: price name to `base` and `per_token`, decimal strings, USD
   * @throws RangeError for an amount, an unknown name or an unknown field, naming it
   */
  constructor(definitions: Record<string, PriceTexts>, overrides: unknown = {}) {
    for (const [name, texts] of Object.entries(definitions)) {
      this.prices.set(name, {
        name,
        title: texts.title,
        baseNanoUsd: parseUsd(texts.base),
        perTokenNanoUsd: texts.perToken === null ? null : parseUsd(texts.perToken),
        counts: texts.counts,
      });
    }
    this.override(overrides);
    const texts = this.all().map(
      (price) => `${price.name}:${price.baseNanoUsd}:${price.perTokenNanoUsd ?? ''}`,
    );
    this.version = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
  }

  all(): Price[] {
    return [...this.prices.values()];
  }

  /** @throws RangeError for a name that the document lacks, which is a fault of ours. */
  get(name: string): Price {
    const price = this.prices.get(name);
    if (!price) {
      throw new RangeError(`no price is named ${name}; known are ${[...this.prices.keys()].join(', ')}`);
    }
    return price;
  }

  private override(overrides: unknown): void {
    if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
      throw new RangeError('the price file must hold an object of price names');
    }
    for (const [name, fields] of Object.entries(overrides as Record<string, unknown>)) {
      const price = this.get(name);
      for (const [field, amount] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
        this.prices.set(name, { ...this.get(price.name), ...overridden(price, field, amount) });
      }
    }
  }
}

function overridden(price: Price, field: string, amount: unknown): Partial<Price> {
  const nanoUsd = parseUsd(String(amount));
  if (nanoUsd < 0n) {
    throw new RangeError(`${price.name}.${field} must not be negative: ${formatUsd(nanoUsd)}`);
  }
  if (field === 'base') {
    return { baseNanoUsd: nanoUsd };
  }
  if (field === 'per_token' && price.perTokenNanoUsd !== null) {
    return { perTokenNanoUsd: nanoUsd };
  }
  throw new RangeError(`${price.name} has no field ${field} that a price file may set`);
}

/** What a use costs, nano-USD. */
export function costNanoUsd(price: Price, use: TokenUse): bigint {
  return price.baseNanoUsd + (price.perTokenNanoUsd ?? 0n) * BigInt(countedTokens(price, use));
}

/** The largest number of output tokens whose worst case fits into an amount; null where output is not priced or nothing fits. */
export function affordableOutputTokens(
  price: Price,
  inputTokens: number,
  amountNanoUsd: bigint,
): number | null {
  if (price.perTokenNanoUsd === null || price.perTokenNanoUsd === 0n || price.counts !== 'input_and_output') {
    return null;
  }
  const room = amountNanoUsd - costNanoUsd(price, { inputTokens, outputTokens: 0 });
  const tokens = room < 0n ? 0n : room / price.perTokenNanoUsd;
  return tokens > 0n ? Number(tokens) : null;
}

function countedTokens(price: Price, use: TokenUse): number {
  return price.counts === 'input' ? use.inputTokens : use.inputTokens + use.outputTokens;
}
