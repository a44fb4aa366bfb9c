import type { ApiError } from '../errors/api-errors';
import { formatUsd, type Meter, type TokenUse } from '../ledger/money';
import { isObject, type JsonObject } from '../runtime/json';
import type { TokenCounter } from '../text/token-counter';
import { UpstreamBrokeOff } from './errors';
import { saidByModel } from './message-text';
import type { ChatMessage, ModelStream } from './model-provider';
import { memberInEvent, type ReadChunk, type ServerSentEvent } from './sse';
import { StreamedUse } from './stream-chunks';
import type { StreamDialect, StreamOrigin, StreamReading, UnstreamedAnswer } from './stream-dialects';
import { costComment, failureEvent, type FinalUsage, StreamedAnswer } from './streamed-answer';
import { ProducedText, type ReportedUse, useOf } from './usage';

const TOOL_CALLS_MAX = 128;
/** In UTF-16 units, more than any max_tokens allows: a bound on the memory that an upstream can fill. */
const LENGTH_MAX = 4 * 1024 * 1024;

interface GrowingCall {
  readonly [member: string]: unknown;
  readonly function: { arguments: string; readonly [member: string]: unknown };
}

export class StreamedMessage {
  readonly produced = new ProducedText();
  private readonly use = new StreamedUse();
  private readonly texts: string[] = [];
  private readonly toolCalls: GrowingCall[] = [];
  private readonly openCalls = new Map<number, GrowingCall>();
  private finishReason: string | null = null;
  private length = 0;

  constructor(private readonly stream: ModelStream) {}

  async *pieces(): AsyncGenerator<string> {
    for await (const event of this.stream.events) {
      switch (event.content.kind) {
        case 'comment':
          break;
        case 'done':
          this.use.end();
          return;
        case 'garbage':
          throw this.brokeOff('sent what is no JSON');
        case 'error':
        case 'chunk':
          yield* this.read(event.chunk, event.data.length);
      }
    }
    if (this.finishReason === null) {
      throw this.brokeOff('ended');
    }
    this.use.end();
  }

  get reported(): ReportedUse {
    return this.use.reported;
  }

  answer(): { model: string; finishReason: string | null; message: ChatMessage } {
    const calls = this.toolCalls;
    const content = this.texts.length > 0 ? this.texts.join('') : null;
    return {
      model: this.stream.model,
      finishReason: this.finishReason,
      message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
    };
  }

  private *read(chunk: ReadChunk, length: number): Generator<string> {
    const [choice] = chunk.choices;
    this.finishReason = choice?.finishReason ?? this.finishReason;
    this.use.note({ ...chunk, choices: choice ? [choice] : [] });
    const { text, refusal, thought, calls } = saidByModel(choice?.json.delta);
    for (const piece of [text, refusal]) {
      if (piece !== '') {
        this.hold(piece);
        this.texts.push(piece);
        yield piece;
      }
    }
    this.hold(thought);
    calls.forEach((call) => this.addToolCall(call, length));
  }

  private hold(text: string): void {
    this.grow(text.length);
    this.produced.add(0, text);
  }

  private grow(length: number): void {
    this.length += length;
    if (this.length > LENGTH_MAX) {
      throw this.brokeOff('sent more than it was asked for');
    }
  }

  /** Some providers give every call the same index, so another id begins a new call too. */
  private addToolCall({ index, ...piece }: JsonObject, length: number): void {
    const place = typeof index === 'number' ? index : 0;
    const open = this.openCalls.get(place);
    const isNew = !open || Boolean(piece.id && open.id && piece.id !== open.id);
    if (isNew && this.toolCalls.length >= TOOL_CALLS_MAX) {
      return;
    }
    const called = isObject(piece.function) ? piece.function : {};
    const text = typeof called.arguments === 'string' ? called.arguments : '';
    this.hold(text);
    if (typeof called.name === 'string') {
      this.hold(called.name);
    }
    if (!isNew) {
      open.function.arguments += text;
      return;
    }
    this.grow(length);
    const call = { type: 'function', ...piece, function: { ...called, arguments: text } };
    this.openCalls.set(place, call);
    this.toolCalls.push(call);
  }

  private brokeOff(what: string): UpstreamBrokeOff {
    return new UpstreamBrokeOff(502, this.stream.engine.provider, what);
  }
}

/** In UTF-16 units, twice the usual length, so that a stream's tokens are rarely counted before its end. */
const LENGTH_PER_TOKEN = 8;
/** A model's own tokens may be shorter than those counted here. */
const TOKENS_BEYOND_CAP = 2;
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** Comments after the last usage wait with it; a bound on the memory that an upstream can fill. */
const HELD_BYTES_MAX = 1024 * 1024;
const LINE_FEED = 0x0a;
const BLANK_LINE = Buffer.from('\n\n');
const NO_ORIGIN: StreamOrigin = { id: '', created: 0, model: '' };

