import type { MessageBlock, MessageUsage } from '../../../generated/types';
import { messageErrorType } from '../../http/error-forms';
import type { TokenUse } from '../../ledger/money';
import { isObject, jsonField, type JsonObject, objectsOf, partialJson } from '../../runtime/json';
import type { ChatResponse } from '../model-provider';
import { producedByBlocks, saidByModel } from '../message-text';
import { memberInEvent, ownEvent, type ReadChoice, type ServerSentEvent } from '../sse';
import { asChunk, CallOrder, functionArguments, type NewId, TranslatedEvents } from '../stream-chunks';
import { usageWithCost } from '../streamed-answer';
import type { StreamDialect, StreamReading, StreamFailure, UnstreamedAnswer } from '../stream-dialects';
import { asMessageUsage, messageUsageOf, usageOfMessage } from '../usage';
import { type MessageRequest, stopsOf } from './request-to-chat';

export interface MessageObject {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: MessageBlock[];
  stop_reason: string | null;
  stop_sequence: string | null;
  /** Null where the provider did not count. */
  usage: MessageUsage | null;
  [field: string]: unknown;
}

export const MESSAGE_STOP = 'message_stop';

type BlockType = 'text' | 'thinking' | 'tool_use';

const STOP_REASONS = new Map([
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
]);
/** The fields in which vLLM and SGLang name the stop sequence that ended a choice. */
const MATCHED = ['stop_reason', 'matched_stop'];

export class MessageEvents extends TranslatedEvents<MessageRequest> {
  private isBegun = false;
  private blocks = 0;
  private open: BlockType | null = null;
  private readonly calls = new CallOrder();
  private stopSequence: string | null = null;
  private hasCalls = false;
  private usage: MessageUsage | null = null;

  override end(): ServerSentEvent[] {
    this.begin({});
    this.endBlock();
    const delta = { stop_reason: this.stopReason(), stop_sequence: this.stopSequence };
    this.emit('message_delta', { delta, usage: this.usage });
    this.emit(MESSAGE_STOP, {});
    return this.emitted();
  }

  protected override failure(_error: unknown, message: string): JsonObject {
    return { error: { type: 'api_error', message } };
  }

  protected override begin(chunk: JsonObject): void {
    if (this.isBegun) {
      return;
    }
    this.isBegun = true;
    const message = {
      id: `msg_${this.newId()}`,
      type: 'message',
      role: 'assistant',
      model: this.modelOf(chunk),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // A chat reports its use at the end, so `message_delta` has the real numbers.
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    this.emit('message_start', { message });
  }

  protected override takeUsage(usage: unknown): void {
    this.usage = asMessageUsage(usage) ?? this.usage;
  }

  protected override takeChoice({ json }: ReadChoice): void {
    this.takeDelta(json.delta);
    this.takeEnd(json);
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
      throw this.wentBack();
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

  private takeEnd(json: JsonObject): void {
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
    const named = STOP_REASONS.get(this.finishReason ?? '') ?? 'end_turn';
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
      // Clients expect each thought to end signed, and return it with the next turn.
      this.add({ type: 'signature_delta', signature: '' });
    }
    this.open = null;
    this.emit('content_block_stop', { index: this.blocks++ });
  }
}

/** Of the first choice. Ids of calls are kept, because a client sends results under them. */
export function toMessage(chat: ChatResponse, request: MessageRequest, newId: NewId): MessageObject {
  const events = new MessageEvents(request, { model: chat.model, provider: chat.model }, newId);
  const whole = new EndedMessage();
  for (const { content } of [...events.take(asChunk(chat)), ...events.end()]) {
    if (content.kind === 'chunk') {
      whole.add(content.json);
    }
  }
  return whole.message();
}

const CONTINUED = ['text', 'thinking', 'signature'];

/** What a block holds beside its text, such as a result, comes with its start. */
export function* eventsOfMessage(message: JsonObject): Generator<ServerSentEvent, undefined> {
  const { content, stop_reason = null, stop_sequence = null, usage = null, ...begun } = message;
  const event = (type: string, fields: JsonObject) => ownEvent(JSON.stringify({ type, ...fields }), type);
  const open = { content: [], stop_reason: null, stop_sequence: null, usage };
  yield event('message_start', { message: { ...begun, ...open } });
  for (const [index, block] of objectsOf(content).entries()) {
    const { start, deltas } = inPieces(block);
    yield event('content_block_start', { index, content_block: start });
    for (const delta of deltas) {
      yield event('content_block_delta', { index, delta });
    }
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', { delta: { stop_reason, stop_sequence }, usage });
  yield event(MESSAGE_STOP, {});
}

function inPieces(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  const start: Record<string, unknown> = { ...block };
  const deltas: JsonObject[] = [];
  for (const name of CONTINUED.filter((each) => typeof block[each] === 'string')) {
    start[name] = '';
    deltas.push({ type: `${name}_delta`, [name]: block[name] });
  }
  if (isObject(block.input)) {
    start.input = {};
    deltas.push({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) });
  }
  if (Array.isArray(block.citations)) {
    start.citations = [];
    deltas.push(...objectsOf(block.citations).map((citation) => ({ type: 'citations_delta', citation })));
  }
  return { start, deltas };
}

class EndedMessage implements UnstreamedAnswer {
  private begun: JsonObject = {};
  private ended: JsonObject = {};
  private usage: JsonObject | null = null;
  private readonly blocks = new Map<unknown, MessageBlock>();
  private readonly inputs = new Map<unknown, string>();

