import type {
  CreateMessageRequest as MessageRequest,
  InputBlock,
  InputMessage,
} from '../../../generated/types';
import { given, isGiven, isObject, jsonField, type JsonObject } from '../../runtime/json';
import { missing, required, UnsupportedFields } from '../errors';
import type { ChatMessage, ChatRequest, ContentPart } from '../model-provider';

export type { InputMessage, MessageRequest };

/** The upstream would run these itself; leaving them out would change the answer. */
const RUN_BY_UPSTREAM = ['mcp_servers', 'container'];

/** @throws UnsupportedModelParameter that names all without a counterpart; ValidationFailed for malformed blocks */
export function toChatRequest(request: MessageRequest): ChatRequest {
  const translation = new ChatTranslation();
  const chat = translation.chat(request);
  translation.unsupported.throwAny();
  return chat;
}

/** As far as a chat has counterparts. */
export function asChat(request: MessageRequest): ChatRequest {
  return new ChatTranslation().chat(request);
}

export function stopsOf({ stop_sequences: stops }: MessageRequest): string[] {
  return stops ?? [];
}

type CallReader = (block: InputBlock, at: string) => ContentPart[];

class ChatTranslation {
  readonly unsupported = new UnsupportedFields();

  chat(request: MessageRequest): ChatRequest {
    RUN_BY_UPSTREAM.filter((name) => isGiven(request[name])).forEach((name) => this.unsupported.add(name));
    const tools = this.tools(request.tools);
    const choice = request.tool_choice;
    return given({
      model: request.model,
      messages: [
        ...this.system(request.system ?? ''),
        ...request.messages.flatMap((message, index) => this.messages(message, `messages[${index}].content`)),
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
    }) as ChatRequest;
  }

  /** One text, because not every chat server takes parts in a system message. */
  private system(content: InputMessage['content']): ChatMessage[] {
    const parts = this.parts(content, 'system');
    return parts.length === 0 ? [] : [{ role: 'system', content: this.text(parts, 'system') }];
  }

  private messages({ role, content }: InputMessage, at: string): ChatMessage[] {
    if (role === 'assistant') {
      return this.ofAssistant(content, at);
    }
    if (role === 'system') {
      return this.system(content);
    }
    const results: ChatMessage[] = [];
    const parts = this.parts(content, at, (block, place) => {
      const inner = this.parts((block.content ?? '') as InputMessage['content'], `${place}.content`);
      const texts = inner.filter(isText);
      results.push({
        role: 'tool',
        tool_call_id: required(block, 'tool_use_id', place),
        content: this.text(texts, place),
      });
      // A tool's message can only hold text.
      return inner.filter((part) => !isText(part));
    });
    const isSaid = parts.length > 0 || results.length === 0;
    return isSaid ? [...results, { role, content: bare(parts) }] : results;
  }

  private ofAssistant(content: InputMessage['content'], at: string): ChatMessage[] {
    const calls: JsonObject[] = [];
    const parts = this.parts(content, at, (block, place) => {
      calls.push({
        id: required(block, 'id', place),
        type: 'function',
        function: { name: required(block, 'name', place), arguments: JSON.stringify(block.input ?? {}) },
      });
      return [];
    });
    const said = parts.every(isText) ? parts.map(({ text }) => text).join('') : parts;
    if (calls.length > 0) {
      return [{ role: 'assistant', content: said.length > 0 ? said : null, tool_calls: calls }];
    }
    return said.length > 0 ? [{ role: 'assistant', content: said }] : [];
  }

  private parts(content: InputMessage['content'], at: string, called?: CallReader): ContentPart[] {
    if (typeof content === 'string') {
      return content === '' ? [] : [{ type: 'text', text: content }];
    }
    if (!Array.isArray(content)) {
      throw missing(at);
    }
    return content.flatMap((block, index) => {
      const place = `${at}[${index}]`;
      const isCall = block.type === 'tool_use' || block.type === 'tool_result';
      return called && isCall ? called(block, place) : this.part(block, place);
    });
  }

  private part(block: InputBlock, at: string): ContentPart[] {
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
          return this.parts(source.content as InputMessage['content'], `${at}.source.content`);
      }
    }
    this.unsupported.add(at, `No such ${block.type}: the model that answers knows chats only.`);
    return [withoutCacheControl(block) as ContentPart];
  }

  private text(parts: ContentPart[], at: string): ChatMessage['content'] {
    if (parts.every(isText)) {
      return parts.map(({ text }) => text).join('\n\n');
    }
    this.unsupported.add(at, 'Only text stands here: the model that answers knows chats only.');
    return parts;
  }

  private tools(tools: unknown): unknown[] | null {
    if (!Array.isArray(tools) || tools.length === 0) {
      return null;
    }
    return tools.map((tool: JsonObject, index) => {
      const { type, name, description, input_schema: parameters, strict } = tool;
      if (isGiven(type) && type !== 'custom') {
        const why = `No tools of type ${String(type)}: the model that answers has only functions.`;
        this.unsupported.add(`tools[${index}]`, why);
        return withoutCacheControl(tool);
      }
      return { type: 'function', function: given({ name, description, parameters, strict }) };
    });
  }
}

function isText({ type }: ContentPart): boolean {
  return type === 'text';
}

/** Cache writes are priced by the message, not by the chat. */
function withoutCacheControl({ cache_control: _, ...kept }: JsonObject): JsonObject {
  return kept;
}

function dataUrl(source: JsonObject, at: string): string {
  return `data:${required(source, 'media_type', at)};base64,${required(source, 'data', at)}`;
}

/** A single text becomes a string, which every chat provider takes. */
function bare(parts: ContentPart[]): ChatMessage['content'] {
  const isBare = parts.length < 2 && parts.every(isText);
  return isBare ? (parts[0]?.text ?? '') : parts;
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
