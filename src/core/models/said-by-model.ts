import { isObject, objectsOf, type JsonObject } from '../../infrastructure/json/json-object';

/** What a chat's message says, or a piece of one in a stream. */
export interface SaidByModel {
  readonly text: string;
  /** What a model says instead of a text when it refuses to answer. */
  readonly refusal: string;
  /** What the model thought before it answered. */
  readonly thought: string;
  /** The model's calls of functions, or pieces of such calls, as they were sent. */
  readonly calls: readonly JsonObject[];
}

/** Reads a message or a piece of one, which may be any value: a provider may send anything. Missing texts are empty. */
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
 * All texts in a message that a model produced and that are paid for: what it says, refuses or thinks, and the names
 * and arguments of the functions that it calls. Some of the texts may be empty.
 */
export function producedByMessage(message: unknown): string[] {
  const { text, refusal, thought, calls } = saidByModel(message);
  const called = [...calls.map((call) => call.function), isObject(message) && message.function_call];
  return [
    ...[text, refusal, thought],
    ...called.filter(isObject).flatMap(({ name, arguments: given }) => [textOf(name), textOf(given)]),
  ];
}

/** The text of a message's content. Some providers send a list of parts, whose texts are joined. */
function saidText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objectsOf(content)
        .map(({ type, text }) => (type === 'text' ? textOf(text) : ''))
        .join('');
}

/**
 * DeepSeek and vLLM send thoughts as `reasoning_content`, OpenRouter as `reasoning`, and some servers send the same
 * text as both; Mistral sends them as parts of the content.
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
