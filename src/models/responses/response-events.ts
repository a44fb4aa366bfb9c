import { jsonField, type JsonObject } from '../../runtime/json';
import { saidByModel } from '../message-text';
import type { ReadChoice, ServerSentEvent } from '../sse';
import type { ChatResponse } from '../model-provider';
import { CallOrder, functionArguments, type NewId, numbered, TranslatedEvents } from '../stream-chunks';
import { asResponseUsage } from '../usage';
import {
  type CallItem,
  customInput,
  customNames,
  type ItemStatus,
  type MessageItem,
  type MessagePart,
  type OutputItem,
  type ReasoningItem,
  type ReasoningPart,
  type ResponseObject,
  type ResponseRequest,
  type ResponseUsage,
} from './response-object';

type Part = MessagePart | ReasoningPart;
type Emit = (type: string, fields: Record<string, unknown>) => void;

class OutputWriter {
  readonly items: OutputItem[] = [];
  private open: OutputItem | null = null;
  private openPart: Part | null = null;
  private readonly calls = new CallOrder();
  private sentArguments = '';

  constructor(
    private readonly emit: Emit,
    private readonly newId: NewId,
    private readonly custom: ReadonlySet<unknown>,
  ) {}

  append(type: Part['type'], delta: string, logprobs: readonly unknown[] = []): void {
    const item = this.itemFor(type);
    const part = this.openPart?.type === type ? this.openPart : this.beginPart(item, type);
    const at = this.partPlace(item);
    if (part.type === 'refusal') {
      part.refusal += delta;
      this.emit('response.refusal.delta', { ...at, delta });
      return;
    }
    part.text += delta;
    if (part.type === 'reasoning_text') {
      this.emit('response.reasoning_text.delta', { ...at, delta });
      return;
    }
    // As arguments of one call those of a long answer would overflow the stack.
    logprobs.forEach((token) => part.logprobs.push(token));
    this.emit('response.output_text.delta', { ...at, delta, logprobs });
  }

  /** False for a piece of a call that has ended, because no event can add to it any more. */
  call(part: JsonObject): boolean {
    const open = isCall(this.open) ? this.open : null;
    const place = this.calls.placeOf(part, open !== null);
    if (open && place === 'open') {
      this.addArguments(open, functionArguments(part));
      return true;
    }
    if (place === 'ended') {
      return false;
    }
    this.end('completed');
    this.sentArguments = '';
    const item = callItem(this.newId(), part, this.custom);
    const begun = item.type === 'function_call' ? { ...item, arguments: '' } : { ...item, input: '' };
    this.begin(begun);
    this.addArguments(begun, functionArguments(part));
    return true;
  }

  end(status: ItemStatus): void {
    const item = this.open;
    if (!item) {
      return;
    }
    this.endPart(item);
    const place = this.place(item);
    if (isCall(item)) {
      this.endCall(item, place);
    }
    item.status = status;
    this.open = null;
    this.emit('response.output_item.done', { output_index: place.output_index, item });
  }

  /** The input of a custom tool stands in the JSON of its one argument, so that it is known at the end alone. */
  private endCall(item: CallItem, place: object): void {
    const { name } = item;
    if (item.type === 'function_call') {
      this.emit('response.function_call_arguments.done', { ...place, name, arguments: item.arguments });
      return;
    }
    item.input = customInput(this.sentArguments);
    this.emit('response.custom_tool_call_input.delta', { ...place, delta: item.input });
    this.emit('response.custom_tool_call_input.done', { ...place, input: item.input });
  }

  private addArguments(item: CallItem, delta: string): void {
    if (delta === '') {
      return;
    }
    if (item.type === 'custom_tool_call') {
      this.sentArguments += delta;
      return;
    }
    item.arguments += delta;
    this.emit('response.function_call_arguments.delta', { ...this.place(item), delta });
  }

  private itemFor(type: Part['type']): MessageItem | ReasoningItem {
    const itemType = type === 'reasoning_text' ? 'reasoning' : 'message';
    if (this.open?.type === itemType) {
      return this.open;
    }
    this.end('completed');
    const item = itemType === 'reasoning' ? reasoningItem(this.newId()) : messageItem(this.newId());
    this.begin(item);
    return item;
  }

  private begin(item: OutputItem): void {
    this.open = item;
    this.items.push(item);
    this.emit('response.output_item.added', { output_index: this.items.length - 1, item });
  }

  private beginPart(item: MessageItem | ReasoningItem, type: Part['type']): Part {
    this.endPart(item);
    const part = emptyPart(type);
    (item.content as Part[]).push(part);
    this.openPart = part;
    this.emit('response.content_part.added', { ...this.partPlace(item), part });
    return part;
  }

  private endPart(item: OutputItem): void {
    const part = this.openPart;
    if (!part || isCall(item)) {
      return;
    }
    const at = this.partPlace(item);
    if (part.type === 'refusal') {
      this.emit('response.refusal.done', { ...at, refusal: part.refusal });
    } else if (part.type === 'reasoning_text') {
      this.emit('response.reasoning_text.done', { ...at, text: part.text });
    } else {
      this.emit('response.output_text.done', { ...at, text: part.text, logprobs: part.logprobs });
    }
    this.openPart = null;
    this.emit('response.content_part.done', { ...at, part });
  }

  private place(item: OutputItem): { item_id: string; output_index: number } {
    return { item_id: item.id, output_index: this.items.length - 1 };
  }

  private partPlace(item: MessageItem | ReasoningItem) {
    return { ...this.place(item), content_index: item.content.length - 1 };
  }
}

