import { given, isGiven, jsonField, shownValue } from '../../runtime/json';
import { missing, required, UnsupportedFields } from '../errors';
import type { ChatMessage, ChatRequest, ContentPart } from '../model-provider';
import {
  customArguments,
  customAsFunction,
  type ResponseInputItem,
  type ResponseRequest,
} from './response-object';

/**
 * A single text becomes a string, which every provider of chats takes; only a user's message may hold other parts.
 * @throws ValidationFailed for what is neither a text nor parts, and for parts without what their type needs
 */
function chatContent(
  content: unknown,
  role: string,
  at: string,
  unsupported: UnsupportedFields,
): ChatMessage['content'] {
  if (typeof content === 'string') {
    return content;
  }
  if (!Array.isArray(content)) {
    throw missing(at);
  }
  const parts = content.map((part: ContentPart, index) =>
    chatPart(part, role, `${at}[${index}]`, unsupported),
  );
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? (only.text ?? '') : parts;
}

function chatPart(part: ContentPart, role: string, at: string, unsupported: UnsupportedFields): ContentPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: required(part, 'text', at) };
    case 'refusal':
      return { type: 'refusal', refusal: required(part, 'refusal', at) };
    case 'input_image':
      if (role !== 'user' || typeof part.image_url !== 'string') {
        break;
      }
      return { type: 'image_url', image_url: { url: part.image_url, ...given({ detail: part.detail }) } };
    case 'input_file':
      if (role !== 'user' || typeof part.file_data !== 'string') {
        break;
      }
      return { type: 'file', file: { filename: part.filename, file_data: part.file_data } };
    case 'input_audio':
      if (role !== 'user' || typeof jsonField(part.input_audio, 'data') !== 'string') {
        break;
      }
      return { type: 'input_audio', input_audio: part.input_audio };
  }
  unsupported.add(
    at,
    `No such ${part.type} in a message of ${role}: the model that answers knows chats only.`,
  );
  return part;
}

interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

type Mutable = { -readonly [Field in keyof ChatMessage]: ChatMessage[Field] };

/** A chat wants all calls of a turn in one message, before their first output. @throws ValidationFailed */
function chatMessages(input: ResponseRequest['input'], unsupported: UnsupportedFields): ChatMessage[] {
  if (typeof input === 'string') {
    return [{ role: 'user', content: input }];
  }
  const messages: Mutable[] = [];
  input.forEach((item, index) => addItem(messages, item, `input[${index}]`, unsupported));
  return messages;
}

function addItem(
  messages: Mutable[],
  item: ResponseInputItem,
  at: string,
  unsupported: UnsupportedFields,
): void {
  switch (item.type ?? 'message') {
    case 'message':
      addMessage(messages, item, at, unsupported);
      break;
    case 'function_call':
      addCall(messages, item, required(item, 'arguments', at), at);
      break;
    case 'custom_tool_call':
      addCall(messages, item, customArguments(required(item, 'input', at)), at);
      break;
    case 'custom_tool_call_output':
    case 'function_call_output':
      messages.push({
        role: 'tool',
        tool_call_id: required(item, 'call_id', at),
        content: chatContent(item.output, 'tool', `${at}.output`, unsupported),
      });
      break;
    case 'reasoning':
      // Chats have no place for earlier reasoning, and the models behind them do not need it.
      break;
    default:
      unsupported.add(at, `No items of type ${item.type}: the model that answers knows chats only.`);
  }
}

function addMessage(
  messages: Mutable[],
  item: ResponseInputItem,
  at: string,
  unsupported: UnsupportedFields,
): void {
  const role = required(item, 'role', at);
  const content = chatContent(item.content, role, `${at}.content`, unsupported);
  const last = messages.at(-1);
  if (role === 'assistant' && last?.tool_calls !== undefined) {
    last.content = last.content ? [...parts(last.content), ...parts(content)] : content;
    return;
  }
  messages.push({ role: role === 'developer' ? 'system' : role, content });
}

function addCall(messages: Mutable[], item: ResponseInputItem, sent: string, at: string): void {
  const call: ToolCall = {
    id: required(item, 'call_id', at),
    type: 'function',
    function: { name: required(item, 'name', at), arguments: sent },
  };
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    last.tool_calls = [...((last.tool_calls as ToolCall[] | undefined) ?? []), call];
    return;
  }
  messages.push({ role: 'assistant', content: null, tool_calls: [call] });
}

function parts(content: ChatMessage['content']): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

type Json = Record<string, unknown>;

