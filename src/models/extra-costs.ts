import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { namesPublicHost } from '../http/outbound/ssrf-policy';
import { isGiven, isObject, jsonField, type JsonObject, objectsOf, shownValue } from '../runtime/json';
import { UnpricedRequest } from './errors';
import { type ContentPart, type ModelTerms, NO_TERMS } from './model-provider';
import type { ModelRoute, ModelStop } from './models';

interface CostingField {
  readonly name: string;
  readonly at: string;
}

/** Writing to the cache costs more than other input (Anthropic). */
const CACHE_CONTROL = 'cache_control';
/**
 * These buy service tiers (OpenAI, Groq), searches (OpenAI, Perplexity, xAI, Alibaba), plugins, other providers and
 * models with their own keys and addresses (OpenRouter, LiteLLM), servers and containers for tools (Anthropic), and
 * answers fetched later, whose use is never seen (xAI). Unknown fields pass, because self-hosted servers have some.
 */
const COSTING = [
  ...['service_tier', 'web_search_options', 'search_parameters', 'enable_search', 'plugins', 'provider'],
  ...['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'context_window_fallback_dict'],
  ...['api_base', 'base_url', 'api_key', 'extra_body', 'extra_headers', 'custom_llm_provider'],
  ...['models', 'route', 'mcp_servers', 'container', 'deferred', CACHE_CONTROL],
  // How finely media are read (vLLM, Alibaba).
  ...['mm_processor_kwargs', 'media_io_kwargs', 'vl_high_resolution_images'],
];
/** At OpenAI `auto` is the default, and `default` is the tier of the usual price. */
const USUAL_TIERS: readonly unknown[] = ['auto', 'default'];
/** A prompt that the upstream has stored, whose tokens, tools and model are unknown. */
const STORED_PROMPT = 'prompt';
/** The upstream runs all other tools, at prices of their own. */
const RUN_BY_CALLER = new Set<unknown>([
  ...[undefined, null, 'function', 'custom', 'local_shell', 'apply_patch'],
  ...['computer_use_preview', 'computer'],
]);

/** Service tiers of messages cost no extra, and cache writes are charged below. */
const FREE_IN_MESSAGES = ['service_tier', CACHE_CONTROL];
const COSTING_IN_MESSAGES = [
  ...COSTING.filter((name) => !FREE_IN_MESSAGES.includes(name)),
  // How fast and where the provider computes, at higher prices, and input that it reads once more (Anthropic).
  ...['speed', 'inference_geo', 'compaction'],
];
const CONTEXT = 'context_management';

function fieldsGiven(request: JsonObject, names: readonly string[]): CostingField[] {
  const isUsual = (name: string) => name === 'service_tier' && USUAL_TIERS.includes(request[name]);
  return names.filter((name) => isGiven(request[name]) && !isUsual(name)).map((name) => ({ name, at: name }));
}

/** A compaction reads all input once more, and the message's usage leaves that out (Anthropic). */
function costingInMessage(message: JsonObject): CostingField[] {
  const edits = objectsOf(jsonField(message[CONTEXT], 'edits'));
  const isCompacted = edits.some(({ type }) => shownValue(type).startsWith('compact'));
  return fieldsGiven(message, isCompacted ? [...COSTING_IN_MESSAGES, CONTEXT] : COSTING_IN_MESSAGES);
}

function isCached({ system, tools, messages, ...request }: JsonObject): boolean {
  const contents = objectsOf(messages).map(({ content }) => content);
  return [[request], system, tools, ...contents].some((list) => cached(list, '').length > 0);
}

/** Names of Anthropic's tools that the caller runs end in the date of their version. */
const RUN_BY_CALLER_DATED = /^(?:bash|computer|memory|text_editor)_\d{8}$/;

function costingFields(request: JsonObject, hasStoredPrompts: boolean): CostingField[] {
  const names = hasStoredPrompts ? [...COSTING, STORED_PROMPT] : COSTING;
  const fields = [...fieldsGiven(request, names), ...hostedTools(request.tools, 'tools')];
  objectsOf(request.input).forEach(({ tools }, index) => {
    fields.push(...hostedTools(tools, `input.${index}.tools`));
  });
  for (const list of ['messages', 'input', 'tools']) {
    fields.push(...cached(request[list], list));
    objectsOf(request[list]).forEach(({ content }, index) => {
      fields.push(...cached(content, `${list}.${index}.content`));
    });
  }
  return fields;
}

function cached(list: unknown, at: string): CostingField[] {
  return objectsOf(list).flatMap((item, index) =>
    isGiven(item[CACHE_CONTROL]) ? [{ name: CACHE_CONTROL, at: `${at}.${index}.${CACHE_CONTROL}` }] : [],
  );
}

function hostedTools(tools: unknown, at: string): CostingField[] {
  return objectsOf(tools).flatMap((tool, index) => {
    const type = typeOf(tool);
    return RUN_BY_CALLER.has(type) || RUN_BY_CALLER_DATED.test(shownValue(type))
      ? []
      : [{ name: `tools.${shownValue(type)}`, at: `${at}.${index}` }];
  });
}

/** Gemini's own tools are a member of their name, beside which LiteLLM passes over any type. */
function typeOf(tool: JsonObject): unknown {
  if (!RUN_BY_CALLER.has(tool.type) || isGiven(tool.function ?? tool.custom ?? tool.name)) {
    return tool.type;
  }
  return Object.keys(tool).find((name) => isObject(tool[name])) ?? tool.type ?? Object.keys(tool)[0];
}

const BOUNDED_DETAILS: readonly unknown[] = [undefined, 'auto', 'low', 'high'];
/** Up to these an image is read in full (Alibaba). */
const SIZES = ['min_pixels', 'max_pixels'];
const OF_FIELD = 'may cost more than its tokens, and the operator of this service has set no price for it';
const OF_PART =
  'may take any number of tokens, and the operator of this service has set no price for such parts';

function unpriced(
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

/** @throws UnpricedRequest for parts whose tokens cannot be bounded, where no model's terms are known */
export function refuseUnboundedParts(body: unknown): void {
  refuse(unpriced([], mediaParts(body), NO_TERMS));
}

function refuse(refused: readonly ValidationDetail[]): void {
  if (refused.length > 0) {
    throw new UnpricedRequest(refused);
  }
}

function isBounded(part: MediaPart, partTokens: ModelTerms['partTokens']): boolean {
  const isUsual = BOUNDED_DETAILS.includes(detailOf(part)) && !SIZES.some((name) => isGiven(part.part[name]));
  return partTokens.has(part.kind) || (part.kind === 'image' && isUsual);
}

/** A route on which nothing in the request costs more than is reserved. */
export interface PricedRoute {
  readonly route: ModelRoute;
  readonly partTokens: ReadonlyMap<string, number>;
  readonly surcharge: Surcharge | null;
}

interface Surcharge {
  readonly nanoUsd: bigint;
  readonly fields: readonly string[];
}

const NO_PART_TOKENS: PricedRoute['partTokens'] = new Map();

export interface PricedRequestOptions {
  readonly imageTokensMax: number;
  readonly hasStoredPrompts?: boolean;
  /** The Messages API request that `request` translates; upstreams that speak that API get it unchanged. */
  readonly message?: JsonObject;
}

/**
 * Leaves out upstreams without a price for a field or a part. The embedded engine is free and refuses parts and tools
 * itself; alone it must not be asked with costing fields, because it would ignore them.
 * @throws UnpricedRequest where no upstream is left; ValidationFailed where a part names a URL inside a private network
 */
export function pricedRoute(
  route: ModelRoute,
  request: JsonObject,
  { imageTokensMax, hasStoredPrompts = false, message }: PricedRequestOptions,
): PricedRoute {
  const fields = costingFields(request, hasStoredPrompts);
  const ofMessage = message ? [...fields, ...costingInMessage(message)] : fields;
  const fieldsAt = ({ model }: ModelStop) => (model.speaksMessages ? ofMessage : fields);
  // Cache writes pass at the price of input, and at a surcharge where the operator sets one.
  const kept = message && isCached(message) ? [{ name: CACHE_CONTROL, at: CACHE_CONTROL }] : [];
  const chargedAt = (stop: ModelStop) => [...fieldsAt(stop), ...(stop.model.speaksMessages ? kept : [])];
  const parts = mediaParts(request);
  if (fields.length + parts.length === 0 && !message) {
    return { route, partTokens: NO_PART_TOKENS, surcharge: null };
  }
  refuseInnerUrls(message ? [...parts, ...mediaParts(message)] : parts);
  const { stops } = route;
  const upstreams = stops.filter(({ model }) => model.terms !== undefined);
  const priced = upstreams.filter((stop) => unpriced(fieldsAt(stop), parts, termsOf(stop)).length === 0);
  if (priced.length === 0) {
    const [first] = upstreams;
    const ofEngine = fields.filter(({ name }) => !name.startsWith('tools.'));
    refuse(first ? unpriced(fieldsAt(first), parts, termsOf(first)) : unpriced(ofEngine, [], NO_TERMS));
  }
  return {
    route: priced.length === upstreams.length ? route : pricedStops(stops, priced),
    partTokens: largest(priced.map((stop) => partTokensOf(stop, imageTokensMax))),
    surcharge: dearest(priced.map((stop) => surchargeOf(chargedAt(stop), termsOf(stop)))),
  };
}

const URL_MEMBER = /^(?:.+_)?ur[li]$/;
/** Answers of tools hold parts of their own. */
const PART_DEPTH_MAX = 4;

/** The model's server may stand in the operator's network, so parts may name only public hosts. */
function refuseInnerUrls(parts: readonly MediaPart[]): void {
  const details = parts
    .filter(({ part }) => innerUrl(part, 0))
    .map(({ at }) => ({ field: at, message: 'must hold data: or a URL of a public host' }));
  if (details.length > 0) {
    throw new ValidationFailed(details);
  }
}

function innerUrl(value: unknown, depth: number): boolean {
  return (
    depth <= PART_DEPTH_MAX &&
    Object.entries(isObject(value) || Array.isArray(value) ? value : {}).some(([name, member]) =>
      typeof member === 'string' && URL_MEMBER.test(name)
        ? !/^\s*data:/i.test(member) && !namesPublicHost(member.trim())
        : innerUrl(member, depth + 1),
    )
  );
}

function pricedStops(stops: ModelRoute['stops'], priced: readonly ModelStop[]): ModelRoute {
  const [first = stops[0], ...others] = stops.filter(
    (stop) => stop.model.terms === undefined || priced.includes(stop),
  );
  return { model: first.model, stops: [first, ...others] };
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

export interface MediaPart {
  readonly part: JsonObject;
  readonly kind: string;
  readonly at: string;
}

const TEXTS = new Set([
  ...['text', 'input_text', 'output_text', 'refusal', 'reasoning', 'reasoning_text', 'summary_text'],
  ...['thinking', 'redacted_thinking', 'tool_use', 'tool_call', 'reference'],
]);
const KINDS = new Map(
  Object.entries({
    image: ['image_url', 'input_image', 'computer_screenshot', 'image'],
    audio: ['input_audio', 'audio_url', 'audio'],
    video: ['video_url', 'input_video', 'video'],
    file: ['file', 'input_file', 'document', 'document_url'],
  }).flatMap(([kind, types]) => types.map((type) => [type, kind])),
);

/** Every part of messages or input items whose type is not known to be text. */
export function mediaParts(body: unknown): MediaPart[] {
  const found: MediaPart[] = [];
  for (const list of ['messages', 'input']) {
    objectsOf(jsonField(body, list)).forEach((message, index) => {
      addParts(found, message, `${list}.${index}`);
    });
  }
  return found;
}

const HOLD_PARTS = ['content', 'output'];

function addParts(found: MediaPart[], message: JsonObject, at: string): void {
  // An assistant's message may refer to audio that the upstream has stored.
  if (isObject(message.audio)) {
    found.push({ part: message.audio, kind: 'audio', at: `${at}.audio` });
  }
  for (const field of HOLD_PARTS) {
    const parts = message[field];
    if (Array.isArray(parts)) {
      parts.forEach((part: unknown, index) => addPart(found, part, `${at}.${field}.${index}`));
    } else if (isObject(parts)) {
      addPart(found, parts, `${at}.${field}`);
    }
  }
}

function addPart(found: MediaPart[], part: unknown, at: string): void {
  const { type } = isObject(part) ? (part as unknown as ContentPart) : { type: null };
  if (isObject(part) && typeof type === 'string' && !TEXTS.has(type)) {
    found.push({ part, kind: holdsNoImage(part) ? 'file' : (KINDS.get(type) ?? type), at });
  }
}

/** Some upstreams take a whole document in the part of an image. */
function holdsNoImage({ image_url: image }: JsonObject): boolean {
  const url = isObject(image) ? image.url : image;
  return typeof url === 'string' && /^\s*data:(?!image\/)/i.test(url);
}

/** Of base64. Unbounded, so refused unless priced. Source: OpenAI's guide "Audio": ten tokens a second, 32 kbit/s. */
const BASE64_LENGTH_PER_TOKEN = 512;
const ENCODED = [
  ['image_url', 'url'],
  ['audio_url', 'url'],
  ['video_url', 'url'],
  ['input_audio', 'data'],
  ['file', 'file_data'],
  ['file_data', ''],
] as const;

interface PartTokens {
  /** For an image, and for any part without a bound below. */
  readonly imageTokensMax: number;
  readonly partTokens?: ReadonlyMap<string, number>;
}

export interface Media {
  readonly tokens: number;
  /** Objects that hold an encoded medium, by the name of the member that holds it. */
  readonly encoded: ReadonlyMap<object, string>;
}

/** A data: URL is a medium only in a part of such a type; elsewhere it counts as text. */
export function mediaOf(body: unknown, bounds: PartTokens): Media {
  let tokens = 0;
  const encoded = new Map<object, string>();
  for (const part of mediaParts(body)) {
    const length = keepFromText(encoded, part);
    tokens += tokensOf(part, length, bounds);
  }
  return { tokens, encoded };
}

/** Undefined where the request leaves the detail to the model. */
export function detailOf({ part }: MediaPart): unknown {
  return (isObject(part.image_url) ? part.image_url.detail : part.detail) ?? undefined;
}

/** Low detail counts as full detail unless set: models differ by more than a factor of thirty. */
function tokensOf(
  part: MediaPart,
  encodedLength: number,
  { imageTokensMax, partTokens }: PartTokens,
): number {
  const image = partTokens?.get('image') ?? imageTokensMax;
  if (part.kind === 'image') {
    return (detailOf(part) === 'low' ? partTokens?.get('image_low') : undefined) ?? image;
  }
  return (
    partTokens?.get(part.kind) ?? Math.max(imageTokensMax, Math.ceil(encodedLength / BASE64_LENGTH_PER_TOKEN))
  );
}

function keepFromText(encoded: Map<object, string>, { part }: MediaPart): number {
  for (const [field, inner] of ENCODED) {
    const value = part[field];
    const [holder, name] = isObject(value) ? [value, inner] : [part, field];
    const medium = holder[name];
    if (typeof medium === 'string' && (inner !== 'url' || medium.startsWith('data:'))) {
      encoded.set(holder, name);
      return medium.length;
    }
  }
  return 0;
}
