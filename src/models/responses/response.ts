import type { TokenUse } from '../../ledger/money';
import { isObject, jsonField, type JsonObject } from '../../runtime/json';
import { type MediaByModel, saidByModel, type SaidByModel } from '../message-text';
import { memberInEvent, type ServerSentEvent } from '../sse';
import type { StreamDialect, StreamReading, UnstreamedAnswer } from '../stream-dialects';
import { asResponseUsage, responseUsageOf } from '../usage';
import type { ChatResponse } from '../model-provider';
import {
  type FunctionCallItem,
  isResponseEnd,
  type ItemStatus,
  type MessageItem,
  type MessagePart,
  type OutputItem,
  type ReasoningItem,
  type ResponseObject,
  type ResponseRequest,
} from './response-object';

/** Makes the unique part of an id: letters and digits. */
export type NewId = () => string;

interface ResponseIdentity {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
}

export function createdAt(chat: unknown): number {
  const created = jsonField(chat, 'created');
  return typeof created === 'number' ? created : Math.floor(Date.now() / 1000);
}

/** Repeats the request's parameters, with the defaults of the API where it names none. */
export function responseShell(request: ResponseRequest, identity: ResponseIdentity): ResponseObject {
  const text = request.text as Record<string, unknown> | null | undefined;
  const reasoning = request.reasoning as Record<string, unknown> | null | undefined;
  return {
    id: identity.id,
    object: 'response',
    created_at: identity.createdAt,
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

export function responseOutcome(finishReason: string | null | undefined): ResponseOutcome {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    default:
      return { status: 'completed', incomplete_details: null };
  }
}

/** Where the response was cut off, it was its last item that was. */
function endedItems(items: readonly OutputItem[], outcome: ResponseOutcome): OutputItem[] {
  return items.map((item, index) => ({
    ...item,
    status: index === items.length - 1 ? lastItemStatus(outcome) : 'completed',
  }));
}

export function lastItemStatus({ status }: ResponseOutcome): ItemStatus {
  return status === 'incomplete' ? 'incomplete' : 'completed';
}

type Message = ChatResponse['choices'][number]['message'];

/** Of the first choice. The ids of calls are kept, because a client sends their outputs under these ids. */
export function toResponse(chat: ChatResponse, request: ResponseRequest, newId: NewId): ResponseObject {
  const identity = { id: `resp_${newId()}`, createdAt: createdAt(chat), model: chat.model };
  const choice = chat.choices[0];
  const outcome = responseOutcome(choice?.finish_reason);
  const items = choice ? outputItems(choice.message, choice.logprobs, newId) : [];
  return {
    ...responseShell(request, identity),
    ...outcome,
    output: endedItems(items, outcome),
    usage: asResponseUsage(chat.usage),
  };
}

export function reasoningItem(id: string): ReasoningItem {
  return { id: `rs_${id}`, type: 'reasoning', status: 'in_progress', summary: [], content: [] };
}

export function messageItem(id: string): MessageItem {
  return { id: `msg_${id}`, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
}

/** In a stream `call` is the first piece. */
export function functionCallItem(id: string, call: unknown): FunctionCallItem {
  const called = jsonField(call, 'function');
  const [callId, name] = [jsonField(call, 'id'), jsonField(called, 'name')];
  return {
    id: `fc_${id}`,
    type: 'function_call',
    status: 'in_progress',
    arguments: functionArguments(call),
    // Some providers give calls no id, but the output of a call has to refer to one.
    call_id: typeof callId === 'string' && callId !== '' ? callId : `call_${id}`,
    name: typeof name === 'string' ? name : '',
  };
}

export function functionArguments(call: unknown): string {
  const text = jsonField(jsonField(call, 'function'), 'arguments');
  if (text === undefined || text === null) {
    return '';
  }
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function outputItems(message: Message, logprobs: unknown, newId: NewId): OutputItem[] {
  const items: OutputItem[] = [];
  const said = saidByModel(message);
  if (said.thought) {
    items.push({ ...reasoningItem(newId()), content: [{ type: 'reasoning_text', text: said.thought }] });
  }
  const content = messageParts(said, logprobs);
  if (content.length > 0) {
    items.push({ ...messageItem(newId()), content });
  }
  return [...items, ...said.calls.map((call) => functionCallItem(newId(), call))];
}

function messageParts({ text, refusal }: SaidByModel, logprobs: unknown): MessagePart[] {
  const parts: MessagePart[] = [];
  if (text) {
    const tokens = jsonField(logprobs, 'content');
    parts.push({
      type: 'output_text',
      annotations: [],
      logprobs: Array.isArray(tokens) ? tokens : [],
      text,
    });
  }
  if (refusal) {
    parts.push({ type: 'refusal', refusal });
  }
  return parts;
}

/** The only delta that holds no text but sound, whose transcript has deltas of its own. */
const SOUND = 'response.audio.delta';

/**
 * Every streamed response needs an object of its own, because the events are numbered; the last one holds the whole response.
 * Source: OpenAI's API reference, "Responses, streaming events".
 */
export class ResponseDialect implements StreamDialect {
  readonly usagePath = ['response', 'usage'];
  readonly end = null;
  private nextNumber = 0;

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

  /** The usage stands in the stream's last event. */
  usageEvent(): null {
    return null;
  }

  usageInEnd(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null {
    const usage = JSON.stringify(responseUsageOf(use));
    // JSON.stringify would write a small cost with an exponent.
    return memberInEvent(end, ['response'], 'usage', `${usage.slice(0, -1)},"cost":${costUsd}}`);
  }

  failureEvent(body: string): string {
    const error = jsonField(JSON.parse(body), 'error');
    const [code, message] = [jsonField(error, 'code'), jsonField(error, 'message')];
    const event = {
      type: 'error',
      code: typeof code === 'number' || typeof code === 'string' ? String(code) : null,
      message,
      param: null,
      sequence_number: this.nextNumber,
    };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
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

  json(use: TokenUse): string {
    return JSON.stringify({ ...this.response, usage: this.response?.usage ?? responseUsageOf(use) });
  }
}

function mediaOf({ type, delta, partial_image_b64: image }: JsonObject): MediaByModel[] {
  const soundLength = type === SOUND && typeof delta === 'string' ? delta.length : 0;
  return [{ soundLength, images: typeof image === 'string' ? 1 : 0 }];
}

/** Those that a model produced and that are paid for. */
function textsOf({ type, delta, item }: JsonObject): string[] {
  if (type === 'response.output_item.added') {
    const name = jsonField(item, 'name');
    return typeof name === 'string' ? [name] : [];
  }
  const isText = typeof type === 'string' && type.endsWith('.delta') && type !== SOUND;
  return isText && typeof delta === 'string' && delta !== '' ? [delta] : [];
}
