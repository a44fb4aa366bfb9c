import type { ChatResponse } from '../chat-completion';
import { saidByModel, type SaidByModel } from '../said-by-model';
import { asResponseUsage } from '../use/reported-use';
import { jsonField } from '../../../infrastructure/json/json-object';
import type { FunctionCallItem, MessageItem, MessagePart, ReasoningItem } from './response-object';
import type { OutputItem, ResponseObject, ResponseRequest } from './response-object';
import { endedItems, responseOutcome } from './response-outcome';
import { createdAt, type NewId, responseShell } from './response-shell';

type Message = ChatResponse['choices'][number]['message'];

/**
 * Translates the first choice of a chat to a response: its reasoning, its text or refusal, and its function calls. The
 * ids of the calls are kept, because a client sends their outputs under these ids.
 *
 * @param request as the client sent it, because the response repeats its parameters
 */
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

/** An output item for reasoning, begun and empty. `id` is its unique part. */
export function reasoningItem(id: string): ReasoningItem {
  return { id: `rs_${id}`, type: 'reasoning', status: 'in_progress', summary: [], content: [] };
}

/** An output item for a message, begun and empty. `id` is its unique part. */
export function messageItem(id: string): MessageItem {
  return { id: `msg_${id}`, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
}

/** An output item for a function call, with the arguments that came so far. In a stream `call` is the first piece. */
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

/** The arguments of a chat's function call, or of a piece of one, as text; '' where it has none. */
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
