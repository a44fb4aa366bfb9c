import { given, isGiven, isObject, jsonField, type JsonObject } from '../../runtime/json';
import { missing, required, UnsupportedFields } from '../errors';
import type { ChatMessage, ChatRequest, ContentPart } from '../model-provider';
import type { InputBlock, InputMessage, MessageRequest } from './message-object';

/** Fields by which an upstream would run something itself: to leave them out would change the answer. */
const RUN_BY_UPSTREAM = ['mcp_servers', 'container'];

/**
 * What only the provider of a message reads is left out: `cache_control`, `metadata`, `service_tier`, thinking.
 * @throws UnsupportedModelParameter that names all that has no counterpart; ValidationFailed for malformed blocks
 */
export function toChatRequest(request: MessageRequest): ChatRequest {
  const { chat, unsupported } = asChat(request);
  unsupported.throwAny();
  return chat;
}

export function asChat(request: MessageRequest): { chat: ChatRequest; unsupported: UnsupportedFields } {
  const unsupported = new UnsupportedFields();
  RUN_BY_UPSTREAM.filter((name) => isGiven(request[name])).forEach((name) => unsupported.add(name));
  const tools = chatTools(request.tools, unsupported);
  const choice = request.tool_choice;
  const chat: JsonObject = {
    model: request.model,
    messages: [
      ...systemMessages(request.system, unsupported),
      ...request.messages.flatMap((message, index) =>
        chatMessages(message, `messages[${index}].content`, unsupported),
      ),
    ],
    max_tokens: request.max_tokens,
    temperature: request.temperature,
    top_p: request.top_p,
    stop: stopsOf(request).length > 0 ? stopsOf(request) : null,
    tools,
    // Upstreams refuse these two in a chat without tools.
    tool_choice: tools && chatToolChoice(choice),
    parallel_tool_calls: tools && jsonField(choice, 'disable_parallel_tool_use') === true ? false : null,
    response_format: chatFormat(request),
  };
  return { chat: given(chat) as ChatRequest, unsupported };
}

export function stopsOf({ stop_sequences: stops }: MessageRequest): string[] {
  return Array.isArray(stops) ? (stops as string[]) : [];
}

/** As one text, because not every server of chats takes parts in a system message. */
function systemMessages(system: MessageRequest['system'], unsupported: UnsupportedFields): ChatMessage[] {
  const parts = chatParts(system ?? '', 'system', unsupported);
  return parts.length === 0 ? [] : [{ role: 'system', content: textsOf(parts, 'system', unsupported) }];
}

function chatMessages(
  { role, content }: InputMessage,
  at: string,
  unsupported: UnsupportedFields,
): ChatMessage[] {
  if (role === 'assistant') {
    return assistantMessages(content, at, unsupported);
  }
  if (role === 'system') {
    return systemMessages(content, unsupported);
  }
  const results: ChatMessage[] = [];
  const parts = chatParts(content, at, unsupported, (block, place) => {
    const inner = chatParts(
      (block.content ?? '') as InputMessage['content'],
      `${place}.content`,
      unsupported,
    );
    const texts = inner.filter(({ type }) => type === 'text');
    results.push({
      role: 'tool',
      tool_call_id: required(block, 'tool_use_id', place),
      content: textsOf(texts, place, unsupported),
    });
    // The message of a tool holds text alone.
    return inner.filter(({ type }) => type !== 'text');
  });
  const user: ChatMessage[] =
    parts.length > 0 || results.length === 0 ? [{ role, content: bare(parts) }] : [];
  return [...results, ...user];
}

function assistantMessages(
  content: InputMessage['content'],
  at: string,
  unsupported: UnsupportedFields,
): ChatMessage[] {
  const calls: JsonObject[] = [];
  const parts = chatParts(content, at, unsupported, (block, place) => {
    calls.push({
      id: required(block, 'id', place),
      type: 'function',
      function: { name: required(block, 'name', place), arguments: JSON.stringify(block.input ?? {}) },
    });
    return [];
  });
  const isText = parts.every(({ type }) => type === 'text');
  const said = isText ? parts.map(({ text }) => text).join('') : parts;
  if (calls.length > 0) {
    return [{ role: 'assistant', content: said.length > 0 ? said : null, tool_calls: calls }];
  }
  return said.length > 0 ? [{ role: 'assistant', content: said }] : [];
}

