import type { ChatMessage, ChatRequest } from '../chat-completion';
import { chatMessages } from './chat-messages';
import { chatFormat, chatToolChoice, chatTools } from './chat-parameters';
import { jsonField } from '../../../infrastructure/json/json-object';
import type { ResponseRequest } from './response-object';
import { UnsupportedFields } from './unsupported-fields';

/** Fields that have another form in a chat, or none. All other fields are passed on as they are. */
const TRANSLATED = [
  ...['input', 'instructions', 'max_output_tokens', 'text', 'reasoning', 'tools', 'tool_choice', 'include'],
  ...['parallel_tool_calls', 'top_logprobs', 'stream', 'stream_options', 'metadata', 'store', 'background'],
  ...['previous_response_id', 'conversation', 'truncation', 'max_tool_calls'],
];

/** Fields that only the Responses API can honour, and fields of chats that would let a chat produce or cost more. */
const REFUSED = [
  ...['prompt', 'context_management', 'moderation', 'prompt_cache_options'],
  ...[
    'messages',
    'n',
    'max_tokens',
    'max_completion_tokens',
    'response_format',
    'functions',
    'function_call',
  ],
];

const LOGPROBS = 'message.output_text.logprobs';

/**
 * Translates the request of a response to that of a chat. Earlier reasoning, summaries of reasoning and `metadata` have
 * no place in a chat and are left out, because the answer does not depend on them.
 *
 * @throws UnsupportedModelParameter that names everything else that has no counterpart in a chat
 * @throws ValidationFailed for items that are not of the documented form
 */
export function toChatRequest(request: ResponseRequest): ChatRequest {
  const unsupported = new UnsupportedFields();
  addUnsupported(request, unsupported);
  const tools = chatTools(request.tools, unsupported);
  const chat: Record<string, unknown> = {
    ...passedOn(request),
    messages: [...instructions(request), ...chatMessages(request.input, unsupported)],
    // Every provider of chats knows `max_tokens`, or else OwnCaps moves the cap to the newer field.
    max_tokens: request.max_output_tokens,
    tools,
    tool_choice:
      tools || isBinding(request.tool_choice) ? chatToolChoice(request.tool_choice, unsupported) : undefined,
    // Upstreams refuse this field in a chat without tools.
    parallel_tool_calls: tools && request.parallel_tool_calls,
    response_format: chatFormat(jsonField(request.text, 'format'), unsupported),
    verbosity: jsonField(request.text, 'verbosity'),
    reasoning_effort: jsonField(request.reasoning, 'effort'),
    ...logprobs(request),
  };
  unsupported.throwAny();
  const given = Object.entries(chat).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as ChatRequest;
}

function addUnsupported(request: ResponseRequest, unsupported: UnsupportedFields): void {
  const isGiven = (name: string) => request[name] !== undefined && request[name] !== null;
  REFUSED.filter(isGiven).forEach((name) => unsupported.add(name));
  if (isGiven('truncation') && request.truncation !== 'disabled') {
    unsupported.add('truncation');
  }
}

/** Whether a choice of tools has to be sent even without tools, so that the upstream can refuse it. */
function isBinding(choice: unknown): boolean {
  return choice !== 'auto' && choice !== 'none';
}

function passedOn(request: ResponseRequest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !TRANSLATED.includes(name)));
}

/**
 * Instructions become a message of `system`: every provider of chats knows it, and newer ones read it as `developer`.
 */
function instructions({ instructions }: ResponseRequest): ChatMessage[] {
  return instructions ? [{ role: 'system', content: instructions }] : [];
}

/** A response asks for logprobs by `include` or `top_logprobs`, but a chat only by `logprobs`. */
function logprobs({ include, top_logprobs: top }: ResponseRequest): Record<string, unknown> {
  const isIncluded = Array.isArray(include) && include.includes(LOGPROBS);
  if (!isIncluded && !top) {
    return {};
  }
  return { logprobs: true, top_logprobs: top };
}
