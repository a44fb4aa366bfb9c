import { createHash } from 'node:crypto';
import type { UpstreamSettings } from '../config/upstream-settings';
import { Unprocessable } from '../errors/api-errors';
import { isObject } from '../runtime/json';

export const NANO_PER_USD = 1_000_000_000n;

/** A million USD. A double prints every decimal number of at most 15 digits as the same number. */
const EXACT_MAX = 1_000_000_000_000_000n;

/** @throws RangeError for anything but at most nine digits before the point and nine after it */
export function parseUsd(decimal: string): bigint {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/.exec(decimal);
  if (!match) {
    throw new RangeError(`not a USD amount of at most nine decimal places: ${decimal}`);
  }
  const [, sign, whole = '', fraction = ''] = match;
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}

/** Rounded to the nearest. @throws RangeError for a number that is not finite, or from 1e12 on */
export function usdToNano(usd: number): bigint {
  if (!Number.isFinite(usd) || Math.abs(usd) >= 1e12) {
    throw new RangeError(`not a USD amount: ${usd}`);
  }
  return BigInt(usd.toFixed(9).replace('.', ''));
}

/** @throws Unprocessable for an amount that is finer than the ledger counts; `field` is its name in the request */
export function exactUsdToNano(usd: number, field: string): bigint {
  const nanoUsd = usdToNano(usd);
  if (nanoToUsd(nanoUsd) !== usd) {
    throw new Unprocessable(`${field} is finer than 0.000000001 USD.`);
  }
  return nanoUsd;
}

/** Written in its shortest form, it is the exact amount up to a million USD. */
export function nanoToUsd(nanoUsd: bigint): number {
  // A double holds both integers exactly, so their quotient is the double that is nearest to the amount.
  return isExactInDouble(nanoUsd) ? Number(nanoUsd) / 1e9 : Number(decimalOf(nanoUsd));
}

/** Without an exponent and without trailing zeros. */
export function formatUsd(nanoUsd: bigint): string {
  // Up to 15 digits the shortest form of a double is the amount itself; below a millionth it has an exponent.
  return nanoUsd >= 1_000n && isExactInDouble(nanoUsd) ? String(Number(nanoUsd) / 1e9) : decimalOf(nanoUsd);
}

function isExactInDouble(nanoUsd: bigint): boolean {
  return nanoUsd < EXACT_MAX && nanoUsd > -EXACT_MAX;
}

function decimalOf(nanoUsd: bigint): string {
  const digits = (nanoUsd < 0n ? -nanoUsd : nanoUsd).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  return `${nanoUsd < 0n ? '-' : ''}${digits.slice(0, -9)}${fraction === '' ? '' : `.${fraction}`}`;
}

interface ModelPrice {
  model: string;
  inputNanoUsd: bigint;
  outputNanoUsd: bigint;
  /** Absent where a call costs the operation's own base. */
  baseNanoUsd?: bigint;
  /** Of input that the upstream had kept from an earlier call; absent where it costs as much as other input. */
  cachedInputNanoUsd?: bigint;
  /** Of input that the upstream keeps for later calls; absent where it costs as much as other input. */
  cacheWriteNanoUsd?: bigint;
}

/**
 * The prices that the upstreams set for their models. Of several upstreams only the first that names a model counts.
 * @throws RangeError for an amount that is no whole number of nano-USD or negative, and for only one of the two prices
 */
export function modelPrices(upstreams: readonly Pick<UpstreamSettings, 'name' | 'models'>[]): ModelPrice[] {
  const named = new Set<string>();
  const prices: ModelPrice[] = [];
  for (const { name, models } of upstreams) {
    for (const model of models ?? []) {
      const { id, inputPricePerTokenUsd: input, outputPricePerTokenUsd: output, basePriceUsd: base } = model;
      const { cachedInputPricePerTokenUsd: cached = null, cacheWritePricePerTokenUsd: written = null } =
        model;
      const where = `${name}, ${id}`;
      if ((input === null) !== (output === null)) {
        throw new RangeError(`${where}: prices of input and output must both be set, or neither`);
      }
      if (!named.has(id) && input !== null && output !== null) {
        const [inputNanoUsd, outputNanoUsd] = [amount(where, input), amount(where, output)];
        const own = base === undefined ? {} : { baseNanoUsd: amount(where, base) };
        const ofCached = cached === null ? {} : { cachedInputNanoUsd: amount(where, cached) };
        const ofWritten = written === null ? {} : { cacheWriteNanoUsd: amount(where, written) };
        prices.push({ model: id, inputNanoUsd, outputNanoUsd, ...own, ...ofCached, ...ofWritten });
      }
      named.add(id);
    }
  }
  return prices;
}

/** Makes the version of the prices cover what upstreams pass on at a price. */
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

export interface TokenUse {
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that the upstream had kept from an earlier call; absent means none. */
  cachedTokens?: number;
  /** Another part of it, which the upstream kept for later calls; absent means none. */
  cacheWriteTokens?: number;
}

