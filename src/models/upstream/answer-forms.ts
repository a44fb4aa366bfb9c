import type { UpstreamResponse } from '../../http/upstream-transport';
import { isObject, type JsonObject, objectsOf } from '../../runtime/json';
import { UpstreamBrokeOff, UpstreamFailed } from '../errors';
import { eventsOfMessage, MessageDialect } from '../messages/message';
import { ResponseDialect } from '../responses/response';
import { eventsOfResponse } from '../responses/whole-response';
import { ownEvent, type ServerSentEvent } from '../sse';
import { CHAT_DIALECT, COMPLETION_DIALECT, type UnstreamedAnswer } from '../stream-dialects';
import { FailedAttempt } from './attempts';

export type AnswerApi = 'chat' | 'completion' | 'response' | 'message';

const CHUNK_OBJECTS = { chat: 'chat.completion.chunk', completion: 'text_completion' } as const;

/** What a body is by its first bytes: some servers answer with one JSON text or stream whatever was asked, or name the wrong type. */
export async function formOf(response: UpstreamResponse): Promise<'json' | 'events' | 'other'> {
  const start = await response.beginning();
  if (/^[[{]/.test(start)) {
    return 'json';
  }
  const isTyped = /^text\/event-stream\s*(?:;|$)/i.test(response.headers['content-type'] ?? '');
  return isTyped || /^(?:data|event|id|retry)?:/.test(start) ? 'events' : 'other';
}

/** The stream that would have had the same content. */
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
    const delta = isObject(message) ? { delta: withIndexes(message) } : {};
    yield chunk({ choices: [{ ...at, ...delta, finish_reason: null }] });
    const last = api === 'chat' ? { delta: {} } : { text: '' };
    yield chunk({ choices: [{ index: at.index, ...last, finish_reason: reason ?? 'stop' }] });
  }
  if (isObject(usage)) {
    yield chunk({ choices: [], usage });
  }
  yield ownEvent('[DONE]');
}

function withIndexes(message: JsonObject): JsonObject {
  const calls = objectsOf(message.tool_calls);
  return calls.length === 0
    ? message
    : { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}

/**
 * The JSON text of the answer whose stream this is.
 * @throws FailedAttempt where it breaks off: what it produced may be billed, so nobody else is asked
 */
export async function answerOfEvents(
  upstream: string,
  api: AnswerApi,
  events: AsyncIterable<ServerSentEvent>,
): Promise<string> {
  const whole = unstreamedOf(api);
  try {
    for await (const { content } of events) {
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

function unstreamedOf(api: AnswerApi): UnstreamedAnswer {
  switch (api) {
    case 'chat':
      return CHAT_DIALECT.unstreamed();
    case 'completion':
      return COMPLETION_DIALECT.unstreamed();
    case 'response':
      return new ResponseDialect().unstreamed();
    case 'message':
      return new MessageDialect().unstreamed();
  }
}
