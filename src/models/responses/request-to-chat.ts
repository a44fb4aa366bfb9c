import type { CreateResponseRequest as ResponseRequest, ResponseInputItem } from '../../../generated/types';
import {
  given,
  isGiven,
  isObject,
  jsonField,
  type JsonObject,
  objectsOf,
  parsedJson,
  shownValue,
} from '../../runtime/json';
import { missing, required, UnsupportedFields } from '../errors';
import type { ChatMessage, ChatRequest, ContentPart } from '../model-provider';

export type { ResponseInputItem, ResponseRequest };

const TRANSLATED = [
  ...['input', 'instructions', 'max_output_tokens', 'text', 'reasoning', 'tools', 'tool_choice', 'include'],
  ...['parallel_tool_calls', 'top_logprobs', 'stream', 'stream_options', 'metadata', 'store', 'background'],
  ...['previous_response_id', 'conversation', 'truncation', 'max_tool_calls'],
];

/** Only the Responses API can honour these, or they would let a chat produce or cost more. */
const REFUSED = [
  ...['prompt', 'context_management', 'moderation', 'prompt_cache_options'],
  ...['messages', 'n', 'max_tokens', 'max_completion_tokens', 'response_format'],
  ...['functions', 'function_call'],
];

const LOGPROBS = 'message.output_text.logprobs';

/** @throws UnsupportedModelParameter that names all without a counterpart; ValidationFailed for malformed items */
export function toChatRequest(request: ResponseRequest): ChatRequest {
  return new ChatTranslation().chat(request);
}

type Mutable = { -readonly [Field in keyof ChatMessage]: ChatMessage[Field] };

class ChatTranslation {
  private readonly unsupported = new UnsupportedFields();
  private readonly messages: Mutable[] = [];

  chat(request: ResponseRequest): ChatRequest {
    REFUSED.filter((name) => isGiven(request[name])).forEach((name) => this.unsupported.add(name));
    if (isGiven(request.truncation) && request.truncation !== 'disabled') {
      this.unsupported.add('truncation');
    }
    const tools = this.tools(request.tools);
    this.addInput(request);
    const chat: JsonObject = {
      ...Object.fromEntries(Object.entries(request).filter(([name]) => !TRANSLATED.includes(name))),
      messages: this.messages,
      // Every chat provider knows `max_tokens`, or AddedFields moves the cap to the newer field.
      max_tokens: request.max_output_tokens,
      tools,
      tool_choice: tools || isBinding(request.tool_choice) ? this.toolChoice(request.tool_choice) : null,
      parallel_tool_calls: tools && request.parallel_tool_calls,
      response_format: this.format(jsonField(request.text, 'format')),
      verbosity: jsonField(request.text, 'verbosity'),
      reasoning_effort: jsonField(request.reasoning, 'effort'),
      ...logprobs(request),
    };
    this.unsupported.throwAny();
    return given(chat) as ChatRequest;
  }

  /** A chat wants all calls of a turn in one message, before their first output. */
  private addInput({ instructions, input }: ResponseRequest): void {
    if (instructions) {
      // Every chat provider knows `system`, and newer ones read it as `developer`.
      this.messages.push({ role: 'system', content: instructions });
    }
    if (typeof input === 'string') {
      this.messages.push({ role: 'user', content: input });
    } else {
      input.forEach((item, index) => this.addItem(item, `input[${index}]`));
    }
  }

  private addItem(item: ResponseInputItem, at: string): void {
    switch (item.type ?? 'message') {
      case 'message':
        this.addMessage(item, at);
        break;
      case 'function_call':
        this.addCall(item, required(item, 'arguments', at), at);
        break;
      case 'custom_tool_call':
        this.addCall(item, customArguments(required(item, 'input', at)), at);
        break;
      case 'custom_tool_call_output':
      case 'function_call_output':
        this.messages.push({
          role: 'tool',
          tool_call_id: required(item, 'call_id', at),
          content: this.content(item.output, 'tool', `${at}.output`),
        });
        break;
      case 'reasoning':
        // A chat cannot hold earlier reasoning, and its model does not need it.
        break;
      default:
        this.unsupported.add(at, `No items of type ${item.type}: the model that answers knows chats only.`);
    }
  }

  private addMessage(item: ResponseInputItem, at: string): void {
    const role = required(item, 'role', at);
    const content = this.content(item.content, role, `${at}.content`);
    const last = this.messages.at(-1);
    if (role === 'assistant' && last?.tool_calls !== undefined) {
      last.content = last.content ? [...parts(last.content), ...parts(content)] : content;
      return;
    }
    this.messages.push({ role: role === 'developer' ? 'system' : role, content });
  }

