import type { Meter, TokenUse, WatchedWork } from '../ledger/money';
import { isObject, jsonField, type JsonObject, objectsOf, partialJson, withMember } from '../runtime/json';
import type { TokenCounter } from '../text/token-counter';
import { mediaByModel, type MediaByModel, producedByMessage } from './message-text';
import type { CallProgress } from './model-provider';
import type { ResponseUsage } from './responses/response-object';

/** Null where none was reported. */
export interface ReportedUse {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Under the names of chats or of responses. The numbers may be absurd: whoever charges for them has to bound them. */
export function reportedUse(usage: unknown): ReportedUse {
  const fields = isObject(usage) ? usage : {};
  return {
    inputTokens: numberOf(fields.prompt_tokens ?? fields.input_tokens),
    outputTokens: numberOf(fields.completion_tokens ?? fields.output_tokens),
  };
}

/** The reported tokens, and a count of those that were not reported. */
export async function useOf(
  reported: ReportedUse,
  counted: { inputTokens(): Promise<number> | number; outputTokens(): Promise<number> },
): Promise<TokenUse> {
  return {
    inputTokens: reported.inputTokens ?? (await counted.inputTokens()),
    outputTokens: reported.outputTokens ?? (await counted.outputTokens()),
  };
}

/** The tokens of an answer by OpenAI's names, for one whose upstream sent no usage. */
export function usageOf({ inputTokens, outputTokens }: TokenUse) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

export function responseUsageOf({ inputTokens, outputTokens }: TokenUse): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** A chat's usage under the names of a response's. Other fields stay. */
export function asResponseUsage(usage: unknown): ResponseUsage | null {
  if (!isObject(usage)) {
    return null;
  }
  const { prompt_tokens, completion_tokens, total_tokens, ...rest } = usage;
  const { prompt_tokens_details: input, completion_tokens_details: output, ...others } = rest;
  const [inputTokens, outputTokens] = [numberOf(prompt_tokens) ?? 0, numberOf(completion_tokens) ?? 0];
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: numberOf(jsonField(input, 'cached_tokens')) ?? 0,
      cache_write_tokens: numberOf(jsonField(input, 'cache_write_tokens')) ?? 0,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: numberOf(jsonField(output, 'reasoning_tokens')) ?? 0 },
    total_tokens: numberOf(total_tokens) ?? inputTokens + outputTokens,
    ...others,
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** In UTF-16 units: of a longer text the whole reservation is charged. */
const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** An upstream that sends more, and more than were asked for, must not fill the memory. */
const CHOICES_MAX = 1024;
const PIECES_JOINED_AT = 512;
/**
 * Characters of base64. Source: OpenAI's guide "Audio": a second of output is 20 tokens, and streams are of 24,000 samples of two
 * bytes each a second.
 */
const SOUND_LENGTH_PER_TOKEN = 3_200;
/** Source: Google's guide "Image generation", gemini-2.5-flash-image; OpenAI's models take 1,056 in medium quality. */
const IMAGE_TOKENS = 1_290;

/** What a model has produced so far, by choice, counted where the upstream does not report its tokens. */
export class ProducedText {
  private readonly choices = new Map<number, JoinedPieces>();
  private length = 0;
  private soundLength = 0;
  private images = 0;

  /** @param choicesAsked with more than these and than 1,024 nothing is counted */
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

  /** o200k tokens; Infinity for more than is counted: the caller bounds it by what was reserved. Never throws. */
  async tokens(counter: TokenCounter): Promise<number> {
    if (this.isTooMuch) {
      return Infinity;
    }
    const texts = [...this.choices.values()].map((joined) => joined.text());
    const mediaTokens = Math.ceil(this.soundLength / SOUND_LENGTH_PER_TOKEN) + this.images * IMAGE_TOKENS;
    return (await counter.patient().countAll(texts)) + mediaTokens;
  }

  private get isTooMuch(): boolean {
    return this.length > TEXT_LENGTH_MAX;
  }
}

/**
 * Joins pieces in blocks: many small strings take many times the memory of their text, and to append every piece to one string
 * would copy all of it each time.
 */
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

const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code', 'transcript'];

/**
 * The tokens of a whole answer of any of the APIs. Where its upstream reported none, the input is that of the reservation, and
 * the output is counted and bounded by it. Reported numbers may be absurd: the meter decides what it believes.
 */
export async function useOfAnswer(
  response: object,
  reserved: Pick<Meter, 'inputTokens' | 'outputTokensMax'>,
  counter: TokenCounter,
): Promise<TokenUse> {
  const { usage } = response as JsonObject;
  return useOf(reportedUse(usage), {
    inputTokens: () => reserved.inputTokens,
    outputTokens: async () =>
      Math.min(await producedText(response as JsonObject).tokens(counter), reserved.outputTokensMax),
  });
}

/** Unchanged to the byte where the upstream sent usage. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage } = response as JsonObject;
  const isThere = isObject(usage) && reportedUse(usage).inputTokens !== null;
  return isThere ? text : withMember(text, 'usage', JSON.stringify(ownUsage(response as JsonObject, use)));
}

function ownUsage({ object, choices, output }: JsonObject, use: TokenUse): object {
  if (!Array.isArray(choices) && Array.isArray(output)) {
    return responseUsageOf(use);
  }
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(use);
  return object === 'list'
    ? { prompt_tokens, total_tokens }
    : { prompt_tokens, completion_tokens, total_tokens };
}

function producedText({ choices, output }: JsonObject): ProducedText {
  const chosen = objectsOf(choices);
  const produced = new ProducedText(chosen.length);
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

type Reserved = Pick<Meter, 'inputTokens' | 'outputTokensMax'>;

/**
 * What has been done for one request so far: it is told by the provider, and asked when the caller goes away. The input counts
 * from the moment at which the request was sent or the engine began to read it, the output as far as its bytes have come.
 */
export class AnswerSoFar implements CallProgress, WatchedWork {
  private isTaken = false;
  private pieces: Uint8Array[] = [];

  constructor(
    private readonly counter: TokenCounter,
    private readonly reserved: () => Promise<Reserved> | Reserved,
  ) {}

  taken(): void {
    this.isTaken = true;
    this.pieces = [];
  }

  received(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  dropped(): void {
    this.isTaken = false;
    this.pieces = [];
  }

  useSoFar(): Promise<TokenUse> | null {
    return this.isTaken ? this.useOf(this.pieces) : null;
  }

  private async useOf(pieces: readonly Uint8Array[]): Promise<TokenUse> {
    // With `stream` the bytes of a character whose last ones have not come are left out.
    const text = new TextDecoder().decode(Buffer.concat(pieces), { stream: true });
    const answer = partialJson(text);
    const reserved = await this.reserved();
    return isObject(answer)
      ? useOfAnswer(answer, reserved, this.counter)
      : { inputTokens: reserved.inputTokens, outputTokens: 0 };
  }
}
