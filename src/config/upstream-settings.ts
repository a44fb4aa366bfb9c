import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  isObject,
  IsOptional,
  Length,
  Matches,
  Max,
  Min,
  NotEquals,
  ValidateBy,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import 'reflect-metadata';
import { isBaseUrl, isPlainHttpUrl, readJsonArray, repeated } from './environment';

export interface UpstreamSettings {
  name: string;
  /** With the version, without a slash at the end: `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string | null;
  /** A proxy's URL or `none`; null or absent for HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  proxyUrl?: string | null;
  /** The header for the key with Anthropic's Messages API; absent where it does not speak that. */
  messagesKey?: MessagesKey;
  /** Null for the models that the upstream lists itself. */
  models: readonly UpstreamModel[] | null;
  /** Tokens at most by kind of part, for models not named; absent where none is priced. */
  partTokens?: ReadonlyMap<string, number>;
  /** Extra fields passed on, each with its price (decimal USD a call); absent for none. */
  passFields?: ReadonlyMap<string, string>;
  connectTimeoutMs: number;
  firstByteTimeoutMs: number;
  totalTimeoutMs: number;
}

/** Anthropic takes `x-api-key`; most servers that also speak OpenAI's API take a bearer token. */
const MESSAGES_KEYS = ['x-api-key', 'bearer'] as const;
type MessagesKey = (typeof MESSAGES_KEYS)[number];

export interface UpstreamModel {
  id: string;
  aliases: readonly string[];
  /** Decimal USD; null for the operation's own price. Both prices are set or neither. */
  inputPricePerTokenUsd: string | null;
  outputPricePerTokenUsd: string | null;
  /** A call's price before its tokens; only beside token prices. Absent for the operation's own. */
  basePriceUsd?: string;
  /** Input that the upstream had cached; null for the price of other input. */
  cachedInputPricePerTokenUsd?: string | null;
  /** Input that the upstream caches for later calls; null for the price of other input. */
  cacheWritePricePerTokenUsd?: string | null;
  /** For one choice; null where only the upstream knows. */
  outputTokensMax?: number | null;
  partTokens?: ReadonlyMap<string, number>;
}

const TOKENS_MAX = 10_000_000;
const NAMES_MAX = 100;
/** A part's kind or type, a field's name, or `tools.` with a tool's type. */
const NAME = /^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/;
const USD = /^\d{1,6}(\.\d{1,9})?$/;

interface TermsEntry {
  readonly part_tokens?: unknown;
  readonly pass_fields?: unknown;
}

function faultsOfTerms({ part_tokens: tokens, pass_fields: fields }: TermsEntry, place: string): string[] {
  return [
    ...faultsOfMap(tokens, `${place}.part_tokens`, isTokens, `whole tokens up to ${TOKENS_MAX}`),
    ...faultsOfMap(fields, `${place}.pass_fields`, isPrice, 'USD a call with at most nine decimals, or null'),
  ];
}

function toPartTokens(...entries: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map(entries.flatMap((entry) => Object.entries((entry ?? {}) as Record<string, number>)));
}

function toPassFields(entry: unknown): ReadonlyMap<string, string> {
  const prices = Object.entries((entry ?? {}) as Record<string, string | null>);
  return new Map(prices.map(([name, price]) => [name, price ?? '0']));
}

function faultsOfMap(
  map: unknown,
  place: string,
  isValue: (value: unknown) => boolean,
  form: string,
): string[] {
  if (map === undefined || map === null) {
    return [];
  }
  const entries = isObject<Record<string, unknown>>(map) && !Array.isArray(map) ? Object.entries(map) : null;
  if (!entries || entries.length > NAMES_MAX || !entries.every(([name]) => NAME.test(name))) {
    return [`${place} must be an object of at most ${NAMES_MAX} names`];
  }
  return entries.every(([, value]) => isValue(value)) ? [] : [`${place} must have values of ${form}`];
}

function isTokens(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TOKENS_MAX;
}

function isPrice(value: unknown): boolean {
  return value === null || (typeof value === 'string' && USD.test(value));
}

const TIMEOUT_MS_MAX = 3_600_000;
const MODELS_MAX = 1000;
const ALIASES_MAX = 100;

/** Safe in a header and a log line, without outer spaces. */
const MODEL_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

const ModelName = (each: boolean) =>
  Matches(MODEL_NAME, { each, message: 'must be 1 to 256 printable ASCII characters' });
