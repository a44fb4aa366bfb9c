import { createHash } from 'node:crypto';
import type { UpstreamSettings } from '../config/upstream-settings';
import { Unprocessable } from '../errors/api-errors';
import { isObject } from '../runtime/json';

export const NANO_PER_USD = 1_000_000_000n;

/** 1,000,000 USD: a double prints every decimal of at most 15 digits unchanged. */
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

/** Rounds to the nearest. @throws RangeError for a number that is not finite, or from 1e12 on */
export function usdToNano(usd: number): bigint {
  if (!Number.isFinite(usd) || Math.abs(usd) >= 1e12) {
    throw new RangeError(`not a USD amount: ${usd}`);
  }
  return BigInt(usd.toFixed(9).replace('.', ''));
}

/** @param field its name in the request @throws Unprocessable for an amount finer than a nano-USD */
export function exactUsdToNano(usd: number, field: string): bigint {
  const nanoUsd = usdToNano(usd);
  if (nanoToUsd(nanoUsd) !== usd) {
    throw new Unprocessable(`${field} is finer than 0.000000001 USD.`);
  }
  return nanoUsd;
}

/** Up to a million USD its shortest decimal form is the exact amount. */
export function nanoToUsd(nanoUsd: bigint): number {
  // Both integers are exact doubles, so their quotient is the double nearest to the amount.
  return isExactInDouble(nanoUsd) ? Number(nanoUsd) / 1e9 : Number(decimalOf(nanoUsd));
}

export function formatUsd(nanoUsd: bigint): string {
  // Up to 15 digits a double prints as the amount itself, but below a millionth with an exponent.
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
  /** Absent for the operation's own base. */
  baseNanoUsd?: bigint;
  /** For input that the upstream had cached; absent for the price of other input. */
  cachedInputNanoUsd?: bigint;
  /** For input that the upstream caches for later calls; absent for the price of other input. */
  cacheWriteNanoUsd?: bigint;
}

/** The first upstream that names a model counts. @throws RangeError for an invalid price, or one of a pair */
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
  /** Input tokens that the upstream had cached; absent means none. */
  cachedTokens?: number;
  /** Further input tokens, which the upstream cached for later calls; absent means none. */
  cacheWriteTokens?: number;
}

export const NOTHING_USED: Readonly<TokenUse> = { inputTokens: 0, outputTokens: 0 };

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
  perCachedTokenNanoUsd?: bigint;
  perCacheWriteTokenNanoUsd?: bigint;
  counts: 'input' | 'input_and_output' | null;
  /** The model whose tokens have this price; null for every model. */
  model: string | null;
}

/** A price of the OpenAPI document. Amounts are decimal strings in USD. */
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
   * @param surcharges texts that make the version depend on surcharges of single calls
   * @throws RangeError for an invalid amount, an unknown name or field
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

  /** The least a call costs, whichever model answers. @throws RangeError for an unknown name */
  leastNanoUsd(name: string): bigint {
    return [this.get(name), ...this.forEachModel(name)]
      .map(({ baseNanoUsd }) => baseNanoUsd)
      .reduce((least, base) => (base < least ? base : least));
  }

  /** None where the operation charges no tokens. @throws RangeError for an unknown name */
  forEachModel(name: string): Price[] {
    const models = this.get(name).perTokenNanoUsd === null ? [] : [...this.models.keys()];
    return models.map((model) => this.forModel(name, model));
  }

  /** The model's own token prices and base replace the operation's. @throws RangeError for an unknown name */
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

  /** @throws RangeError for an unknown name */
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

/** Adds to the base, under a name that lists the charged fields. */
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

/** The upper bound: whether the upstream caches the input is known only afterwards. */
export function mostNanoUsd(price: Price, { inputTokens, outputTokens }: TokenUse): bigint {
  return costNanoUsd(
    { ...price, perTokenNanoUsd: dearestInputNanoUsd(price) },
    { inputTokens, outputTokens },
  );
}

function dearestInputNanoUsd({ perTokenNanoUsd, ...kinds }: Price): bigint | null {
  const others = [kinds.perCachedTokenNanoUsd ?? 0n, kinds.perCacheWriteTokenNanoUsd ?? 0n];
  return others.reduce((most, each) => (most !== null && each > most ? each : most), perTokenNanoUsd);
}

/** Null where output is free, or the amount does not pay for one output token. */
export function affordableOutputTokens(
  price: Price,
  inputTokens: number,
  amountNanoUsd: bigint,
): number | null {
  const room = amountNanoUsd - mostNanoUsd(price, { inputTokens, outputTokens: 0 });
  return affordableTokens(perOutputTokenNanoUsd(price), room);
}

/** Null where tokens are free, or the amount does not pay for one. */
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
  /** Output tokens that the reservation covers: the handler must not produce more. */
  readonly outputTokensMax: number;
  /** An upper bound, charged where the upstream reports no number. */
  readonly inputTokens: number;
  /** Returns the believed use. Tokens that this service counted itself must be within the reservation. */
  report(use: TokenUse): TokenUse;
  /** Registers work that is asked for its use if the caller leaves; without it such a call is free. */
  watch(work: WatchedWork): void;
}

export interface WatchedWork {
  /** What must be paid if the work stops now; null before it began. Only counting its tokens may take longer. */
  useSoFar(): Promise<TokenUse> | null;
}

/** The largest context windows: no model reads or writes more in one call. */
export const BELIEVED_TOKENS_MAX = 2_000_000;

export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

/** Counts beyond any model become the reserved ones; negative ones and NaN become 0. */
export function believedTokens(tokens: number, reservedTokens: number): number {
  if (Number.isNaN(tokens)) {
    return 0;
  }
  const isAbsurd = tokens > Math.max(BELIEVED_TOKENS_MAX, reservedTokens);
  return isAbsurd ? reservedTokens : Math.max(0, Math.ceil(tokens));
}

type CacheUse = Pick<TokenUse, 'cachedTokens' | 'cacheWriteTokens'>;

/** What a cache gave of a request's input, and what was written to it of the rest; absurd counts are none. */
export function cacheUse(
  { cachedTokens = 0, cacheWriteTokens = 0 }: CacheUse,
  inputTokens: number,
): CacheUse {
  const cached = Math.min(believedTokens(cachedTokens, 0), inputTokens);
  const written = Math.min(believedTokens(cacheWriteTokens, 0), inputTokens - cached);
  return { ...(cached > 0 && { cachedTokens: cached }), ...(written > 0 && { cacheWriteTokens: written }) };
}
