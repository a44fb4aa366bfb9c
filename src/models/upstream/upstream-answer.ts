import { TotalTimedOut, TransportError, type UpstreamResponse } from '../../http/upstream-transport';
import { isObject, type JsonObject, objectsOf } from '../../runtime/json';
import { UpstreamBrokeOff, UpstreamFailed } from '../errors';
import type { CallProgress } from '../model-provider';
import { eventsOfMessage, MESSAGE_STOP, MessageDialect } from '../messages/message';
import { ResponseDialect } from '../responses/response';
import { eventsOfResponse, isResponseEnd } from '../responses/response-events';
import { EventReader, OversizedEvent, ownEvent, type ServerSentEvent, withoutState } from '../sse';
import { CallPlaces, FinishedChoices, numbered } from '../stream-chunks';
import { CHAT_DIALECT, COMPLETION_DIALECT, type StreamDialect } from '../stream-dialects';
import { FailedAttempt, failedTransport, garbage } from './attempts';
import {
  errorWithin,
  failureWithin,
  holdsKey,
  type RefusingUpstream,
  reportedFailure,
} from './reported-failure';

const REFUSAL_BYTES_MAX = 64 * 1024;
const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{10,30} GMT)$/;

/** Reads the body to its end, or closes the connection. */
export async function refusedStatus(
  refuser: RefusingUpstream,
  response: UpstreamResponse,
): Promise<FailedAttempt> {
  const { status } = response;
  const retryAfter = retryAfterOf(response);
  return reportedFailure(refuser, { status, body: await bodyOf(response), retryAfter });
}

function retryAfterOf({ headers }: UpstreamResponse): string | null {
  const value = headers['retry-after'];
  return value !== undefined && RETRY_AFTER.test(value) ? value : null;
}