export const NOTHING_USED: Readonly<TokenUse> = { inputTokens: 0, outputTokens: 0 };

/** The tokens of an answer, as our own operations and sockets name them. */
export function usageFields({ inputTokens, outputTokens }: TokenUse) {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** Amounts are nano-USD. */
export interface Price {
  name: string;
  title: string;
  baseNanoUsd: bigint;
  /** Null for a fixed price. */
  perTokenNanoUsd: bigint | null;
  /** Null where an output token costs as much as an input token, or is not counted. */
  perOutputTokenNanoUsd: bigint | null;
  /** Absent where a token of cached input costs as much as any other. */
  perCachedTokenNanoUsd?: bigint;
  /** Absent where a token of input that is kept for later calls costs as much as any other. */
  perCacheWriteTokenNanoUsd?: bigint;
  counts: 'input' | 'input_and_output' | null;
  /** Whose tokens have this price; null where it holds for every model. */
  model: string | null;
}

/** A price of the document. Amounts are decimal strings in USD. */
export interface PriceDefinition {
  title: string;
  base: string;
  perToken: string | null;
  counts: 'input' | 'input_and_output' | null;
}

export class PriceList {
  readonly version: string;
  private readonly prices = new Map<string, Price>();
  private readonly models: ReadonlyMap<string, ModelPrice>;

  /**
   * @param overrides the operator's file: price name to `base` and `per_token`, decimal strings, USD
   * @param surcharges texts that differ where what is added to single calls differs
   * @throws RangeError for an amount that is not valid, an unknown name or an unknown field
   */
  constructor(
    definitions: Record<string, PriceDefinition>,
    overrides: unknown = {},
    models: readonly ModelPrice[] = [],
    surcharges: readonly string[] = [],
  ) {
    for (const [name, texts] of Object.entries(definitions)) {
      this.prices.set(name, {
        name,
        title: texts.title,
        baseNanoUsd: parseUsd(texts.base),
        perTokenNanoUsd: texts.perToken === null ? null : parseUsd(texts.perToken),
        perOutputTokenNanoUsd: null,
        counts: texts.counts,
        model: null,
      });
    }
    this.override(overrides);
    this.models = new Map(models.map((price) => [price.model, price]));
    const texts = [
      ...this.all().map((price) => `${price.name}:${price.baseNanoUsd}:${price.perTokenNanoUsd ?? ''}`),
      ...models.map(versionText),
      ...surcharges,
    ];
    this.version = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
  }

  all(): Price[] {
    return [...this.prices.values()];
  }

  /** What a call costs at least, whichever model answers it. @throws RangeError for a name that the document lacks */
  leastNanoUsd(name: string): bigint {
    return [this.get(name), ...this.forEachModel(name)]
      .map(({ baseNanoUsd }) => baseNanoUsd)
      .reduce((least, base) => (base < least ? base : least));
  }

  /** None where the operation charges no tokens. @throws RangeError for a name that the document lacks */
  forEachModel(name: string): Price[] {
    const models = this.get(name).perTokenNanoUsd === null ? [] : [...this.models.keys()];
    return models.map((model) => this.forModel(name, model));
  }

  /**
   * The operation's price with the model's token prices, and its base where it has one, under a name made of both; unchanged
   * where the model has no prices of its own or the operation charges no tokens. @throws RangeError for a name that the document lacks
   */
  forModel(name: string, model: string | null): Price {
    const price = this.get(name);
    const own = model === null ? undefined : this.models.get(model);
    if (!own || price.perTokenNanoUsd === null) {
      return price;
    }
    return {
      ...price,
      name: `${name}:${own.model}`,
      title: `${price.title}, ${own.model}`,
      baseNanoUsd: own.baseNanoUsd ?? price.baseNanoUsd,
      perTokenNanoUsd: own.inputNanoUsd,
      perOutputTokenNanoUsd: price.counts === 'input' ? null : own.outputNanoUsd,
      perCachedTokenNanoUsd: own.cachedInputNanoUsd,
      perCacheWriteTokenNanoUsd: own.cacheWriteNanoUsd,
      model: own.model,
    };
  }

  /** @throws RangeError for a name that the document lacks */
  get(name: string): Price {
    const price = this.prices.get(name);
    if (!price) {
      throw new RangeError(`no price is named ${name}; known are ${[...this.prices.keys()].join(', ')}`);
    }
    return price;
  }

  private override(overrides: unknown): void {
    if (!isObject(overrides)) {
      throw new RangeError('the price file must hold an object of price names');
    }
    for (const [name, fields] of Object.entries(overrides)) {
      const price = this.get(name);
      for (const [field, amount] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
        this.prices.set(name, { ...this.get(price.name), ...overridden(price, field, amount) });
      }
    }
  }
}

/** What a version of the prices depends on. */
function versionText({ model, inputNanoUsd, outputNanoUsd, ...further }: ModelPrice): string {
  const base = further.baseNanoUsd === undefined ? '' : `:${further.baseNanoUsd}`;
  const cached = further.cachedInputNanoUsd === undefined ? '' : `:cached ${further.cachedInputNanoUsd}`;
  const written = further.cacheWriteNanoUsd === undefined ? '' : `:written ${further.cacheWriteNanoUsd}`;
  return `${model}:${inputNanoUsd}:${outputNanoUsd}${base}${cached}${written}`;
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

/** The price with a surcharge on its base, under a name that tells what for. */
export function withSurcharge(
  price: Price,
  surcharge: { readonly nanoUsd: bigint; readonly fields: readonly string[] } | null,
): Price {
  return surcharge === null
    ? price
    : {
        ...price,
        name: [price.name, ...surcharge.fields].join('+'),
        baseNanoUsd: price.baseNanoUsd + surcharge.nanoUsd,
      };
}

export function costNanoUsd(price: Price, use: TokenUse): bigint {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = use;
  const perTokenNanoUsd = price.perTokenNanoUsd ?? 0n;
  const input =
    perTokenNanoUsd * BigInt(inputTokens - cachedTokens - cacheWriteTokens) +
    (price.perCachedTokenNanoUsd ?? perTokenNanoUsd) * BigInt(cachedTokens) +
    (price.perCacheWriteTokenNanoUsd ?? perTokenNanoUsd) * BigInt(cacheWriteTokens);
  return price.baseNanoUsd + input + perOutputTokenNanoUsd(price) * BigInt(outputTokens);
}

/** What is reserved: whether the upstream keeps the input, or has kept it, is not known before. */
export function mostNanoUsd(price: Price, { inputTokens, outputTokens }: TokenUse): bigint {
  return costNanoUsd(
    { ...price, perTokenNanoUsd: dearestInputNanoUsd(price) },
    { inputTokens, outputTokens },
  );
}

/** Null for a fixed price. */
function dearestInputNanoUsd({ perTokenNanoUsd, ...kinds }: Price): bigint | null {
  const others = [kinds.perCachedTokenNanoUsd ?? 0n, kinds.perCacheWriteTokenNanoUsd ?? 0n];
  return others.reduce((most, each) => (most !== null && each > most ? each : most), perTokenNanoUsd);
}

/** Null where output costs nothing, and where the amount does not pay for one output token. */
export function affordableOutputTokens(
  price: Price,
  inputTokens: number,
  amountNanoUsd: bigint,
): number | null {
  const room = amountNanoUsd - mostNanoUsd(price, { inputTokens, outputTokens: 0 });
  return affordableTokens(perOutputTokenNanoUsd(price), room);
}

/** Null where tokens cost nothing, and where the amount does not pay for one of them. */
export function affordableInputTokens(
  price: Price,
  outputTokens: number,
  amountNanoUsd: bigint,
): number | null {
  const room = amountNanoUsd - mostNanoUsd(price, { inputTokens: 0, outputTokens });
  return affordableTokens(dearestInputNanoUsd(price) ?? 0n, room);
}

function affordableTokens(perTokenNanoUsd: bigint, roomNanoUsd: bigint): number | null {
  return perTokenNanoUsd === 0n || roomNanoUsd < perTokenNanoUsd
    ? null
    : Number(roomNanoUsd / perTokenNanoUsd);
}

function perOutputTokenNanoUsd(price: Price): bigint {
  return price.counts === 'input_and_output'
    ? (price.perOutputTokenNanoUsd ?? price.perTokenNanoUsd ?? 0n)
    : 0n;
}

export interface Meter {
  /** The output tokens that the reservation covers: the handler must not produce more. */
  readonly outputTokensMax: number;
  /** An upper bound, and what is charged where the upstream does not report the true number. */
  readonly inputTokens: number;
  /**
   * Returns what of a use is believed, which may be more than was reserved. Tokens that this service counted itself must be
   * within what was reserved already.
   */
  report(use: TokenUse): TokenUse;
  /** Names the work to ask for its use, should the caller go away. Without one such a call is free. */
  watch(work: WatchedWork): void;
}

export interface WatchedWork {
  /**
   * What has to be paid if the work is broken off now; null while nobody has begun. Found out before this returns: only
   * counting its tokens may take longer.
   */
  useSoFar(): Promise<TokenUse> | null;
}

/** The tokens of the largest context windows: no model reads or writes more in one call. */
export const BELIEVED_TOKENS_MAX = 2_000_000;

/** A count that a provider reports, as a whole number from 0 on; null where it is no finite number. */
export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

/** Counts that no model can reach are taken for the reserved ones, negative ones and what is no number for 0. */
export function believedTokens(tokens: number, reservedTokens: number): number {
  if (Number.isNaN(tokens)) {
    return 0;
  }
  const isAbsurd = tokens > Math.max(BELIEVED_TOKENS_MAX, reservedTokens);
  return isAbsurd ? reservedTokens : Math.max(0, Math.ceil(tokens));
}
