import { UpstreamBrokeOff } from '../../core/errors/upstream-errors';
import type { ModelStream } from '../../core/models/model-provider';
import { saidText, thoughtText } from '../../core/models/said-text';
import { reportedUse } from '../../core/models/streams/reported-use';
import type { StepAnswer } from './agent-steps';

type Members = Record<string, unknown>;

const END = '[DONE]';
const TOOL_CALLS_MAX = 128;

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

  constructor(private readonly stream: ModelStream) {}

  /** The pieces of the model's text. Throws UpstreamBrokeOff, and what the stream throws. */
  async *pieces(): AsyncGenerator<string> {
    for await (const { data } of this.stream.events) {
      if (data.trim() === END) return;
      if (data !== '') yield* this.read(this.parse(data));
    }
    if (this.finishReason === null) {
      throw this.brokeOff('ended');
    }
  }

  /** Null members where the provider said nothing. */
  get use(): { inputTokens: number | null; outputTokens: number | null } {
    return reportedUse(this.usage);
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

  private *read(chunk: Members): Generator<string> {
    if (isMembers(chunk.usage)) this.usage = chunk.usage;
    const choice = Array.isArray(chunk.choices) ? (chunk.choices[0] as unknown) : undefined;
    if (!isMembers(choice)) return;
    if (typeof choice.finish_reason === 'string') this.finishReason = choice.finish_reason;
    if (!isMembers(choice.delta)) return;
    const { content, refusal, tool_calls: calls } = choice.delta;
    for (const text of [saidText(content), refusal]) {
      if (typeof text !== 'string' || text === '') continue;
      this.texts.push(text);
      this.produced.push(text);
      yield text;
    }
    this.produced.push(thoughtText(choice.delta));
    for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) {
      if (isMembers(call)) this.addToolCall(call);
    }
  }

  /**
   * The first piece of a call brings its id and name, the others go on with the arguments. Some providers count every call
   * as the first one, but name each.
   */
  private addToolCall({ index, ...piece }: Members): void {
    const place = typeof index === 'number' ? index : 0;
    const open = this.openCalls.get(place);
    const isNew = !open || Boolean(piece.id && open.id && piece.id !== open.id);
    if (isNew && this.toolCalls.length >= TOOL_CALLS_MAX) return;
    const called = isMembers(piece.function) ? piece.function : {};
    const text = typeof called.arguments === 'string' ? called.arguments : '';
    this.produced.push(text, typeof called.name === 'string' ? called.name : '');
    if (!isNew) {
      const begun = open.function as Members;
      begun.arguments = `${begun.arguments as string}${text}`;
      return;
    }
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