export interface StreamedCompletionOptions {
  readonly stream: ModelStream;
  readonly dialect: StreamDialect;
  readonly counter: TokenCounter;
  readonly wantsUsage: boolean;
  readonly reserved: Pick<Meter, 'inputTokens' | 'outputTokensMax'>;
  readonly choices: number;
  /** The client set no cap, and so may have more than is reserved. */
  readonly isOutputOpen?: boolean;
  /** Bounds a reported use to what is charged, so that usage written by this service matches the charge. */
  readonly held?: (use: TokenUse) => TokenUse;
  readonly isKept: boolean;
}

/** Requested usage waits until the settlement, because the cost is added to it. */
export class StreamedCompletion extends StreamedAnswer {
  private readonly produced: ProducedText;
  private readonly reported: StreamedUse;
  private readonly kept: UnstreamedAnswer | null;
  private keptBytes = 0;
  private origin = NO_ORIGIN;
  private end: ServerSentEvent | null = null;
  private isComplete = false;
  private held: { event: ServerSentEvent; followers: Uint8Array[] } | null = null;
  private heldBytes = 0;
  private used: TokenUse = { inputTokens: 0, outputTokens: 0 };
  private begun: boolean;
  private countedAtLength: number;

  constructor(private readonly options: StreamedCompletionOptions) {
    super();
    const { isOutputOpen = false, reserved } = options;
    const isUnbounded = isOutputOpen || reserved.outputTokensMax === 0;
    this.countedAtLength = isUnbounded ? Infinity : LENGTH_PER_TOKEN * reserved.outputTokensMax;
    this.begun = options.stream.isAwaited !== true;
    this.produced = new ProducedText(options.choices);
    this.reported = new StreamedUse(options.choices);
    this.kept = options.isKept ? options.dialect.unstreamed() : null;
  }

  override get hasBegun(): boolean {
    return this.begun;
  }

  override async *events(): AsyncGenerator<Uint8Array> {
    for await (const event of this.options.stream.events) {
      if (event.content.kind === 'comment') {
        for (const bytes of this.pass(event)) {
          yield bytes;
        }
        continue;
      }
      this.begun = true;
      const reading = this.read(event);
      if (this.produced.length > this.countedAtLength && !this.reported.allFinished) {
        await this.refuseExcess();
      }
      if (reading.isEnd) {
        this.end = event;
        this.complete();
        return;
      }
      for (const bytes of this.lead(event, reading)) {
        yield bytes;
      }
    }
    if (this.options.dialect.end === null || !this.reported.allFinished) {
      throw this.brokeOff('ended');
    }
    this.complete();
  }

  /** An answer that broke off before any output counts no output, whatever its upstream reports. */
  override async use(): Promise<TokenUse> {
    const { reserved, counter, held } = this.options;
    const { reported } = this.reported;
    const isNothing = !this.isComplete && this.produced.isEmpty;
    const use = await useOf(isNothing ? { ...reported, outputTokens: 0 } : reported, {
      inputTokens: () => reserved.inputTokens,
      outputTokens: async () => Math.min(await this.produced.tokens(counter), reserved.outputTokensMax),
    });
    this.used = held?.(use) ?? use;
    return this.used;
  }

  override ending(numbers: FinalUsage): Uint8Array {
    const { dialect } = this.options;
    const end = this.end && (this.withCost(this.end, numbers) ?? completed(this.end));
    const parts = [
      ...(this.options.wantsUsage ? this.lastUsage(numbers) : []),
      Buffer.from(costComment(numbers)),
      end ?? Buffer.from(dialect.end ?? ''),
    ];
    return Buffer.concat(parts);
  }

  override failure(error: ApiError, requestId: string, numbers: FinalUsage | null): Uint8Array {
    const parts = this.releaseHeld();
    if (numbers) {
      parts.push(Buffer.from(costComment(numbers)));
    }
    const byUpstream = error instanceof UpstreamBrokeOff && error.reportedByUpstream;
    const spent = numbers && { use: this.used, costUsd: formatUsd(numbers.chargedNanoUsd) };
    const last = this.options.dialect.failureEvent(
      { body: failureEvent(error, requestId), byUpstream },
      spent,
    );
    if (last !== null) {
      parts.push(Buffer.from(last));
    }
    return Buffer.concat(parts);
  }

