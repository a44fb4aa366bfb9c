import type { MessageUsage, ResponseUsage } from '../../generated/types';
import { BELIEVED_TOKENS_MAX, cacheUse, type Meter, type TokenUse, type WatchedWork } from '../ledger/money';
import { isObject, jsonField, type JsonObject, objectsOf, partialJson, withMember } from '../runtime/json';
import type { TokenCounter } from '../text/token-counter';
import { mediaByModel, type MediaByModel, producedByBlocks, producedByMessage } from './message-text';
import type { CallProgress } from './model-provider';

export interface ReportedUse {
  readonly inputTokens: number | null;
  /** Includes reasoning, wherever the upstream counts it. */
  readonly outputTokens: number | null;
  /** Present where a part is missing: what exceeds the counted input is output. */
  readonly totalTokens?: number;
  /** Input that the upstream read from its cache. */
  readonly cachedTokens?: number;
  /** Input that it wrote to its cache. */
  readonly cacheWriteTokens?: number;
}

/** No call reads and writes as many, so a larger total says nothing of its parts. */
const TOTAL_TOKENS_MAX = 2 * BELIEVED_TOKENS_MAX;

/**
 * OpenAI counts reasoning within the output, xAI and Gemini's compatible endpoint beside it: then the total exceeds its
 * parts, or the reasoning the output. A missing part is what the total leaves. Negative numbers count as absent; others
 * may be absurd: whoever charges has to bound them.
 */
export function reportedUse(usage: unknown): ReportedUse {
  const fields = isObject(usage) ? usage : {};
  const inputTokens = largerOf(fields.prompt_tokens, fields.input_tokens);
  const outputTokens = largerOf(fields.completion_tokens, fields.output_tokens);
  const reported = countOf(fields.total_tokens) ?? 0;
  const totalTokens = reported <= TOTAL_TOKENS_MAX ? reported : 0;
  if (inputTokens === null && outputTokens === null) {
    return { inputTokens, outputTokens, ...(totalTokens > 0 && { totalTokens }) };
  }
  const cached = inputTokens === null ? {} : cacheUse(cacheFieldsOf(fields), inputTokens);
  if (outputTokens === null) {
    return { inputTokens, outputTokens: leftOf(totalTokens, inputTokens), ...cached };
  }
  const reasoningTokens = reasoningTokensOf(fields);
  const withReasoning = outputTokens + (reasoningTokens > outputTokens ? reasoningTokens : 0);
  if (inputTokens === null) {
    return { inputTokens: leftOf(totalTokens, withReasoning), outputTokens: withReasoning };
  }
  return { inputTokens, outputTokens: Math.max(withReasoning, totalTokens - inputTokens), ...cached };
}

function leftOf(totalTokens: number, partTokens: number | null): number | null {
  return partTokens !== null && totalTokens > partTokens ? totalTokens - partTokens : null;
}

function reasoningTokensOf({
  completion_tokens_details: chats,
  output_tokens_details: own,
}: JsonObject): number {
  const tokens = countOf(jsonField(chats ?? own, 'reasoning_tokens')) ?? 0;
  return tokens <= BELIEVED_TOKENS_MAX ? tokens : 0;
}

function cacheFieldsOf(fields: JsonObject): Partial<TokenUse> {
  return { cachedTokens: cachedTokensOf(fields), cacheWriteTokens: cacheWriteTokensOf(fields) };
}

/** DeepSeek and Moonshot have their own names for OpenAI's details. */
function cachedTokensOf(fields: JsonObject): number {
  const details = fields.prompt_tokens_details ?? fields.input_tokens_details;
  const reported =
    jsonField(details, 'cached_tokens') ?? fields.prompt_cache_hit_tokens ?? fields.cached_tokens;
  return countOf(reported) ?? 0;
}

function cacheWriteTokensOf(fields: JsonObject): number {
  const details = fields.prompt_tokens_details ?? fields.input_tokens_details;
  return countOf(jsonField(details, 'cache_write_tokens')) ?? 0;
}

export async function useOf(
  { inputTokens, outputTokens, totalTokens = 0, ...cached }: ReportedUse,
  counted: { inputTokens(): Promise<number> | number; outputTokens(): Promise<number> },
): Promise<TokenUse> {
  const input = inputTokens ?? (await counted.inputTokens());
  return {
    inputTokens: input,
    outputTokens: outputTokens ?? Math.max(await counted.outputTokens(), totalTokens - input),
    // The cached part of an input counted here would be a guess.
    ...(inputTokens !== null && cacheUse(cached, inputTokens)),
  };
}

export function usageOf({ inputTokens, outputTokens }: TokenUse) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