/** @param called makes the parts of a `tool_use` or a `tool_result`; without it such blocks have no place */
function chatParts(
  content: InputMessage['content'],
  at: string,
  unsupported: UnsupportedFields,
  called: ((block: InputBlock, at: string) => ContentPart[]) | null = null,
): ContentPart[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ type: 'text', text: content }];
  }
  if (!Array.isArray(content)) {
    throw missing(at);
  }
  return content.flatMap((block: InputBlock, index) => {
    const place = `${at}[${index}]`;
    const isCall = block.type === 'tool_use' || block.type === 'tool_result';
    return called && isCall ? called(block, place) : chatPart(block, place, unsupported);
  });
}

function chatPart(block: InputBlock, at: string, unsupported: UnsupportedFields): ContentPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: required(block, 'text', at) }];
    case 'thinking':
    case 'redacted_thinking':
      return [];
  }
  const source = isObject(block.source) ? block.source : {};
  const url = source.type === 'base64' ? dataUrl(source, `${at}.source`) : source.url;
  if (block.type === 'image' && typeof url === 'string') {
    return [{ type: 'image_url', image_url: { url } }];
  }
  if (block.type === 'document') {
    const filename = typeof block.title === 'string' ? block.title : 'document.pdf';
    switch (source.type) {
      case 'base64':
        return [{ type: 'file', file: { filename, file_data: url } }];
      case 'text':
        return [{ type: 'text', text: required(source, 'data', `${at}.source`) }];
      case 'content':
        return chatParts(source.content as InputMessage['content'], `${at}.source.content`, unsupported);
    }
  }
  unsupported.add(at, `No such ${block.type}: the model that answers knows chats only.`);
  return [withoutCacheControl(block)];
}

/** What is kept of an upstream's cache is priced by the message, not by the chat. */
function withoutCacheControl({ cache_control: _, ...kept }: JsonObject): ContentPart {
  return kept as unknown as ContentPart;
}

function dataUrl(source: JsonObject, at: string): string {
  return `data:${required(source, 'media_type', at)};base64,${required(source, 'data', at)}`;
}

/** A single text becomes a string, which every provider of chats takes. */
function bare(parts: ContentPart[]): ChatMessage['content'] {
  const isText = parts.length === 0 || (parts.length === 1 && parts[0]?.type === 'text');
  return isText ? (parts[0]?.text ?? '') : parts;
}

function textsOf(parts: ContentPart[], at: string, unsupported: UnsupportedFields): ChatMessage['content'] {
  if (parts.every(({ type }) => type === 'text')) {
    return parts.map(({ text }) => text).join('\n\n');
  }
  unsupported.add(at, 'Only text stands here: the model that answers knows chats only.');
  return parts;
}

function chatTools(tools: unknown, unsupported: UnsupportedFields): unknown[] | null {
  if (!Array.isArray(tools) || tools.length === 0) {
    return null;
  }
  return tools.map((tool: JsonObject, index) => {
    const { type, name, description, input_schema: parameters, strict } = tool;
    if (isGiven(type) && type !== 'custom') {
      const why = `No tools of type ${String(type)}: the model that answers has only functions.`;
      unsupported.add(`tools[${index}]`, why);
      return withoutCacheControl(tool);
    }
    return { type: 'function', function: given({ name, description, parameters, strict }) };
  });
}

function chatToolChoice(choice: unknown): unknown {
  switch (jsonField(choice, 'type')) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: jsonField(choice, 'name') } };
    default:
      return jsonField(choice, 'type');
  }
}

function chatFormat({ output_config: configuration, output_format: older }: MessageRequest): unknown {
  const format = jsonField(configuration, 'format') ?? older;
  if (jsonField(format, 'type') !== 'json_schema') {
    return null;
  }
  return {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: jsonField(format, 'schema'), strict: true },
  };
}