function isCall(item: OutputItem | null): item is CallItem {
  return item?.type === 'function_call' || item?.type === 'custom_tool_call';
}

function emptyPart(type: Part['type']): Part {
  switch (type) {
    case 'output_text':
      return { type, annotations: [], logprobs: [], text: '' };
    case 'refusal':
      return { type, refusal: '' };
    case 'reasoning_text':
      return { type, text: '' };
  }
}

/** Of the first choice. A client sends the outputs of calls under their ids, which are kept. */
export function toResponse(chat: ChatResponse, request: ResponseRequest, newId: NewId): ResponseObject {
  const events = new ResponseEvents(request, { model: chat.model, provider: chat.model }, newId);
  const { created, model, usage } = chat;
  const choices = chat.choices.slice(0, 1).map(({ message, finish_reason, logprobs }) => ({
    ...{ index: 0, finish_reason, logprobs },
    delta: numbered(message),
  }));
  events.take({ created, model, usage, choices });
  return events.ended();
}

export class ResponseEvents extends TranslatedEvents {
  private nextNumber = 0;
  private shell: ResponseObject | null = null;
  private usage: ResponseUsage | null = null;
  private readonly output: OutputWriter;

  constructor(
    private readonly request: ResponseRequest,
    stream: TranslatedEvents['stream'],
    newId: NewId,
  ) {
    super(stream, newId);
    this.output = new OutputWriter((type, fields) => this.emit(type, fields), newId, customNames(request));
  }

  override end(): ServerSentEvent[] {
    const response = this.ended();
    this.emit(`response.${response.status}`, { response });
    return this.emitted();
  }

  ended(): ResponseObject {
    const shell = this.begin({});
    const outcome = responseOutcome(this.finishReason);
    this.output.end(lastItemStatus(outcome));
    return { ...shell, ...outcome, output: this.output.items, usage: this.usage };
  }

  protected override failure(error: unknown, message: string): JsonObject {
    const code = jsonField(error, 'code');
    const isCode = typeof code === 'string' || typeof code === 'number';
    return { code: isCode ? String(code) : null, message, param: null };
  }

  protected override begin(chunk: JsonObject): ResponseObject {
    if (this.shell) {
      return this.shell;
    }
    const identity = { created_at: createdAt(chunk), model: this.modelOf(chunk) };
    const shell = responseShell(this.request, { id: `resp_${this.newId()}`, ...identity });
    this.shell = shell;
    this.emit('response.created', { response: shell });
    this.emit('response.in_progress', { response: shell });
    return shell;
  }

  protected override takeUsage(usage: unknown): void {
    this.usage = asResponseUsage(usage) ?? this.usage;
  }

  protected override takeChoice({ json: { delta, logprobs } }: ReadChoice): void {
    const { text, refusal, thought, calls } = saidByModel(delta);
    if (thought) {
      this.output.append('reasoning_text', thought);
    }
    if (text) {
      const tokens = jsonField(logprobs, 'content');
      this.output.append('output_text', text, Array.isArray(tokens) ? tokens : []);
    }
    if (refusal) {
      this.output.append('refusal', refusal);
    }
    for (const call of calls) {
      if (!this.output.call(call)) {
        throw this.wentBack();
      }
    }
  }

  protected override emit(type: string, fields: JsonObject): void {
    super.emit(type, { ...fields, sequence_number: this.nextNumber++ });
  }
}

function createdAt(chat: unknown): number {
  const created = jsonField(chat, 'created');
  return typeof created === 'number' ? created : Math.floor(Date.now() / 1000);
}

/** With the defaults of the API where the request names none. */
function responseShell(
  request: ResponseRequest,
  identity: Pick<ResponseObject, 'id' | 'created_at' | 'model'>,
): ResponseObject {
  const text = request.text as Record<string, unknown> | null | undefined;
  const reasoning = request.reasoning as Record<string, unknown> | null | undefined;
  return {
    id: identity.id,
    object: 'response',
    created_at: identity.created_at,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: identity.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    // A chat gives no summary of its reasoning, even if the request asks for one.
    reasoning: { effort: reasoning?.effort ?? null, summary: null },
    service_tier: request.service_tier ?? 'auto',
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...text },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}

type ResponseOutcome = Pick<ResponseObject, 'status' | 'incomplete_details'>;

function responseOutcome(finishReason: string | null | undefined): ResponseOutcome {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    default:
      return { status: 'completed', incomplete_details: null };
  }
}

function lastItemStatus({ status }: ResponseOutcome): ItemStatus {
  return status === 'incomplete' ? 'incomplete' : 'completed';
}

function reasoningItem(id: string): ReasoningItem {
  return { id: `rs_${id}`, type: 'reasoning', status: 'in_progress', summary: [], content: [] };
}

function messageItem(id: string): MessageItem {
  return { id: `msg_${id}`, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
}

/** In a stream `call` is the first piece. @param custom the names of the tools that take a free text */
function callItem(id: string, call: unknown, custom: ReadonlySet<unknown>): CallItem {
  const called = jsonField(call, 'function');
  const [callId, given] = [jsonField(call, 'id'), jsonField(called, 'name')];
  const name = typeof given === 'string' ? given : '';
  // Some providers give calls no id, but the output of a call has to refer to one.
  const call_id = typeof callId === 'string' && callId !== '' ? callId : `call_${id}`;
  const text = functionArguments(call);
  const status = 'in_progress';
  return custom.has(name)
    ? { id: `ctc_${id}`, type: 'custom_tool_call', status, input: customInput(text), call_id, name }
    : { id: `fc_${id}`, type: 'function_call', status, arguments: text, call_id, name };
}
