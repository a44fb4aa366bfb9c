import { isObject, objectsOf, type JsonObject } from '../../infrastructure/json/json-object';

/** What a chat's message says, or the delta of one. A provider may send anything, so anything is expected. */
export interface SaidByModel {
  readonly text: string;
  /** Said in place of a text by a model that refuses. */
  readonly refusal: string;
  /** What it thought before it said anything. */
  readonly thought: string;
  /** The functions that it calls, or pieces of such calls, as they were sent. */
  readonly calls: readonly JsonObject[];
}

/** Reads a message, whole or in pieces; empty texts where it says nothing. */
export function saidByModel(message: unknown): SaidByModel {
  if (!isObject(message)) {
    return { text: '', refusal: '', thought: '', calls: [] };
  }
  const { content, refusal, tool_calls: calls } = message;
  return {
    text: saidText(content),
    refusal: textOf(refusal),
    thought: thoughtText(message),
    calls: objectsOf(calls),
  };
}

/**
 * All text in a message that a model produced and that is paid for: what it says, refuses or thinks, and the names and
 * arguments of what it calls. Some of them may be empty.
 */
export function producedByMessage(message: unknown): string[] {
  const { text, refusal, thought, calls } = saidByModel(message);
  const called = [...calls.map((call) => call.function), isObject(message) && message.function_call];
  return [
    ...[text, refusal, thought],
    ...called.filter(isObject).flatMap(({ name, arguments: given }) => [textOf(name), textOf(given)]),
  ];
}

/** A message's content where it is a text, and the texts among its parts where some providers send those. */
function saidText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objectsOf(content)
        .map(({ type, text }) => (type === 'text' ? textOf(text) : ''))
        .join('');
}

/**
 * DeepSeek and vLLM call it `reasoning_content`, OpenRouter `reasoning`, and some servers both at once; Mistral makes it a
 * part of the content.
 */
function thoughtText({ reasoning_content: told, reasoning, content }: JsonObject): string {
  const named = textOf(told) || textOf(reasoning);
  return (
    named ||
    objectsOf(content)
      .map(({ thinking }) => saidText(thinking))
      .join('')
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
