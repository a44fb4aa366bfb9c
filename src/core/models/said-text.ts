import { isObject, objectsOf } from './json/json-object';

/**
 * What a message, or a piece of one, says: its content where that is a text, and the texts among its parts where some
 * providers send those.
 */
export function saidText(content: unknown): string {
  return typeof content === 'string' ? content : textsOf(content);
}

/**
 * What a model thought before it said anything. DeepSeek and vLLM call it `reasoning_content`, OpenRouter `reasoning`,
 * and some servers both at once; Mistral makes it a part of the content.
 */
export function thoughtText(message: unknown): string {
  if (!isObject(message)) return '';
  const { reasoning_content: told, reasoning, content } = message;
  const named = [told, reasoning].find((text) => typeof text === 'string' && text !== '');
  return typeof named === 'string'
    ? named
    : objectsOf(content)
        .map(({ thinking }) => saidText(thinking))
        .join('');
}

function textsOf(parts: unknown): string {
  return objectsOf(parts)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}
