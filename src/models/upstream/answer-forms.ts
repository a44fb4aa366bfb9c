import type { UpstreamResponse } from '../../http/upstream-transport';
import { isObject, jsonField, type JsonObject, objectsOf, shownValue } from '../../runtime/json';
import { UpstreamBrokeOff, UpstreamFailed } from '../errors';
import { eventsOfMessage, MessageDialect } from '../messages/message';
import type { CallProgress } from '../model-provider';
import { ResponseDialect } from '../responses/response';
import { ownEvent, type ServerSentEvent } from '../sse';
import { numbered } from '../stream-chunks';
import { CHAT_DIALECT, COMPLETION_DIALECT, type StreamDialect } from '../stream-dialects';
import { FailedAttempt } from './attempts';

export type AnswerApi = 'chat' | 'completion' | 'response' | 'message';

const CHUNK_OBJECTS = { chat: 'chat.completion.chunk', completion: 'text_completion' } as const;

/** By its first bytes: some servers answer with one JSON text or stream whatever was asked, or name the wrong type. */
export async function formOf(response: UpstreamResponse): Promise<'json' | 'events' | 'other'> {
  const start = await response.beginning();
  if (/^[[{]/.test(start)) {
    return 'json';
  }
  const isTyped = /^text\/event-stream\s*(?:;|$)/i.test(response.headers['content-type'] ?? '');
  return isTyped || /^(?:data|event|id|retry)?:/.test(start) ? 'events' : 'other';
}

export function* eventsOfAnswer(api: AnswerApi, answer: JsonObject): Generator<ServerSentEvent, undefined> {
  if (api === 'response' || api === 'message') {
    yield* api === 'response' ? eventsOfResponse(answer) : eventsOfMessage(answer);
    return;
  }
  const { choices, usage, ...rest } = answer;
  const chunk = (fields: object) =>
    ownEvent(JSON.stringify({ ...rest, object: CHUNK_OBJECTS[api], ...fields }));
  for (const [place, { message, finish_reason: reason, ...choice }] of objectsOf(choices).entries()) {
    const at = { index: place, ...choice };
    const delta = isObject(message) ? { delta: numbered(message) } : {};
    yield chunk({ choices: [{ ...at, ...delta, finish_reason: null }] });
    const last = api === 'chat' ? { delta: {} } : { text: '' };
    yield chunk({ choices: [{ index: at.index, ...last, finish_reason: reason ?? 'stop' }] });
  }
  if (isObject(usage)) {
    yield chunk({ choices: [], usage });
  }
  yield ownEvent('[DONE]');
}

const TEXTS = { output_text: 'text', refusal: 'refusal', reasoning_text: 'text' } as const;
const INPUTS = { function_call: 'arguments', custom_tool_call: 'input' } as const;
const ENDS: readonly unknown[] = ['completed', 'incomplete', 'failed'];

function* eventsOfResponse(response: JsonObject): Generator<ServerSentEvent, undefined> {
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
    const name = (TEXTS as Record<string, string | undefined>)[shownValue(part.type)];
    const begun = name === undefined ? part : { ...part, [name]: '' };
    const logprobs = part.type === 'output_text' ? { logprobs: part.logprobs ?? [] } : {};
    const texts =
      name === undefined
        ? []
        : [
            { type: `response.${shownValue(part.type)}.delta`, ...at, delta: part[name], ...logprobs },
            { type: `response.${shownValue(part.type)}.done`, ...at, [name]: part[name], ...logprobs },
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
  const type = `response.${shownValue(item.type)}_${input}`;
  return [
    { type: `${type}.delta`, delta: item[input] },
    { type: `${type}.done`, name: jsonField(item, 'name'), [input]: item[input] },
  ];
}

function inputName({ type }: JsonObject): string | null {
  return (INPUTS as Record<string, string | undefined>)[shownValue(type)] ?? null;
}

const DIALECTS: Readonly<Record<AnswerApi, () => StreamDialect>> = {
  chat: () => CHAT_DIALECT,
  completion: () => COMPLETION_DIALECT,
  response: () => new ResponseDialect(),
  message: () => new MessageDialect(),
};

/** Each piece of an answer comes with some hundred bytes of its event. */
const EVENTS_BYTES_MAX = 256 * 1024 * 1024;

/** @throws FailedAttempt where the stream breaks off or is too long: what it produced may be billed, so nobody else is asked */
export async function answerOfEvents(
  upstream: string,
  api: AnswerApi,
  events: AsyncIterable<ServerSentEvent>,
  progress?: CallProgress,
): Promise<string> {
  const whole = DIALECTS[api]().unstreamed();
  progress?.joined(() => whole.json(null));
  let length = 0;
  try {
    for await (const { content, bytes } of events) {
      length += bytes.length;
      if (length > EVENTS_BYTES_MAX) {
        throw new UpstreamBrokeOff(502, upstream, 'sent more than it was asked for');
      }
      if (content.kind === 'chunk') {
        whole.add(content.json);
      }
    }
    return whole.json(null);
  } catch (error) {
    if (!(error instanceof UpstreamBrokeOff)) {
      throw error;
    }
    const failure = new UpstreamFailed(upstream, 'broke off its answer', error);
    throw new FailedAttempt(failure.afterFirstByte(), false, true);
  }
}
