import { isObject, type JsonObject } from '../../../infrastructure/json/json-object';
import type { ChatMessage } from '../chat-completion';
import type { ModelStream } from '../model-provider';
import { saidByModel } from '../said-by-model';
import { UpstreamBrokeOff } from '../upstream/upstream-errors';
import { ProducedText } from '../use/produced-text';
import type { ReportedUse } from '../use/reported-use';
import { StreamedUse } from '../use/streamed-use';
import { readChunk, type ReadChunk } from './read-chunk';

const TOOL_CALLS_MAX = 128;
/**
 * In UTF-16 units: more than any answer within the largest max_tokens has. An upstream that sends more anyway must not
 * fill this process's memory.
 */
const LENGTH_MAX = 4 * 1024 * 1024;

/** A tool call, put together from the pieces that have come so far. */
interface GrowingCall {
  readonly [member: string]: unknown;
  readonly function: { arguments: string; readonly [member: string]: unknown };
}

/** What a model answered with one message of a chat. */
export interface AnsweredMessage {
  readonly model: string;
  readonly finishReason: string | null;
  readonly message: ChatMessage;
}

/** Reads a message from the stream of a chat: its text piece by piece, and its tool calls once it is complete. */
export class StreamedMessage {
  /** Everything that the model has produced so far. It is counted where the provider does not report the use. */
  readonly produced = new ProducedText();
  private readonly use = new StreamedUse();
  private readonly texts: string[] = [];
  private readonly toolCalls: GrowingCall[] = [];
  /** By the `index` of a piece: the call that the next piece of that index continues. */
  private readonly openCalls = new Map<number, GrowingCall>();
  private finishReason: string | null = null;
  /** The length of everything that this object holds, in UTF-16 units. */
  private length = 0;

  constructor(private readonly stream: ModelStream) {}

  /** The pieces of the model's text. Throws UpstreamBrokeOff, and what the stream throws. */
  async *pieces(): AsyncGenerator<string> {
    for await (const { data, content } of this.stream.events) {
      switch (content.kind) {
        case 'comment':
          break;
        case 'done':
          this.use.end();
          return;
        case 'garbage':
          throw this.brokeOff('sent what is no JSON');
        case 'error':
        case 'chunk':
          yield* this.read(readChunk(content.json), data.length);
      }
    }
    if (this.finishReason === null) {
      throw this.brokeOff('ended');
    }
    this.use.end();
  }

  /** The use that the provider reported for the whole message; a member is null where it reported none. */
  get reported(): ReportedUse {
    return this.use.reported;
  }

  /** The whole answer. It is complete only after `pieces` has ended. */
  answer(): AnsweredMessage {
    const calls = this.toolCalls;
    const content = this.texts.length > 0 ? this.texts.join('') : null;
    return {
      model: this.stream.model,
      finishReason: this.finishReason,
      message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
    };
  }

  /** @param length of the chunk's data, in UTF-16 units */
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

  /**
   * The first piece of a call has its id and name; the later ones continue its arguments. Some providers give every
   * call the same index, so a piece with another id begins a new call too.
   * @param length of the data of the chunk that the piece stands in, in UTF-16 units
   */
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