async function bodyOf(response: UpstreamResponse): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await response.read(REFUSAL_BYTES_MAX));
  } catch (error) {
    if (error instanceof TransportError || error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export interface ReadAnswer {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

const LISTS = {
  chat: 'choices',
  completion: 'choices',
  response: 'output',
  message: 'content',
  embedding: 'data',
} as const;

type WholeApi = keyof typeof LISTS;

/** @throws FailedAttempt where the body is unreadable, lacks the list or reports a failure; the signal's reason */
export async function readAnswer(
  refuser: RefusingUpstream,
  response: UpstreamResponse,
  api: WholeApi,
  progress?: CallProgress,
): Promise<ReadAnswer> {
  const received = progress && ((chunk: Buffer) => progress.received(chunk));
  const reading = async () =>
    api !== 'embedding' && (await formOf(response)) === 'events'
      ? answerOfEvents(refuser.name, api, (await openStream(refuser, response, api)).events, progress)
      : response.read(ANSWER_BYTES_MAX, received);
  const body = await reading().catch((error: unknown) => {
    throw failedTransport(refuser.name, error, 'is final');
  });
  const { text, json } = parsed(refuser.name, body);
  const error = isObject(json) ? errorWithin(json) : null;
  if (error !== null) {
    // The upstream itself says that it did not answer, so another provider may be asked.
    throw failureWithin(refuser, error, { retryAfter: retryAfterOf(response), isUnknownRetryable: false });
  }
  const list = isObject(json) ? json[LISTS[api]] : null;
  if (isObject(json) && Array.isArray(list) && list.every(isObject)) {
    return { text, json };
  }
  throw garbage(refuser.name, 'sent what is no answer');
}

function parsed(upstream: string, body: Buffer | string): { text: string; json: unknown } {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { text, json: JSON.parse(text) as unknown };
  } catch {
    // The cause is left out, because its message quotes what the upstream sent.
    throw garbage(upstream, 'sent what is no answer');
  }
}

/** Of comments before the first event. An upstream that sends more has failed. */
const HELD_BYTES_MAX = 1024 * 1024;

export interface OpenedStream {
  readonly first: Readonly<Record<string, unknown>>;
  readonly events: AsyncIterable<ServerSentEvent>;
}

/** Until the first event with data a failure is the attempt's. @throws FailedAttempt, the signal's reason */
export async function openStream(
  source: RefusingUpstream,
  response: UpstreamResponse,
  api: AnswerApi,
): Promise<OpenedStream> {
  const held: ServerSentEvent[] = [];
  try {
    const events = await eventsIn(source, response, api);
    const first = await firstChunk(source, events, held, retryAfterOf(response));
    return { first, events: passOn(source, response, held, events) };
  } catch (error) {
    response.discard();
    throw asFailedAttempt(source.name, error);
  }
}

type Events = Pick<EventReader, 'next'>;

async function eventsIn(
  source: RefusingUpstream,
  response: UpstreamResponse,
  api: AnswerApi,
): Promise<Events> {
  switch (await formOf(response)) {
    case 'events':
      return new EventReader(() => response.next());
    case 'json': {
      const events = eventsOfAnswer(api, (await readAnswer(source, response, api)).json);
      return { next: () => events.next().value ?? null };
    }
    default:
      throw garbage(source.name, 'sent no stream of events');
  }
}

async function firstChunk(
  refuser: RefusingUpstream,
  events: Events,
  held: ServerSentEvent[],
  retryAfter: string | null,
): Promise<Readonly<Record<string, unknown>>> {
  const { name: upstream } = refuser;
  let heldBytes = 0;
  for (;;) {
    const event = await events.next();
    if (event === null) {
      throw new FailedAttempt(new UpstreamFailed(upstream, 'ended before its first event'), true, true);
    }
    held.push(event);
    heldBytes += event.bytes.length;
    const { content } = event;
    const error = errorOf(event);
    if (error !== null) {
      throw failureWithin(refuser, error, { retryAfter, isUnknownRetryable: true });
    }
    if ('json' in content) {
      return content.json;
    }
    if (content.kind !== 'comment' || heldBytes > HELD_BYTES_MAX) {
      throw garbage(upstream, 'sent what is no answer');
    }
  }
}

function errorOf({ content }: ServerSentEvent): unknown {
  if (content.kind === 'error') {
    return errorWithin(content.json) ?? content.json;
  }
  return content.kind === 'chunk' ? errorWithin(content.json) : null;
}

function asFailedAttempt(upstream: string, error: unknown): unknown {
  if (error instanceof OversizedEvent) {
    return garbage(upstream, 'sent an event that is too large', error);
  }
  return error instanceof TransportError ? failedTransport(upstream, error, 'may be retried') : error;
}

/** How long a server may take to end its answer after `[DONE]` before its connection is closed. */
const REST_TIMEOUT_MS = 1000;

/** Each piece of an answer comes with some hundred bytes of its event. A bound on what translations keep of them. */
const EVENTS_BYTES_MAX = 256 * 1024 * 1024;

/** Without `[DONE]` complete when every choice has a finish_reason. @throws UpstreamBrokeOff, the signal's reason */
async function* passOn(
  source: RefusingUpstream,
  response: UpstreamResponse,
  held: readonly ServerSentEvent[],
  rest: Events,
): AsyncGenerator<ServerSentEvent> {
  const choices = new FinishedChoices();
  const calls = new CallPlaces();
  let isDone = false;
  let length = 0;
  try {
    for (let at = 0; ; at += 1) {
      const coming = held[at] ?? rest.next();
      const sent = coming instanceof Promise ? await coming : coming;
      if (sent === null) {
        break;
      }
      length += sent.bytes.length;
      if (length > EVENTS_BYTES_MAX) {
        throw new UpstreamBrokeOff(502, source.name, 'sent more than it was asked for');
      }
      const event = calls.given(withoutState(sent));
      if (event.bytes.length === 0) {
        continue;
      }
      const { content } = event;
      if (content.kind === 'garbage') {
        throw new UpstreamBrokeOff(502, source.name, 'sent garbage');
      }
      if (errorOf(event) !== null) {
        const isPassedOn = !holdsKey(event.data, source.apiKey);
        if (isPassedOn) {
          yield event;
        }
        const wasReported = isPassedOn && isError(event);
        throw new UpstreamBrokeOff(502, source.name, 'reported an error', undefined, wasReported);
      }
      if (content.kind === 'chunk') {
        choices.see(event.chunk.choices);
        if (choices.areTooMany) {
          throw new UpstreamBrokeOff(502, source.name, 'sent more than it was asked for');
        }
      }
      const isEnd =
        content.kind === 'chunk' && (isResponseEnd(content.json) || content.json.type === MESSAGE_STOP);
      isDone = content.kind === 'done' || isEnd;
      yield event;
      if (isDone) {
        return;
      }
    }
    isDone = true;
    if (!choices.areAll) {
      throw new UpstreamBrokeOff(502, source.name, 'ended');
    }
  } catch (error) {
    throw brokenOff(source.name, error);
  } finally {
    if (isDone) {
      void readToEnd(response, rest);
    } else {
      response.discard();
    }
  }
}

function isError({ content }: ServerSentEvent): boolean {
  return content.kind === 'error' || (content.kind === 'chunk' && content.json.type === 'response.failed');
}

function brokenOff(upstream: string, error: unknown): unknown {
  if (error instanceof TotalTimedOut) {
    return new UpstreamBrokeOff(504, upstream, `did not end within ${error.timeoutMs} ms`, error);
  }
  if (error instanceof OversizedEvent) {
    return new UpstreamBrokeOff(502, upstream, 'sent an event that is too large', error);
  }
  return error instanceof TransportError ? new UpstreamBrokeOff(502, upstream, 'broke off', error) : error;
}

async function readToEnd(response: UpstreamResponse, rest: Events): Promise<void> {
  const timer = setTimeout(() => response.discard(), REST_TIMEOUT_MS);
  try {
    while ((await rest.next()) !== null) {}
  } catch {
    // The failure closes the connection, and the client already has the whole answer.
  } finally {
    clearTimeout(timer);
  }
}

export type AnswerApi = 'chat' | 'completion' | 'response' | 'message';

const CHUNK_OBJECTS = { chat: 'chat.completion.chunk', completion: 'text_completion' } as const;

/** By its first bytes: some servers ignore the form that was asked for, or name the wrong type. */
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

const DIALECTS: Readonly<Record<AnswerApi, () => StreamDialect>> = {
  chat: () => CHAT_DIALECT,
  completion: () => COMPLETION_DIALECT,
  response: () => new ResponseDialect(),
  message: () => new MessageDialect(),
};

/** @throws FailedAttempt where the stream breaks off: it may be billed, so no other is asked */
export async function answerOfEvents(
  upstream: string,
  api: AnswerApi,
  events: AsyncIterable<ServerSentEvent>,
  progress?: CallProgress,
): Promise<string> {
  const whole = DIALECTS[api]().unstreamed();
  progress?.joined(() => whole.json(null));
  try {
    for await (const { content } of events) {
      if (content.kind === 'chunk') {
        whole.add(content.json);
      }
    }
    return whole.json(null);
  } catch (error) {
    // JSON.stringify throws for JSON nested too deeply, which JSON.parse reads all the same.
    if (!(error instanceof UpstreamBrokeOff || error instanceof RangeError)) {
      throw error;
    }
    const failure = new UpstreamFailed(upstream, 'broke off its answer', error);
    throw new FailedAttempt(failure.afterFirstByte(), false, true);
  }
}
