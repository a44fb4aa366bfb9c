import type { ModelResponse, ResponseOutputItem, ResponseUsage } from '../../../generated/types';
import type { TokenUse } from '../../ledger/money';
import { newId } from '../../runtime/ids';
import { isObject, jsonField, type JsonObject } from '../../runtime/json';
import { type MediaByModel, saidByModel } from '../message-text';
import type { ChatResponse } from '../model-provider';
import { memberInEvent, ownEvent, type ReadChoice, type ServerSentEvent } from '../sse';
import { asChunk, CallOrder, functionArguments, type NewId, TranslatedEvents } from '../stream-chunks';
import type {
  SpentUse,
  StreamDialect,
  StreamReading,
  StreamFailure,
  UnstreamedAnswer,
} from '../stream-dialects';
import { usageWithCost } from '../streamed-answer';
import { asResponseUsage, responseUsageOf } from '../usage';
import { customInput, customNames, type ResponseRequest } from './request-to-chat';
import { INPUTS, isResponseEnd, TEXTS } from './response-events';

type PartType = keyof typeof TEXTS;
type Part = Record<string, unknown> & { readonly type: PartType; readonly logprobs?: unknown[] };
type ItemStatus = 'completed' | 'incomplete';

class OutputWriter {
  readonly items: ResponseOutputItem[] = [];
  private item: ResponseOutputItem | null = null;
  private part: Part | null = null;
  private text = '';
  private readonly calls = new CallOrder();

  constructor(
    private readonly emit: (type: string, fields: JsonObject) => void,
    private readonly newId: NewId,
    private readonly custom: ReadonlySet<unknown>,
  ) {}

  append(type: PartType, delta: string, logprobs: readonly unknown[] = []): void {
    const { item, part } = this.openPart(type);
    this.text += delta;
    // Spread as arguments, the logprobs of a long answer would overflow the stack.
    logprobs.forEach((token) => part.logprobs?.push(token));
    const fields = type === 'output_text' ? { delta, logprobs } : { delta };
    this.emit(`response.${type}.delta`, { ...this.place(item), ...fields });
  }

  /** False for a piece of a call that has ended, to which no event can add. */
  call(piece: JsonObject): boolean {
    const open = isCall(this.item) ? this.item : null;
    const place = this.calls.placeOf(piece, open !== null);
    if (place === 'ended') {
      return false;
    }
    const item = open && place === 'open' ? open : this.begin(callItem(this.newId(), piece, this.custom));
    const delta = functionArguments(piece);
    this.text += delta;
    if (delta !== '' && item.type === 'function_call') {
      this.emit('response.function_call_arguments.delta', { ...this.place(item), delta });
    }
    return true;
  }

  end(status: ItemStatus): void {
    const { item } = this;
    if (!item) {
      return;
    }
    this.endPart(item);
    if (isCall(item)) {
      this.endCall(item);
    }
    item.status = status;
    this.item = null;
    this.emit('response.output_item.done', { output_index: this.items.length - 1, item });
  }

  /** A custom tool's input is inside the JSON of its one argument, so it is known only at the end. */
  private endCall(item: ResponseOutputItem): void {
    const place = this.place(item);
    if (item.type === 'function_call') {
      item.arguments = this.text;
      const { name, arguments: sent } = item;
      this.emit('response.function_call_arguments.done', { ...place, name, arguments: sent });
      return;
    }
    item.input = customInput(this.text);
    this.emit('response.custom_tool_call_input.delta', { ...place, delta: item.input });
    this.emit('response.custom_tool_call_input.done', { ...place, input: item.input });
  }

  private begin(item: ResponseOutputItem): ResponseOutputItem {
    this.end('completed');
    this.item = item;
    this.text = '';
    this.items.push(item);
    this.emit('response.output_item.added', { output_index: this.items.length - 1, item });
    return item;
  }

  private openPart(type: PartType): { item: ResponseOutputItem; part: Part } {
    const itemType = type === 'reasoning_text' ? 'reasoning' : 'message';
    const item = this.item?.type === itemType ? this.item : this.begin(emptyItem(itemType, this.newId()));
    if (this.part?.type === type) {
      return { item, part: this.part };
    }
    this.endPart(item);
    const part = emptyPart(type);
    item.content?.push(part);
    this.part = part;
    this.text = '';
    this.emit('response.content_part.added', { ...this.place(item), part });
    return { item, part };
  }

