import { jsonField, type JsonObject, objectsOf, shownValue } from '../../runtime/json';
import { ownEvent, type ServerSentEvent } from '../sse';

export const TEXTS = { output_text: 'text', refusal: 'refusal', reasoning_text: 'text' } as const;
export const INPUTS = { function_call: 'arguments', custom_tool_call: 'input' } as const;

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete'];

/** A streamed response has no `[DONE]`. One that failed has broken off. */
export function isResponseEnd({ type }: JsonObject): boolean {
  return ENDS.includes(type);
}

const STATUSES: readonly unknown[] = ['completed', 'incomplete', 'failed'];

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
  const status = STATUSES.includes(response.status) ? String(response.status) : 'completed';
  yield event(`response.${status}`, { response });
}

interface ItemEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function begunItem(item: JsonObject): JsonObject {
  const input = memberOf(INPUTS, item);
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
    const ended = { type: 'response.content_part.done', ...at, part };
    const name = memberOf(TEXTS, part);
    if (name === null) {
      return [{ ...ended, type: 'response.content_part.added' }, ended];
    }
    const type = `response.${shownValue(part.type)}`;
    const logprobs = part.type === 'output_text' ? { logprobs: part.logprobs ?? [] } : {};
    return [
      { type: 'response.content_part.added', ...at, part: { ...part, [name]: '' } },
      { type: `${type}.delta`, ...at, delta: part[name], ...logprobs },
      { type: `${type}.done`, ...at, [name]: part[name], ...logprobs },
      ended,
    ];
  });
}

function eventsOfInput(item: JsonObject): ItemEvent[] {
  const input = memberOf(INPUTS, item);
  if (input === null) {
    return [];
  }
  const type = `response.${shownValue(item.type)}_${input}`;
  return [
    { type: `${type}.delta`, delta: item[input] },
    { type: `${type}.done`, name: jsonField(item, 'name'), [input]: item[input] },
  ];
}

function memberOf(members: Readonly<Record<string, string>>, { type }: JsonObject): string | null {
  const name = shownValue(type);
  return Object.hasOwn(members, name) ? (members[name] ?? null) : null;
}