  private addCall(item: ResponseInputItem, sent: string, at: string): void {
    const call = {
      id: required(item, 'call_id', at),
      type: 'function',
      function: { name: required(item, 'name', at), arguments: sent },
    };
    const last = this.messages.at(-1);
    if (last?.role === 'assistant') {
      last.tool_calls = [...objectsOf(last.tool_calls), call];
      return;
    }
    this.messages.push({ role: 'assistant', content: null, tool_calls: [call] });
  }

  /** A single text becomes a string, which every chat provider takes. @throws ValidationFailed for malformed parts */
  private content(content: unknown, role: string, at: string): ChatMessage['content'] {
    if (typeof content === 'string') {
      return content;
    }
    if (!Array.isArray(content)) {
      throw missing(at);
    }
    const parts = content.map((part: ContentPart, index) => this.part(part, role, `${at}[${index}]`));
    const [only] = parts;
    return parts.length === 1 && only?.type === 'text' ? (only.text ?? '') : parts;
  }

  private part(part: ContentPart, role: string, at: string): ContentPart {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return { type: 'text', text: required(part, 'text', at) };
      case 'refusal':
        return { type: 'refusal', refusal: required(part, 'refusal', at) };
    }
    const medium = role === 'user' ? chatMedium(part) : null;
    if (!medium) {
      const what = `No such ${part.type} in a message of ${role}`;
      this.unsupported.add(at, `${what}: the model that answers knows chats only.`);
    }
    return medium ?? part;
  }

  private tools(tools: unknown): JsonObject[] | null {
    if (!Array.isArray(tools) || tools.length === 0) {
      return null;
    }
    return tools.map((tool: JsonObject, index) => {
      if (!isCalled(tool.type)) {
        const why = `No tools of type ${shownValue(tool.type)}: the model that answers has only functions.`;
        this.unsupported.add(`tools[${index}]`, why);
      }
      const { name, description, parameters, strict } =
        tool.type === 'custom' ? customAsFunction(tool) : tool;
      return { type: 'function', function: given({ name, description, parameters, strict }) };
    });
  }

  private toolChoice(choice: unknown): unknown {
    if (!isObject(choice)) {
      return choice;
    }
    const { type, name, mode, tools } = choice;
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
    this.unsupported.add('tool_choice');
    return null;
  }

  private format(format: unknown): JsonObject | null {
    if (!isObject(format)) {
      return null;
    }
    const { type, ...rest } = format;
    switch (type) {
      case 'text':
        return null;
      case 'json_object':
        return { type };
      case 'json_schema':
        return { type, json_schema: given(rest) };
      default:
        this.unsupported.add('text.format');
        return null;
    }
  }
}

function chatMedium({ type, detail, ...part }: ContentPart): ContentPart | null {
  const { image_url: url, file_data, filename, input_audio } = part;
  if (type === 'input_image' && typeof url === 'string') {
    return { type: 'image_url', image_url: { url, ...given({ detail }) } };
  }
  if (type === 'input_file' && typeof file_data === 'string') {
    return { type: 'file', file: { filename, file_data } };
  }
  const isSound = type === 'input_audio' && typeof jsonField(input_audio, 'data') === 'string';
  return isSound ? { type, input_audio } : null;
}

function parts(content: ChatMessage['content']): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function isCalled(type: unknown): boolean {
  return type === 'function' || type === 'custom';
}

/** A binding choice is sent even without tools, so that the upstream can refuse it. */
function isBinding(choice: unknown): boolean {
  return choice !== 'auto' && choice !== 'none';
}

function logprobs({ include, top_logprobs: top }: ResponseRequest): JsonObject {
  return top || include?.includes(LOGPROBS) ? { logprobs: true, top_logprobs: top } : {};
}

/** Each becomes a function for a chat. Source: OpenAI's guide "Function calling", custom tools. */
const INPUT = 'input';
const PARAMETERS = {
  type: 'object',
  properties: { [INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: [INPUT],
  additionalProperties: false,
};

export function customAsFunction({ name, description, format }: JsonObject): JsonObject {
  const [syntax, grammar] = [jsonField(format, 'syntax'), jsonField(format, 'definition')];
  const rule =
    typeof grammar === 'string'
      ? `The input has to follow this ${shownValue(syntax)} grammar:\n${grammar}`
      : null;
  const texts = [description, rule].filter((text) => typeof text === 'string');
  return { name, description: texts.length > 0 ? texts.join('\n\n') : undefined, parameters: PARAMETERS };
}

export function customArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input });
}

export function customInput(sent: string): string {
  const input = jsonField(parsedJson(sent), INPUT);
  return typeof input === 'string' ? input : sent;
}

export function customNames({ tools }: JsonObject): ReadonlySet<unknown> {
  return new Set(objectsOf(tools).flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])));
}