  private endPart(item: ResponseOutputItem): void {
    const { part } = this;
    if (!part) {
      return;
    }
    const { type, logprobs } = part;
    part[TEXTS[type]] = this.text;
    this.part = null;
    const place = this.place(item);
    const fields = { [TEXTS[type]]: this.text, ...(logprobs && { logprobs }) };
    this.emit(`response.${type}.done`, { ...place, ...fields });
    this.emit('response.content_part.done', { ...place, part });
  }

  private place({ id, content }: ResponseOutputItem): JsonObject {
    const place = { item_id: id, output_index: this.items.length - 1 };
    return content ? { ...place, content_index: content.length - 1 } : place;
  }
}

function isCall(item: ResponseOutputItem | null): boolean {
  return item !== null && item.type in INPUTS;
}

function emptyPart(type: PartType): Part {
  const lists = type === 'output_text' ? { annotations: [], logprobs: [] } : {};
  return { type, ...lists, [TEXTS[type]]: '' };
}

function emptyItem(type: 'message' | 'reasoning', id: string): ResponseOutputItem {
  const status = 'in_progress';
  return type === 'message'
    ? { id: `msg_${id}`, type, status, role: 'assistant', content: [] }
    : { id: `rs_${id}`, type, status, summary: [], content: [] };
}

