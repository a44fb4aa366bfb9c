import { UpstreamBrokeOff } from '../models/upstream/upstream-errors';
import type { ModelStream } from '../models/model-provider';
import { saidText, thoughtText } from '../models/said-text';
import { reportedUse } from '../models/streams/reported-use';
import type { StepAnswer } from './agent-steps';

type Members = Record<string, unknown>;

const END = '[DONE]';
const TOOL_CALLS_MAX = 128;
/** More than the largest max_tokens of the longest tokens: who sends more must not fill this process's memory. */
const LENGTH_MAX = 4 * 1024 * 1024;

/** Reads one step of a run from a model's stream: what it says at once, what it asks of tools when it is complete. */
export class StreamedStep {
  /** Everything that the model has produced so far, for the case that its provider does not say how much it was. */
  readonly produced: string[] = [];
  private readonly texts: string[] = [];
  private readonly toolCalls: Members[] = [];
  /** The call that each index stands for at present. */
  private readonly openCalls = new Map<number, Members>();
  private finishReason: string | null = null;
  private usage: unknown;
  private usageIsFinal = false;
  /** Of all that is held, in UTF-16 units. */
  private length = 0;

  constructor(private readonly stream: ModelStream) {}

  /** The pieces of the model's text. Throws UpstreamBrokeOff, and what the stream throws. */
  async *pieces(): AsyncGenerator<string> {
    for await (const { data } of this.stream.events) {
      if (data.trim() === END) {
        this.usageIsFinal = true;
        return;
      }
      if (data !== '') yield* this.read(this.parse(data), data.length);
    }
    if (this.finishReason === null) {
      throw this.brokeOff('ended');
    }
    this.usageIsFinal = true;
  }

  /** Null members where the provider said nothing of the whole step. */
  get use(): { inputTokens: number | null; outputTokens: number | null } {
    return reportedUse(this.usageIsFinal ? this.usage : undefined);
  }

  /** Asked when `pieces` is at its end. */
  answer(use: StepAnswer['use']): StepAnswer {
    const calls = this.toolCalls;
    const content = this.texts.length > 0 ? this.texts.join('') : null;
    return {
      model: this.stream.model,
      finishReason: this.finishReason,
      message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
      use,
    };
  }

  private *read(chunk: Members, length: number): Generator<string> {
    const choice = Array.isArray(chunk.choices) ? (chunk.choices[0] as unknown) : undefined;
    if (isMembers(choice) && typeof choice.finish_reason === 'string')
      this.finishReason = choice.finish_reason;
    if (isMembers(chunk.usage)) {
      this.usage = chunk.usage;
      this.usageIsFinal = this.finishReason !== null;
    }
    if (!isMembers(choice) || !isMembers(choice.delta)) return;
    const { content, refusal, tool_calls: calls } = choice.delta;
    for (const text of [saidText(content), refusal]) {
      if (typeof text !== 'string' || text === '') continue;
      this.hold(text);
      this.texts.push(text);
      yield text;
    }
    this.hold(thoughtText(choice.delta));
    for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) {
      if (isMembers(call)) this.addToolCall(call, length);
    }
  }

  private hold(text: string): void {
    this.grow(text.length);
    this.produced.push(text);
  }

  private grow(length: number): void {
    this.length += length;
    if (this.length > LENGTH_MAX) {
      throw this.brokeOff('sent more than it was asked for');
    }
  }

  /**
   * The first piece of a call brings its id and name, the others go on with the arguments. Some providers count every call
   * as the first one, but name each.
   * @param length of the chunk that the piece stands in
   */
  private addToolCall({ index, ...piece }: Members, length: number): void {
    const place = typeof index === 'number' ? index : 0;
    const open = this.openCalls.get(place);
    const isNew = !open || Boolean(piece.id && open.id && piece.id !== open.id);
    if (isNew && this.toolCalls.length >= TOOL_CALLS_MAX) return;
    const called = isMembers(piece.function) ? piece.function : {};
    const text = typeof called.arguments === 'string' ? called.arguments : '';
    this.hold(text);
    if (typeof called.name === 'string') this.hold(called.name);
    if (!isNew) {
      const begun = open.function as Members;
      begun.arguments = `${begun.arguments as string}${text}`;
      return;
    }
    this.grow(length);
    const call = { type: 'function', ...piece, function: { ...called, arguments: text } };
    this.openCalls.set(place, call);
    this.toolCalls.push(call);
  }

  private parse(data: string): Members {
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch (cause) {
      throw this.brokeOff('sent what is no JSON', cause);
    }
    if (!isMembers(chunk)) throw this.brokeOff('sent what is no chunk');
    return chunk;
  }

  private brokeOff(what: string, cause?: unknown): UpstreamBrokeOff {
    return new UpstreamBrokeOff(502, this.stream.engine.provider, what, cause);
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
