import { ValidationFailed } from '../../errors/request-errors';
import type { ChatMessage, ContentPart } from '../chat-completion';
import { chatContent } from './chat-content';
import type { ResponseInputItem, ResponseRequest } from './response-object';
import type { UnsupportedFields } from './unsupported-fields';

interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

type Mutable = { -readonly [Field in keyof ChatMessage]: ChatMessage[Field] };

/**
 * Translates the input items of a response to the messages of a chat. The function calls of one turn, and the text
 * beside them, become one assistant message, because a chat wants all calls of a turn before their first output.
 *
 * @param unsupported gets the field of every item that has no counterpart in a chat
 * @throws ValidationFailed for an item that lacks what its type needs
 */
export function chatMessages(input: ResponseRequest['input'], unsupported: UnsupportedFields): ChatMessage[] {
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
      addCall(messages, item, at);
      break;
    case 'function_call_output':
      messages.push({
        role: 'tool',
        tool_call_id: text(item, 'call_id', at),
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
  const role = text(item, 'role', at);
  const content = chatContent(item.content, role, `${at}.content`, unsupported);
  const last = messages.at(-1);
  if (role === 'assistant' && last?.tool_calls !== undefined) {
    last.content = last.content ? [...parts(last.content), ...parts(content)] : content;
    return;
  }
  messages.push({ role: role === 'developer' ? 'system' : role, content });
}

function addCall(messages: Mutable[], item: ResponseInputItem, at: string): void {
  const call: ToolCall = {
    id: text(item, 'call_id', at),
    type: 'function',
    function: { name: text(item, 'name', at), arguments: text(item, 'arguments', at) },
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

function text(item: ResponseInputItem, name: string, at: string): string {
  const value = item[name];
  if (typeof value === 'string') {
    return value;
  }
  throw new ValidationFailed([{ field: `${at}.${name}`, message: 'is required' }]);
}