function callItem(id: string, call: JsonObject, custom: ReadonlySet<unknown>): ResponseOutputItem {
  const given = jsonField(call.function, 'name');
  const name = typeof given === 'string' ? given : '';
  // Some providers give calls no id, but the output of a call has to refer to one.
  const call_id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${id}`;
  const status = 'in_progress';
  return custom.has(name)
    ? { id: `ctc_${id}`, type: 'custom_tool_call', status, input: '', call_id, name }
    : { id: `fc_${id}`, type: 'function_call', status, arguments: '', call_id, name };
}

/** Of the first choice. Ids of calls are kept, because a client sends outputs under them. */
export function toResponse(chat: ChatResponse, request: ResponseRequest, newId: NewId): ModelResponse {
  const events = new ResponseEvents(request, { model: chat.model, provider: chat.model }, newId);
  events.take(asChunk(chat));
  return events.ended();
}

const INCOMPLETE = new Map([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

export class ResponseEvents extends TranslatedEvents<ResponseRequest> {
  private nextNumber = 0;
  private shell: ModelResponse | null = null;
  private usage: ResponseUsage = null;
  private readonly output = new OutputWriter(
    (type, fields) => this.emit(type, fields),
    this.newId,
    customNames(this.request),
  );

  override end(): ServerSentEvent[] {
    const response = this.ended();
    this.emit(`response.${response.status}`, { response });
    return this.emitted();
  }

  ended(): ModelResponse {
    const shell = this.begin({});
    const reason = INCOMPLETE.get(this.finishReason ?? '');
    const status = reason === undefined ? 'completed' : 'incomplete';
    this.output.end(status);
    const incomplete_details = reason === undefined ? null : { reason };
    return { ...shell, status, incomplete_details, output: this.output.items, usage: this.usage };
  }

  protected override failure(error: unknown, message: string): JsonObject {
    const code = jsonField(error, 'code');
    const isCode = typeof code === 'string' || typeof code === 'number';
    return { code: isCode ? String(code) : null, message, param: null };
  }

  protected override begin(chunk: JsonObject): ModelResponse {
    if (this.shell) {
      return this.shell;
    }
    const created_at = typeof chunk.created === 'number' ? chunk.created : Math.floor(Date.now() / 1000);
    const identity = { id: `resp_${this.newId()}`, created_at, model: this.modelOf(chunk) };
    const shell = responseShell(this.request, identity);
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
    if (!calls.every((call) => this.output.call(call))) {
      throw this.wentBack();
    }
  }

  protected override emit(type: string, fields: JsonObject): void {
    super.emit(type, { ...fields, sequence_number: this.nextNumber++ });
  }
}

function responseShell(
  request: ResponseRequest,
  { id, created_at, model }: Pick<ModelResponse, 'id' | 'created_at' | 'model'>,
): ModelResponse {
  return {
    id,
    object: 'response',
    created_at,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: jsonField(request.reasoning, 'effort') ?? null, summary: null },
    service_tier: request.service_tier ?? 'auto',
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...request.text },
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

const SOUND = 'response.audio.delta';
const ITEMS_MAX = 1024;

/** One per stream: events are numbered. Source: OpenAI's API reference, "Responses, streaming events". */
export class ResponseDialect implements StreamDialect {
  readonly usagePath = ['response', 'usage'];
  readonly end = null;
  private nextNumber = 0;
  private begun: JsonObject | null = null;
  private readonly items: unknown[] = [];
  private error: unknown = null;
  private isFailed = false;

  read({ content }: ServerSentEvent): StreamReading {
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('an event of a response is no object');
    }
    const { json } = content;
    if (content.kind === 'chunk' && typeof json.type !== 'string') {
      throw new SyntaxError('an event of a response has no type');
    }
    const { sequence_number: number } = json;
    this.nextNumber = (typeof number === 'number' ? number : this.nextNumber) + 1;
    this.note(json, content.kind === 'error');
    const usage = jsonField(jsonField(json, 'response'), 'usage') ?? undefined;
    return {
      json,
      texts: textsOf(json).map((text) => ({ choice: 0, text })),
      media: mediaOf(json),
      usage,
      isUsageAlone: false,
      choices: [{ index: 0, finishReason: null }],
      isEnd: isResponseEnd(json),
    };
  }

  private note(json: JsonObject, isError: boolean): void {
    if (isObject(json.response)) {
      this.begun ??= json.response;
    }
    if (json.type === 'response.output_item.done' && this.items.length < ITEMS_MAX) {
      this.items.push(json.item);
    }
    this.isFailed ||= json.type === 'response.failed';
    if (isError) {
      this.error = isObject(json.error) ? json.error : json;
    }
  }

  usageInEnd(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    return memberInEvent(end, ['response'], 'usage', usageWithCost(responseUsageOf(use), costUsd));
  }

  failureEvent({ body, byUpstream }: StreamFailure, spent: SpentUse | null): string | null {
    if (byUpstream && this.isFailed) {
      return null;
    }
    const reported = this.error ?? jsonField(JSON.parse(body), 'error');
    const [code, message] = [jsonField(reported, 'code'), jsonField(reported, 'message')];
    const response = {
      ...(this.begun ?? { id: `resp_${newId().replaceAll('-', '')}`, object: 'response' }),
      status: 'failed',
      error: { code: typeof code === 'string' ? code : 'server_error', message },
      output: this.items,
      usage: null,
    };
    const type = 'response.failed';
    const event = ownEvent(JSON.stringify({ type, sequence_number: this.nextNumber, response }), type);
    const bytes = spent ? this.usageInEnd(event, spent.use, spent.costUsd) : null;
    return Buffer.from(bytes ?? event.bytes).toString();
  }

  unstreamed(): UnstreamedAnswer {
    return new EndedResponse();
  }
}

class EndedResponse implements UnstreamedAnswer {
  private response: JsonObject | null = null;

  add(event: JsonObject): void {
    if (isResponseEnd(event) && isObject(event.response)) {
      this.response = event.response;
    }
  }

  json(use: TokenUse | null): string {
    const usage = this.response?.usage ?? (use && responseUsageOf(use));
    return JSON.stringify({ ...this.response, usage });
  }
}

function mediaOf({ type, delta, partial_image_b64: image }: JsonObject): MediaByModel[] {
  const soundLength = type === SOUND && typeof delta === 'string' ? delta.length : 0;
  return [{ soundLength, images: typeof image === 'string' ? 1 : 0 }];
}

function textsOf({ type, delta, item }: JsonObject): string[] {
  if (type === 'response.output_item.added') {
    const name = jsonField(item, 'name');
    return typeof name === 'string' ? [name] : [];
  }
  const isText = typeof type === 'string' && type.endsWith('.delta') && type !== SOUND;
  return isText && typeof delta === 'string' && delta !== '' ? [delta] : [];
}