  add(event: JsonObject): void {
    const { type, index, delta } = event;
    switch (type) {
      case 'message_start':
        this.begun = isObject(event.message) ? event.message : {};
        break;
      case 'content_block_start':
        this.begin(index, event.content_block);
        break;
      case 'content_block_delta':
        this.addDelta(index, isObject(delta) ? delta : {});
        break;
      case 'message_delta':
        this.ended = { ...this.ended, ...(isObject(delta) ? delta : {}) };
        this.usage = isObject(event.usage) ? event.usage : this.usage;
    }
  }

  json(use: TokenUse | null): string {
    const message = this.message();
    return JSON.stringify({ ...message, usage: message.usage ?? (use && messageUsageOf(use)) });
  }

  message(): MessageObject {
    const content = [...this.blocks].map(([index, block]) => {
      const text = this.inputs.get(index);
      const input = text === undefined ? undefined : partialJson(text);
      return isObject(input) ? { ...block, input } : block;
    });
    const usage = this.usage && { ...(isObject(this.begun.usage) ? this.begun.usage : {}), ...this.usage };
    return { ...this.begun, ...this.ended, content, usage } as unknown as MessageObject;
  }

  /** Copied, because deltas add to it while others still read the event. */
  private begin(index: unknown, block: unknown): void {
    const begun = { ...(isObject(block) ? block : {}) };
    if (Array.isArray(begun.citations)) {
      begun.citations = objectsOf(begun.citations);
    }
    this.blocks.set(index, begun as MessageBlock);
  }

  private addDelta(index: unknown, delta: JsonObject): void {
    const block = this.blocks.get(index);
    if (block && isObject(delta.citation)) {
      const citations = Array.isArray(block.citations) ? (block.citations as unknown[]) : [];
      citations.push(delta.citation);
      block.citations = citations;
    }
    if (typeof delta.partial_json === 'string') {
      this.inputs.set(index, (this.inputs.get(index) ?? '') + delta.partial_json);
    }
    for (const name of CONTINUED) {
      const piece = delta[name];
      const before = block?.[name] ?? '';
      if (block && typeof piece === 'string' && typeof before === 'string') {
        block[name] = before + piece;
      }
    }
  }
}

/** One per stream: the use is split over two events. Source: Anthropic's guide "Streaming messages". */
export class MessageDialect implements StreamDialect {
  readonly usagePath = ['usage'];
  readonly end = Buffer.from(ownEvent(JSON.stringify({ type: MESSAGE_STOP }), MESSAGE_STOP).bytes).toString();
  private begun: JsonObject = {};

  read({ content }: ServerSentEvent): StreamReading {
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('an event of a message is no object');
    }
    const { json } = content;
    if (typeof json.type !== 'string') {
      throw new SyntaxError('an event of a message has no type');
    }
    const begun = jsonField(json.message, 'usage');
    this.begun = isObject(begun) ? begun : this.begun;
    const reason = jsonField(json.delta, 'stop_reason');
    return {
      json,
      texts: producedByBlocks([json.content_block, json.delta]).map((text) => ({ choice: 0, text })),
      usage: json.type === 'message_delta' ? this.usageIn(json) : undefined,
      isUsageAlone: false,
      choices: [{ index: 0, finishReason: typeof reason === 'string' ? reason : null }],
      isEnd: json.type === MESSAGE_STOP,
    };
  }

  usageInEnd(event: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    if (event.type !== 'message_delta') {
      return null;
    }
    return memberInEvent(event, [], 'usage', usageWithCost(messageUsageOf(use), costUsd));
  }

  failureEvent({ body, byUpstream }: StreamFailure): string | null {
    if (byUpstream) {
      return null;
    }
    const { error } = JSON.parse(body) as { error: { code: unknown; message: unknown; request_id: unknown } };
    const { code, message, request_id } = error;
    const type = messageErrorType(typeof code === 'number' ? code : 502);
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message }, request_id })}\n\n`;
  }

  unstreamed(): UnstreamedAnswer {
    return new EndedMessage();
  }

  /** `message_start` has the input where `message_delta` lacks it; null where `message_delta` has no use. */
  private usageIn({ usage }: JsonObject): unknown {
    if (!isObject(usage)) {
      return null;
    }
    const reported = Object.entries(usage).filter(([, value]) => value !== null);
    return usageOfMessage({ ...this.begun, ...Object.fromEntries(reported) });
  }
}