function chatTools(tools: unknown, unsupported: UnsupportedFields): Json[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) {
    return undefined;
  }
  return tools.map((tool: Json, index) => {
    if (!isCalled(tool.type)) {
      const why = `No tools of type ${shownValue(tool.type)}: the model that answers has only functions.`;
      unsupported.add(`tools[${index}]`, why);
    }
    const { name, description, parameters, strict } = tool.type === 'custom' ? customAsFunction(tool) : tool;
    return { type: 'function', function: given({ name, description, parameters, strict }) };
  });
}

function isCalled(type: unknown): boolean {
  return type === 'function' || type === 'custom';
}

function chatToolChoice(choice: unknown, unsupported: UnsupportedFields): unknown {
  if (typeof choice !== 'object' || choice === null) {
    return choice;
  }
  const { type, name, mode, tools } = choice as Json;
  if (isCalled(type)) {
    return { type: 'function', function: { name } };
  }
  const allowed = Array.isArray(tools) ? tools : [];
  if (type === 'allowed_tools' && allowed.every((tool) => isCalled(jsonField(tool, 'type')))) {
    const functions = allowed.map((tool) => ({
      type: 'function',
      function: { name: jsonField(tool, 'name') },
    }));
    return { type, allowed_tools: { mode, tools: functions } };
  }
  unsupported.add('tool_choice');
  return undefined;
}

function chatFormat(format: unknown, unsupported: UnsupportedFields): Json | undefined {
  if (format === undefined || format === null) {
    return undefined;
  }
  const { type, ...rest } = format as Json;
  switch (type) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type };
    case 'json_schema':
      return { type, json_schema: given(rest) };
    default:
      unsupported.add('text.format');
      return undefined;
  }
}

/** Fields that have another form in a chat, or none. All others are passed on as they are. */
const TRANSLATED = [
  ...['input', 'instructions', 'max_output_tokens', 'text', 'reasoning', 'tools', 'tool_choice', 'include'],
  ...['parallel_tool_calls', 'top_logprobs', 'stream', 'stream_options', 'metadata', 'store', 'background'],
  ...['previous_response_id', 'conversation', 'truncation', 'max_tool_calls'],
];

/** What only the Responses API can honour, and fields of chats that would let a chat produce or cost more. */
const REFUSED = [
  ...['prompt', 'context_management', 'moderation', 'prompt_cache_options'],
  ...['messages', 'n', 'max_tokens', 'max_completion_tokens', 'response_format'],
  ...['functions', 'function_call'],
];

const LOGPROBS = 'message.output_text.logprobs';

/**
 * Earlier reasoning and `metadata` are left out, because the answer does not depend on them.
 * @throws UnsupportedModelParameter that names all else without a counterpart; ValidationFailed for malformed items
 */
export function toChatRequest(request: ResponseRequest): ChatRequest {
  const unsupported = new UnsupportedFields();
  addUnsupported(request, unsupported);
  const tools = chatTools(request.tools, unsupported);
  const chat: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(request).filter(([name]) => !TRANSLATED.includes(name))),
    messages: [...instructions(request), ...chatMessages(request.input, unsupported)],
    // Every provider of chats knows `max_tokens`, or else AddedFields moves the cap to the newer field.
    max_tokens: request.max_output_tokens,
    tools,
    tool_choice:
      tools || isBinding(request.tool_choice) ? chatToolChoice(request.tool_choice, unsupported) : undefined,
    parallel_tool_calls: tools && request.parallel_tool_calls,
    response_format: chatFormat(jsonField(request.text, 'format'), unsupported),
    verbosity: jsonField(request.text, 'verbosity'),
    reasoning_effort: jsonField(request.reasoning, 'effort'),
    ...logprobs(request),
  };
  unsupported.throwAny();
  return given(chat) as ChatRequest;
}

function addUnsupported(request: ResponseRequest, unsupported: UnsupportedFields): void {
  REFUSED.filter((name) => isGiven(request[name])).forEach((name) => unsupported.add(name));
  if (isGiven(request.truncation) && request.truncation !== 'disabled') {
    unsupported.add('truncation');
  }
}

/** A binding choice is sent even without tools, so that the upstream can refuse it. */
function isBinding(choice: unknown): boolean {
  return choice !== 'auto' && choice !== 'none';
}

/** Every provider of chats knows `system`, and newer ones read it as `developer`. */
function instructions({ instructions }: ResponseRequest): ChatMessage[] {
  return instructions ? [{ role: 'system', content: instructions }] : [];
}

function logprobs({ include, top_logprobs: top }: ResponseRequest): Record<string, unknown> {
  const isIncluded = Array.isArray(include) && include.includes(LOGPROBS);
  if (!isIncluded && !top) {
    return {};
  }
  return { logprobs: true, top_logprobs: top };
}