const Checked = () => Allow();
const Milliseconds = () => Transform(({ value }) => (value === null ? undefined : (value as unknown)));
const Price = () => Transform(({ value }) => (typeof value === 'number' ? decimal(value) : value) as unknown);
const PriceText = () => Matches(USD, { message: 'must be USD with at most nine decimals' });

const ProxyAddress = () =>
  ValidateBy({
    name: 'proxyAddress',
    validator: {
      validate: (value) => value === 'none' || (typeof value === 'string' && isPlainHttpUrl(value)),
      defaultMessage: () => 'must be the http or https URL of a proxy, or none',
    },
  });

class UpstreamModelEntry {
  @ModelName(false) id!: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(ALIASES_MAX)
  @ModelName(true)
  aliases?: string[] | null;
  @Price() @IsOptional() @PriceText() input_price_per_token_usd?: string | null;
  @Price() @IsOptional() @PriceText() output_price_per_token_usd?: string | null;
  @Price() @IsOptional() @PriceText() base_price_usd?: string | null;
  @Price() @IsOptional() @PriceText() cached_input_price_per_token_usd?: string | null;
  @Price() @IsOptional() @PriceText() cache_write_price_per_token_usd?: string | null;
  @IsOptional() @IsInt() @Min(1) @Max(TOKENS_MAX) max_output_tokens?: number | null;
  @Checked() part_tokens?: unknown;
}

/** An entry of UPSTREAMS, with default time-outs. No message may repeat a value. */
class UpstreamEntry {
  @Matches(/^[A-Za-z0-9_.-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or _.-' })
  @NotEquals('embedded', { message: 'must not be embedded, which the service itself is called' })
  name!: string;
  @Length(1, 2048) base_url!: string;
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,4096}$/, { message: 'must be printable ASCII without spaces' })
  api_key?: string | null;
  @IsOptional()
  @ProxyAddress()
  proxy_url?: string | null;
  @IsOptional()
  @IsIn(MESSAGES_KEYS, { message: `must be ${MESSAGES_KEYS.join(' or ')}` })
  messages_key?: MessagesKey | null;
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MODELS_MAX)
  @ValidateNested({ each: true, message: 'must be objects' })
  @Type(() => UpstreamModelEntry)
  models?: UpstreamModelEntry[] | null;
  @Checked() part_tokens?: unknown;
  @Checked() pass_fields?: unknown;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) connect_timeout_ms = 5000;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) first_byte_timeout_ms = 110_000;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) total_timeout_ms = 600_000;
}

/** Fractions of a nano-USD stay a number, which the rule for prices refuses. */
function decimal(usd: number): string | number {
  const text = usd.toFixed(9);
  return Number(text) === usd ? text.replace(/\.?0+$/, '') : usd;
}

const UPSTREAMS_MAX = 32;

interface ReadUpstreams {
  upstreams: readonly UpstreamSettings[];
  /** Repeat no value, which may be a misplaced API key. */
  faults: string[];
}

/** @param variable an upstream's URL, JSON text, or the path of a JSON file */
export function readUpstreams(variable: string | null): ReadUpstreams {
  if (variable === null) {
    return { upstreams: [], faults: [] };
  }
  const { list, fault } = isUrl(variable)
    ? { list: [{ name: 'upstream', base_url: variable.trim() }], fault: null }
    : readJsonArray('UPSTREAMS', variable);
  if (fault !== null) {
    return refused([fault]);
  }
  if (list.length > UPSTREAMS_MAX) {
    return refused([`UPSTREAMS must name at most ${UPSTREAMS_MAX} upstreams`]);
  }
  const formFaults = list.flatMap((value, index) => faultsOfForm(value, `UPSTREAMS[${index}]`));
  if (formFaults.length > 0) {
    return refused(formFaults);
  }
  const entries = list.map(toEntry);
  const faults = [
    ...entries.flatMap((entry, index) => faultsOfMeaning(entry, `UPSTREAMS[${index}]`)),
    ...repeated(entries.map(({ name }) => name)).map((index) => `UPSTREAMS[${index}].name is used before`),
  ];
  return faults.length > 0 ? refused(faults) : { upstreams: entries.map(toSettings), faults };
}

function isUrl(variable: string): boolean {
  return /^https?:\/\//i.test(variable.trim());
}

function refused(faults: string[]): ReadUpstreams {
  return { upstreams: [], faults };
}

