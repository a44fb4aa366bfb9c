import { jsonField, type JsonObject } from '../../runtime/json';
import { UpstreamBrokeOff } from '../errors';
import { saidByModel } from '../message-text';
import { functionArguments, type NewId } from '../responses/response';
import { ownEvent, type ReadChoice, readChunk, type ServerSentEvent } from '../sse';
import { CallOrder } from '../stream-chunks';
import { asMessageUsage } from '../usage';
import type { MessageBlock, MessageRequest, MessageUsage } from './message-object';
import { stopsOf } from './request-to-chat';

type BlockType = 'text' | 'thinking' | 'tool_use';

const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};
/** Where vLLM and SGLang tell which stop sequence ended a choice; others do not. */
const MATCHED = ['stop_reason', 'matched_stop'];

export class MessageEvents {
  private pending: ServerSentEvent[] = [];
  private isBegun = false;
  private blocks = 0;
  private open: BlockType | null = null;
  private readonly calls = new CallOrder();
  private finishReason: string | null = null;
  private stopSequence: string | null = null;
  private hasCalls = false;
  private usage: MessageUsage | null = null;

  constructor(
    private readonly request: MessageRequest,
    private readonly stream: { readonly model: string; readonly provider: string },
    private readonly newId: NewId,
  ) {}

  get isFinished(): boolean {
    return this.finishReason !== null;
  }

  /** Only the first choice is read. @throws UpstreamBrokeOff for a chunk that adds to a call which has ended */
  take(chunk: JsonObject): ServerSentEvent[] {
    this.begin(chunk.model);
    const { usage, choices } = readChunk(chunk);
    this.usage = asMessageUsage(usage) ?? this.usage;
    const choice = choices.find(({ index }) => index === 0);
    if (choice) {
      this.takeDelta(choice.json.delta);
      this.takeEnd(choice);
    }
    return this.emitted();
  }

  fail(error: unknown): ServerSentEvent[] {
    const message = jsonField(error, 'message') ?? error;
    const text = typeof message === 'string' ? message : 'The model broke off its answer.';
    this.emit('error', { error: { type: 'api_error', message: text } });
    return this.emitted();
  }

  end(): ServerSentEvent[] {
    this.begin(undefined);
    this.endBlock();
    const delta = { stop_reason: this.stopReason(), stop_sequence: this.stopSequence };
    this.emit('message_delta', { delta, usage: this.usage });
    this.emit('message_stop', {});
    return this.emitted();
  }

  private begin(model: unknown): void {
    if (this.isBegun) {
      return;
    }
    this.isBegun = true;
    const message = {
      id: `msg_${this.newId()}`,
      type: 'message',
      role: 'assistant',
      model: typeof model === 'string' && model !== '' ? model : this.stream.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // A chat tells its use at the end, so that the real numbers stand in `message_delta`.
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    this.emit('message_start', { message });
  }

  private takeDelta(delta: unknown): void {
    const { text, refusal, thought, calls } = saidByModel(delta);
    if (thought) {
      this.beginBlock('thinking', { thinking: '', signature: '' });
      this.add({ type: 'thinking_delta', thinking: thought });
    }
    for (const said of [text, refusal].filter(Boolean)) {
      this.beginBlock('text', { text: '' });
      this.add({ type: 'text_delta', text: said });
    }
    calls.forEach((call) => this.takeCall(call));
  }

  private takeCall(call: JsonObject): void {
    const place = this.calls.placeOf(call, this.open === 'tool_use');
    if (place === 'ended') {
      throw new UpstreamBrokeOff(502, this.stream.provider, 'went back to a function call that had ended');
    }
    if (place === 'new') {
      const name = jsonField(call.function, 'name');
      const id = typeof call.id === 'string' && call.id !== '' ? call.id : `toolu_${this.newId()}`;
      this.endBlock();
      this.beginBlock('tool_use', { id, name: typeof name === 'string' ? name : '', input: {} });
      this.hasCalls = true;
    }
    const piece = functionArguments(call);
    if (piece !== '') {
      this.add({ type: 'input_json_delta', partial_json: piece });
    }
  }

  private takeEnd({ finishReason, json }: ReadChoice): void {
    this.finishReason = finishReason ?? this.finishReason;
    const matched = MATCHED.map((name) => json[name]).find((value) => typeof value === 'string');
    if (typeof matched === 'string' && stopsOf(this.request).includes(matched)) {
      this.stopSequence = matched;
    }
  }

  /** Some servers say `stop` of an answer that ends with calls. */
  private stopReason(): string {
    if (this.stopSequence !== null) {
      return 'stop_sequence';
    }
    const named = STOP_REASONS[this.finishReason ?? ''] ?? 'end_turn';
    return named === 'end_turn' && this.hasCalls ? 'tool_use' : named;
  }

  private beginBlock(type: BlockType, fields: Omit<MessageBlock, 'type'>): void {
    if (this.open === type) {
      return;
    }
    this.endBlock();
    this.open = type;
    this.emit('content_block_start', { index: this.blocks, content_block: { type, ...fields } });
  }

  private add(delta: JsonObject): void {
    this.emit('content_block_delta', { index: this.blocks, delta });
  }

  private endBlock(): void {
    if (this.open === null) {
      return;
    }
    if (this.open === 'thinking') {
      // Clients expect that every thought is signed in the end, and hand it back with the next turn.
      this.add({ type: 'signature_delta', signature: '' });
    }
    this.open = null;
    this.emit('content_block_stop', { index: this.blocks++ });
  }

  private emit(type: string, fields: JsonObject): void {
    this.pending.push(ownEvent(JSON.stringify({ type, ...fields }), type));
  }

  private emitted(): ServerSentEvent[] {
    const events = this.pending;
    this.pending = [];
    return events;
  }
}