export function responseUsageOf({ inputTokens, outputTokens }: TokenUse): NonNullable<ResponseUsage> {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

const CHAT_NAMES = new Set([
  ...['prompt_tokens', 'completion_tokens', 'total_tokens'],
  ...['prompt_tokens_details', 'completion_tokens_details'],
]);

/** Null where a part is missing. Other fields stay. */
export function asResponseUsage(usage: unknown): ResponseUsage {
  const { inputTokens, outputTokens } = reportedUse(usage);
  if (!isObject(usage) || inputTokens === null || outputTokens === null) {
    return null;
  }
  const others = Object.entries(usage).filter(([name]) => !CHAT_NAMES.has(name));
  const reportedOutput = countOf(usage.completion_tokens) ?? outputTokens;
  return {
    ...Object.fromEntries(others),
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedTokensOf(usage),
      cache_write_tokens: cacheWriteTokensOf(usage),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokensOf(usage) || outputTokens - reportedOutput },
    total_tokens: inputTokens + outputTokens,
  };
}

export function messageUsageOf({ inputTokens, outputTokens }: TokenUse): MessageUsage {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}

/** A message counts cache reads and cache writes apart from other input. */
export function asMessageUsage(usage: unknown): MessageUsage | null {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = reportedUse(usage);
  if (inputTokens === null || outputTokens === null) {
    return null;
  }
  const read = Math.min(cachedTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - read);
  return {
    ...messageUsageOf({ inputTokens: inputTokens - read - written, outputTokens }),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  };
}

/** Sums all input. Null where the message has none. */
export function usageOfMessage(usage: unknown): JsonObject | null {
  const { input_tokens: input, output_tokens: output, ...caches } = isObject(usage) ? usage : {};
  const tokens = countOf(input);
  if (tokens === null) {
    return null;
  }
  const read = countOf(caches.cache_read_input_tokens) ?? 0;
  const written = countOf(caches.cache_creation_input_tokens) ?? 0;
  return {
    prompt_tokens: tokens + read + written,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
  };
}

/** Some servers send both names, and 0 under the one that they do not use. */
function largerOf(chats: unknown, own: unknown): number | null {
  const [one, other] = [countOf(chats), countOf(own)];
  return one === null ? other : Math.max(one, other ?? 0);
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null;
}

/** In UTF-16 units: a longer text is charged the whole reservation. */
const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** A bound on the memory that an upstream can fill with choices beyond those asked for. */
const CHOICES_MAX = 1024;
const PIECES_JOINED_AT = 512;
/** Of base64. Source: OpenAI's guide "Audio": 20 tokens a second, 24,000 samples of two bytes each. */
const SOUND_LENGTH_PER_TOKEN = 3_200;
/** Source: Google's guide "Image generation", gemini-2.5-flash-image; OpenAI's models take 1,056 in medium quality. */
const IMAGE_TOKENS = 1_290;

export class ProducedText {
  /** In UTF-16 units. */
  length = 0;
  private readonly choices = new Map<number, JoinedPieces>();
  private soundLength = 0;
  private images = 0;

  constructor(private readonly choicesAsked = 1) {}

  add(choice: number, text: string): void {
    this.length += text.length;
    if (this.isTooMuch) {
      this.choices.clear();
      return;
    }
    let joined = this.choices.get(choice);
    if (!joined) {
      joined = new JoinedPieces();
      this.choices.set(choice, joined);
      this.length += this.choices.size > Math.max(CHOICES_MAX, this.choicesAsked) ? TEXT_LENGTH_MAX : 0;
    }
    joined.add(text);
  }

  addMedia({ soundLength, images }: MediaByModel): void {
    this.soundLength += soundLength;
    this.images += images;
  }

  /** o200k tokens; Infinity where not all was counted: the caller bounds it by the reservation. Never throws. */
  async tokens(counter: TokenCounter): Promise<number> {
    if (this.isTooMuch) {
      return Infinity;
    }
    const texts = [...this.choices.values()].map((joined) => joined.text());
    const mediaTokens = Math.ceil(this.soundLength / SOUND_LENGTH_PER_TOKEN) + this.images * IMAGE_TOKENS;
    return (await counter.withFallback().countAll(texts)) + mediaTokens;
  }

  get isEmpty(): boolean {
    return this.length + this.soundLength + this.images === 0;
  }

  private get isTooMuch(): boolean {
    return this.length > TEXT_LENGTH_MAX;
  }
}

/** Many small strings take many times their memory, and appending each piece to one string copies it every time. */
class JoinedPieces {
  private readonly blocks: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    this.pieces.push(piece);
    if (this.pieces.length === PIECES_JOINED_AT) {
      this.blocks.push(this.pieces.join(''));
      this.pieces = [];
    }
  }

  text(): string {
    return this.blocks.join('') + this.pieces.join('');
  }
}

type Reserved = Pick<Meter, 'inputTokens' | 'outputTokensMax'>;