function toEntry(value: unknown): UpstreamEntry {
  return plainToInstance(UpstreamEntry, value, { exposeDefaultValues: true });
}

function faultsOfForm(value: unknown, place: string): string[] {
  if (!isObject<Record<string, unknown>>(value)) {
    return [`${place} must be an object`];
  }
  const models: unknown[] = Array.isArray(value.models) ? value.models : [];
  const odd = models.flatMap((model, index) => (isObject(model) ? [] : [`${place}.models[${index}]`]));
  if (odd.length > 0) {
    return odd.map((model) => `${model} must be an object`);
  }
  const options = { whitelist: true, forbidNonWhitelisted: true };
  return validateSync(toEntry(value), options).flatMap((error) => flattened(error, place));
}

function flattened({ property, constraints, children }: ValidationError, place: string): string[] {
  const inner = /^\d+$/.test(property) ? `${place}[${property}]` : `${place}.${property}`;
  const own = Object.values(constraints ?? {}).map(
    (message) => `${inner} ${message.replace(`property ${property} `, '').replace(`${property} `, '')}`,
  );
  return [...own, ...(children ?? []).flatMap((child) => flattened(child, inner))];
}

function faultsOfMeaning(entry: UpstreamEntry, place: string): string[] {
  const models = entry.models ?? [];
  const names = models.map(({ id, aliases }) => [...new Set([id, ...(aliases ?? [])])]);
  const owners = names.flatMap((own, index) => own.map(() => index));
  return [
    ...(isBaseUrl(entry.base_url)
      ? []
      : [`${place}.base_url must be an http or https URL without credentials, query and fragment`]),
    ...faultsOfTerms(entry, place),
    ...models.flatMap((model, index) => faultsOfModel(model, `${place}.models[${index}]`)),
    ...repeated(names.flat()).map(
      (index) => `${place}.models[${owners[index]}] has a name that another model of this upstream has`,
    ),
  ];
}

function faultsOfModel(model: UpstreamModelEntry, place: string): string[] {
  const isInputPriced = isPriced(model.input_price_per_token_usd);
  const ofCache = [model.cached_input_price_per_token_usd, model.cache_write_price_per_token_usd];
  const faults: [boolean, string][] = [
    [isPriced(model.output_price_per_token_usd) !== isInputPriced, ' must have both prices or none'],
    [
      isPriced(model.base_price_usd) && !isInputPriced,
      '.base_price_usd needs the prices of tokens beside it',
    ],
    [ofCache.some(isPriced) && !isInputPriced, ' must have both prices beside that of cached input'],
  ];
  const found = faults.filter(([isBroken]) => isBroken).map(([, text]) => place + text);
  return [...found, ...faultsOfTerms(model, place)];
}

function isPriced(price: string | null | undefined): boolean {
  return typeof price === 'string';
}

function toSettings(entry: UpstreamEntry): UpstreamSettings {
  return {
    name: entry.name,
    baseUrl: entry.base_url.replace(/\/+$/, ''),
    apiKey: entry.api_key ?? null,
    proxyUrl: entry.proxy_url ?? null,
    ...(entry.messages_key && { messagesKey: entry.messages_key }),
    models: entry.models?.map((model) => toModel(model, entry)) ?? null,
    partTokens: toPartTokens(entry.part_tokens),
    passFields: toPassFields(entry.pass_fields),
    connectTimeoutMs: entry.connect_timeout_ms,
    firstByteTimeoutMs: entry.first_byte_timeout_ms,
    totalTimeoutMs: entry.total_timeout_ms,
  };
}

function toModel(model: UpstreamModelEntry, entry: UpstreamEntry): UpstreamModel {
  return {
    id: model.id,
    aliases: model.aliases ?? [],
    inputPricePerTokenUsd: model.input_price_per_token_usd ?? null,
    outputPricePerTokenUsd: model.output_price_per_token_usd ?? null,
    ...(isPriced(model.base_price_usd) && { basePriceUsd: String(model.base_price_usd) }),
    cachedInputPricePerTokenUsd: model.cached_input_price_per_token_usd ?? null,
    cacheWritePricePerTokenUsd: model.cache_write_price_per_token_usd ?? null,
    outputTokensMax: model.max_output_tokens ?? null,
    partTokens: toPartTokens(entry.part_tokens, model.part_tokens),
  };
}
