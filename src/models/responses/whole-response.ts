import { jsonField, type JsonObject, objectsOf } from '../../runtime/json';
import { ownEvent, type ServerSentEvent } from '../sse';

const TEXTS = { output_text: 'text', refusal: 'refusal', reasoning_text: 'text' } as const;
const INPUTS = { function_call: 'arguments', custom_tool_call: 'input' } as const;
const ENDS: readonly unknown[] = ['completed', 'incomplete', 'failed'];

/** The stream of a response that came as a whole: each text is one delta. */
export function* eventsOfResponse(response: JsonObject): Generator<ServerSentEvent, undefined> {
  let number = 0;
  const event = (type: string, fields: object) =>
    ownEvent(JSON.stringify({ type, ...fields, sequence_number: number++ }), type);
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  yield event('response.created', { response: begun });
  yield event('response.in_progress', { response: begun });
  for (const [place, item] of objectsOf(response.output).entries()) {
    yield event('response.output_item.added', { output_index: place, item: begunItem(item) });
    for (const { type, ...fields } of [...eventsOfParts(item), ...eventsOfInput(item)]) {
      yield event(type, { item_id: item.id, output_index: place, ...fields });
    }
    yield event('response.output_item.done', { output_index: place, item });
  }
  const status = ENDS.includes(response.status) ? String(response.status) : 'completed';
  yield event(`response.${status}`, { response });
}

interface ItemEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function begunItem(item: JsonObject): JsonObject {
  const input = inputName(item);
  return {
    ...item,
    ...('status' in item && { status: 'in_progress' }),
    ...(Array.isArray(item.content) && { content: [] }),
    ...(input !== null && { [input]: '' }),
  };
}

function eventsOfParts({ content }: JsonObject): ItemEvent[] {
  return objectsOf(content).flatMap((part, place) => {
    const at = { content_index: place };
    const name = (TEXTS as Record<string, string | undefined>)[String(part.type)];
    const begun = name === undefined ? part : { ...part, [name]: '' };
    const logprobs = part.type === 'output_text' ? { logprobs: part.logprobs ?? [] } : {};
    const texts =
      name === undefined
        ? []
        : [
            { type: `response.${String(part.type)}.delta`, ...at, delta: part[name], ...logprobs },
            { type: `response.${String(part.type)}.done`, ...at, [name]: part[name], ...logprobs },
          ];
    return [
      { type: 'response.content_part.added', ...at, part: begun },
      ...texts,
      { type: 'response.content_part.done', ...at, part },
    ];
  });
}

function eventsOfInput(item: JsonObject): ItemEvent[] {
  const input = inputName(item);
  if (input === null) {
    return [];
  }
  const type = `response.${String(item.type)}_${input}`;
  return [
    { type: `${type}.delta`, delta: item[input] },
    { type: `${type}.done`, name: jsonField(item, 'name'), [input]: item[input] },
  ];
}

function inputName({ type }: JsonObject): string | null {
  return (INPUTS as Record<string, string | undefined>)[String(type)] ?? null;
}