  override unstreamed(): string | null {
    try {
      return this.kept && this.keptBytes <= KEPT_BYTES_MAX ? this.kept.json(this.used) : null;
    } catch (error) {
      // JSON.stringify throws for JSON nested too deeply, which JSON.parse reads all the same.
      if (error instanceof RangeError) {
        return null;
      }
      throw error;
    }
  }

  /** Some servers ignore the cap, and nobody pays for what they make beyond it. */
  private async refuseExcess(): Promise<void> {
    const { counter, reserved } = this.options;
    if ((await this.produced.tokens(counter)) > TOKENS_BEYOND_CAP * reserved.outputTokensMax) {
      throw this.brokeOff('sent more than it was asked for');
    }
    this.countedAtLength = 2 * this.produced.length;
  }

  private complete(): void {
    this.isComplete = true;
    this.reported.end();
  }

  private read(event: ServerSentEvent): StreamReading {
    const reading = this.readingOf(event);
    const { json, texts, media = [] } = reading;
    for (const { choice, text } of texts) {
      this.produced.add(choice, text);
    }
    media.forEach((one) => this.produced.addMedia(one));
    this.reported.note(reading);
    if (json && this.origin === NO_ORIGIN) {
      this.origin = { id: json.id, created: json.created, model: json.model };
    }
    this.keptBytes += event.bytes.length;
    if (json && this.keptBytes <= KEPT_BYTES_MAX) {
      this.kept?.add(json);
    }
    return reading;
  }

  private readingOf(event: ServerSentEvent): StreamReading {
    try {
      return this.options.dialect.read(event);
    } catch (cause) {
      throw this.brokeOff('sent what is no JSON', cause);
    }
  }

  private lead(event: ServerSentEvent, reading: StreamReading): Uint8Array[] {
    if (reading.isUsageAlone && !this.options.wantsUsage) {
      return [];
    }
    const led = this.releaseHeld();
    // Some upstreams report usage in the chunk that ends the last choice, some in a later chunk of that choice.
    const endsChoice = reading.choices.some(({ finishReason }) => finishReason !== null);
    const mayBeLast = reading.isUsageAlone || endsChoice || this.reported.allFinished;
    if (this.options.wantsUsage && reading.usage !== undefined && mayBeLast) {
      this.held = { event, followers: [] };
      this.heldBytes = 0;
    } else {
      led.push(completed(event));
    }
    return led;
  }

  private pass({ bytes }: ServerSentEvent): Uint8Array[] {
    const isTooMuch = this.held !== null && this.heldBytes + bytes.length > HELD_BYTES_MAX;
    const released = isTooMuch ? this.releaseHeld() : [];
    if (this.held) {
      this.held.followers.push(bytes);
      this.heldBytes += bytes.length;
      return released;
    }
    return [...released, bytes];
  }

  private releaseHeld(): Uint8Array[] {
    const { held } = this;
    this.held = null;
    return held ? [completed(held.event), ...held.followers] : [];
  }

  private lastUsage(numbers: FinalUsage): Uint8Array[] {
    const withCost = this.held && this.withCost(this.held.event, numbers);
    if (this.held && withCost) {
      return [withCost, ...this.held.followers];
    }
    const isInEnd = this.end !== null && this.withCost(this.end, numbers) !== null;
    const own = isInEnd
      ? null
      : this.options.dialect.usageEvent?.(this.origin, this.used, formatUsd(numbers.chargedNanoUsd));
    return [...this.releaseHeld(), ...(own ? [Buffer.from(own)] : [])];
  }

  private withCost(event: ServerSentEvent, { chargedNanoUsd }: FinalUsage): Uint8Array | null {
    const { dialect } = this.options;
    const costUsd = formatUsd(chargedNanoUsd);
    const bytes =
      memberInEvent(event, dialect.usagePath, 'cost', costUsd) ??
      dialect.usageInEnd?.(event, this.used, costUsd);
    return bytes ? completed({ bytes }) : null;
  }

  private brokeOff(what: string, cause?: unknown): UpstreamBrokeOff {
    return new UpstreamBrokeOff(502, this.options.stream.engine.provider, what, cause);
  }
}

function completed({ bytes }: Pick<ServerSentEvent, 'bytes'>): Uint8Array {
  if (bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED) {
    return bytes;
  }
  const tail = Buffer.from(bytes.subarray(-4)).toString('latin1');
  return /(?:\n|\r)(?:\r\n|\n|\r)$/.test(tail) && !/[^\r\n]\r\n$/.test(tail)
    ? bytes
    : Buffer.concat([bytes, BLANK_LINE]);
}
