import { ValidationFailed } from '../../errors/request-errors';
import type { ChatMessage, ContentPart } from '../chat-completion';
import { jsonField } from '../../../infrastructure/json/json-object';
import type { UnsupportedFields } from './unsupported-fields';

/**
 * Translates the content of a response's input item to the content of a chat's message. A single text becomes a string,
 * which every provider of chats takes.
 *
 * @param role the role of the chat's message: only a user's message may hold files, images and audio
 * @param at the name of the content's field in the request, for errors
 * @param unsupported gets the field of every part that has no counterpart in such a message
 * @throws ValidationFailed for what is neither a text nor parts, and for parts without what their type needs
 */
export function chatContent(
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
      return { type: 'image_url', image_url: { url: part.image_url, ...imageDetail(part) } };
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

function imageDetail({ detail }: ContentPart): { detail?: unknown } {
  return detail === undefined || detail === null ? {} : { detail };
}

function required(part: ContentPart, name: string, at: string): string {
  const value = part[name];
  if (typeof value === 'string') {
    return value;
  }
  throw missing(`${at}.${name}`);
}

function missing(at: string): ValidationFailed {
  return new ValidationFailed([{ field: at, message: 'is required' }]);
}
