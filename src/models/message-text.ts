import { isObject, jsonField, objectsOf, type JsonObject, valuesIn } from '../runtime/json';

/** A provider may send anything as a message; missing texts are empty. */
export function saidByModel(message: unknown) {
  const said = isObject(message) ? message : {};
  return {
    text: saidText(said.content),
    refusal: textOf(said.refusal),
    thought: thoughtText(said),
    calls: objectsOf(said.tool_calls),
  };
}

export interface MediaByModel {
  /** Characters of base64. */
  readonly soundLength: number;
  readonly images: number;
}

export function mediaByModel(message: unknown): MediaByModel {
  const sound = textOf(jsonField(jsonField(message, 'audio'), 'data'));
  return { soundLength: sound.length, images: objectsOf(jsonField(message, 'images')).length };
}

/** All texts that are paid for. A message without any known text is charged for those of its unknown members. */
export function producedByMessage(message: unknown): string[] {
  if (isPlainText(message)) {
    return [message.content];
  }
  const { text, refusal, thought, calls } = saidByModel(message);
  const called = [
    ...calls.flatMap((call) => [call.function, call.custom]),
    isObject(message) && message.function_call,
  ];
  const texts = [
    ...(thought === '' ? detailTexts(message) : []),
    ...[text, refusal, thought, textOf(jsonField(jsonField(message, 'audio'), 'transcript'))],
    ...called.filter(isObject).flatMap((one) => [one.name, one.arguments, one.input].map(textOrJson)),
  ];
  return texts.some((one) => one !== '') ? texts : unknownTexts(message);
}

/** All texts of Anthropic's blocks, or of pieces of them, that are paid for. */
export function producedByBlocks(blocks: unknown): string[] {
  return objectsOf(blocks).flatMap(({ text, thinking, name, input, partial_json: piece }) => {
    const given = isObject(input) && Object.keys(input).length > 0 ? [JSON.stringify(input)] : [];
    const texts = [text, thinking, name, piece].filter((one) => typeof one === 'string' && one !== '');
    return [...(texts as string[]), ...given];
  });
}

/** Nearly all pieces of a stream are plain, and need no further search. */
function isPlainText(message: unknown): message is { readonly content: string } {
  if (!isObject(message) || typeof message.content !== 'string' || message.content === '') {
    return false;
  }
  for (const name in message) {
    if (name !== 'content' && name !== 'role') {
      return false;
    }
  }
  return true;
}

const KNOWN = new Set([
  ...['role', 'name', 'content', 'refusal', 'reasoning', 'reasoning_content', 'reasoning_details'],
  ...['tool_calls', 'function_call', 'audio', 'images', 'annotations', 'tool_call_id', 'id', 'type'],
]);

function unknownTexts(message: unknown): string[] {
  const unknown = Object.entries(isObject(message) ? message : {}).filter(([name]) => !KNOWN.has(name));
  return [...valuesIn(unknown.map(([, value]) => value))].filter((value) => typeof value === 'string');
}

/** Some servers send the arguments of a call as an object. */
function textOrJson(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : textOf(value);
}

function saidText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : objectsOf(content)
        .map(({ type, text }) => (type === 'text' ? textOf(text) : ''))
        .join('');
}

/** DeepSeek, vLLM: `reasoning_content`; OpenRouter: `reasoning`; Mistral: parts. Some send the same text as both. */
function thoughtText({ reasoning_content: reasoningContent, reasoning, content }: JsonObject): string {
  const parts = objectsOf(content).map(({ thinking }) => saidText(thinking));
  return textOf(reasoningContent) || textOf(reasoning) || parts.join('');
}

function detailTexts(message: unknown): string[] {
  return objectsOf(jsonField(message, 'reasoning_details')).flatMap(({ text, summary, data }) =>
    [text, summary, data].map(textOf),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
