import type { ChatMessage, ChatRequest } from '../chat-completion';
import { chatMessages } from './chat-messages';
import { chatFormat, chatToolChoice, chatTools } from './chat-parameters';
import { jsonField } from '../../../infrastructure/json/json-object';
import type { ResponseRequest } from './response-object';
import { UnsupportedFields } from './unsupported-fields';

/** Fields of a response's request that become something else, or nothing, in a chat. All others are passed on. */
const TRANSLATED = [
  ...['input', 'instructions', 'max_output_tokens', 'text', 'reasoning', 'tools', 'tool_choice', 'include'],
  ...['parallel_tool_calls', 'top_logprobs', 'stream', 'stream_options', 'metadata', 'store', 'background'],
  ...['previous_response_id', 'conversation', 'truncation', 'max_tool_calls'],
];

/** What only a provider of responses can honour, and what would mean something else, or cost more, in a chat. */
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
 * The chat that asks for the same as a response's request. Of what a chat can't tell, earlier reasoning, summaries of
 * reasoning and `metadata` are left out, as the answer does not depend on them.
 *
 * @throws UnsupportedModelParameter naming everything else that has no counterpart in a chat
 * @throws ValidationFailed for items that are not of the documented form
 */
export function toChatRequest(request: ResponseRequest): ChatRequest {
  const unsupported = new UnsupportedFields();
  addUnsupported(request, unsupported);
  const tools = chatTools(request.tools, unsupported);
  const chat: Record<string, unknown> = {
    ...passedOn(request),
    messages: [...instructions(request), ...chatMessages(request.input, unsupported)],
    // The name that every provider of chats knows; those that want the newer one know responses.
    max_tokens: request.max_output_tokens,
    tools,
    tool_choice:
      tools || isBinding(request.tool_choice) ? chatToolChoice(request.tool_choice, unsupported) : undefined,
    // Upstreams refuse this without tools.
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

/** Whether a choice of tools means anything where there are none. */
function isBinding(choice: unknown): boolean {
  return choice !== 'auto' && choice !== 'none';
}

function passedOn(request: ResponseRequest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !TRANSLATED.includes(name)));
}

/** `system`, which every provider of chats knows; newer ones take it for `developer`. */
function instructions({ instructions }: ResponseRequest): ChatMessage[] {
  return instructions ? [{ role: 'system', content: instructions }] : [];
}

/** A chat tells logprobs when `logprobs` says so, a response when `include` or `top_logprobs` does. */
function logprobs({ include, top_logprobs: top }: ResponseRequest): Record<string, unknown> {
  const isIncluded = Array.isArray(include) && include.includes(LOGPROBS);
  if (!isIncluded && !top) {
    return {};
  }
  return { logprobs: true, top_logprobs: top };
}