const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code', 'transcript'];

/** Reported numbers may be absurd: the meter decides what it believes. */
export async function useOfAnswer(
  response: object,
  reserved: Reserved,
  counter: TokenCounter,
): Promise<TokenUse> {
  return useOf(reportedUseOf(response as JsonObject), {
    inputTokens: () => reserved.inputTokens,
    outputTokens: async () =>
      Math.min(await producedText(response as JsonObject).tokens(counter), reserved.outputTokensMax),
  });
}

/** Embeddings have no output: their total is their input, whether or not a server says so. */
function reportedUseOf(response: JsonObject): ReportedUse {
  const { usage, data } = response;
  const reported = reportedUse(isMessage(response) ? usageOfMessage(usage) : usage);
  if (!Array.isArray(data)) {
    return reported;
  }
  const { inputTokens, outputTokens, totalTokens = null, ...cached } = reported;
  const read = inputTokens === null ? totalTokens : inputTokens + (outputTokens ?? 0);
  return { ...cached, inputTokens: read, outputTokens: 0 };
}

/** Unchanged to the byte where the upstream's usage is complete. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage, choices, output } = response as JsonObject;
  const { inputTokens, outputTokens } = reportedUse(usage);
  const hasOutput = Array.isArray(choices) || Array.isArray(output);
  const isComplete = inputTokens !== null && (outputTokens !== null || !hasOutput);
  return isComplete ? text : withMember(text, 'usage', JSON.stringify(ownUsage(response as JsonObject, use)));
}

function ownUsage(response: JsonObject, use: TokenUse): object {
  const { choices, output, data } = response;
  if (isMessage(response)) {
    return messageUsageOf(use);
  }
  if (!Array.isArray(choices) && Array.isArray(output)) {
    return responseUsageOf(use);
  }
  const usage = usageOf(use);
  const { prompt_tokens, total_tokens } = usage;
  return Array.isArray(data) ? { prompt_tokens, total_tokens } : usage;
}

function producedText(response: JsonObject): ProducedText {
  const { choices, output } = response;
  const chosen = objectsOf(choices);
  const produced = new ProducedText(chosen.length);
  if (isMessage(response)) {
    producedByBlocks(response.content).forEach((text) => produced.add(0, text));
  }
  chosen.forEach((choice, index) => {
    const own = typeof choice.text === 'string' ? [choice.text] : [];
    [...own, ...producedByMessage(choice.message)].forEach((text) => produced.add(index, text));
    produced.addMedia(mediaByModel(choice.message));
  });
  if (!Array.isArray(choices) && Array.isArray(output)) {
    textsOfOutput(output).forEach((text) => produced.add(0, text));
    output
      .flatMap((item) => objectsOf(jsonField(item, 'content')))
      .forEach((audio) => produced.addMedia(mediaByModel({ audio })));
  }
  return produced;
}

function textsOfOutput(output: readonly unknown[]): string[] {
  return output
    .flatMap((item) => [item, jsonField(item, 'content'), jsonField(item, 'summary')].flat())
    .flatMap((holder) => PRODUCED.map((name) => jsonField(holder, name)))
    .filter((text) => typeof text === 'string');
}

/** Input counts from when it was sent or reading began, output as far as its bytes have come. */
export class AnswerSoFar implements CallProgress, WatchedWork {
  private isTaken = false;
  private pieces: Uint8Array[] = [];
  private soFar: () => string = () => this.textReceived();

  constructor(
    private readonly counter: TokenCounter,
    private readonly reserved: () => Promise<Reserved> | Reserved,
  ) {}

  taken(): void {
    this.dropped();
    this.isTaken = true;
  }

  received(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  joined(soFar: () => string): void {
    this.soFar = soFar;
  }

  dropped(): void {
    this.isTaken = false;
    this.pieces = [];
    this.soFar = () => this.textReceived();
  }

  useSoFar(): Promise<TokenUse> | null {
    return this.isTaken ? this.useOf(this.soFar) : null;
  }

  private textReceived(): string {
    // `stream` leaves out an incomplete last character.
    return new TextDecoder().decode(Buffer.concat(this.pieces), { stream: true });
  }

  private async useOf(soFar: () => string): Promise<TokenUse> {
    try {
      const answer = partialJson(soFar());
      if (isObject(answer)) {
        return await useOfAnswer(answer, await this.reserved(), this.counter);
      }
    } catch (error) {
      // JSON.stringify throws for JSON nested too deeply, whose texts nobody can count.
      if (!(error instanceof RangeError)) {
        throw error;
      }
    }
    return { inputTokens: (await this.reserved()).inputTokens, outputTokens: 0 };
  }
}

/** Of all answers only a message names its own type. */
function isMessage(answer: object): answer is JsonObject {
  return (answer as JsonObject).type === 'message';
}
