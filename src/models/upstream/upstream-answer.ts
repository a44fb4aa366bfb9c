import type { Logger } from '@nestjs/common';
import { TotalTimedOut, TransportError } from '../../http/upstream-errors';
import type { UpstreamResponse } from '../../http/upstream-transport';
import { isObject, parsedJson } from '../../runtime/json';
import { UpstreamBrokeOff, UpstreamFailed, UpstreamRefused, UpstreamUnavailable } from '../errors';
import type { CallProgress } from '../model-provider';
import { isResponseEnd } from '../responses/response-object';
import { OversizedEvent, readServerSentEvents, type ServerSentEvent } from '../sse';
import { FinishedChoices, readChunk } from '../stream-chunks';
import { FailedAttempt, failedTransport, garbage } from './attempts';

const REDACTED = '[redacted]';
/** A printable ASCII character as JSON may escape it. JSON within a text of JSON has more backslashes. */
const ESCAPED = /\\+u00([2-6][0-9a-f]|7[0-9a-e])/gi;

/** Only the redaction where the key stands in the text in an escaped form. */
function withoutKey(text: string, apiKey: string | null): string {
  const rest = formsOf(apiKey).reduce((left, form) => left.replaceAll(form, REDACTED), text);
  return holdsKey(rest, apiKey) ? REDACTED : rest;
}

/** No client may get a text that repeats the upstream's key, in whatever escaped form. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  const plain = unescaped(text);
  return formsOf(apiKey).some((form) => plain.includes(unescaped(form)));
}

function formsOf(apiKey: string | null): string[] {
  return apiKey === null ? [] : [apiKey, encodeURIComponent(apiKey)];
}

/** Drops all backslashes: servers differ in what they escape, such as `+` and `/`. */
function unescaped(text: string): string {
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '');
}

const REFUSAL_BYTES_MAX = 64 * 1024;
const LOGGED_LENGTH_MAX = 500;
/** The client's request is at fault, so the client gets the upstream's own answer. */
const PASSED_ON = new Set([400, 404, 413, 422]);
const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{10,30} GMT)$/;

export interface Refuser {
  readonly name: string;
  readonly apiKey: string | null;
  readonly logger: Logger;
}

/** Reads the body to its end, or closes the connection. */
export async function refusedStatus(
  { name, apiKey, logger }: Refuser,
  response: UpstreamResponse,
): Promise<FailedAttempt> {
  const { status } = response;
  if (status === 429) {
    response.discard();
    const retryAfter = retryAfterOf(response);
    const failure = new UpstreamUnavailable(name, 'takes no more calls at present', retryAfter);
    return new FailedAttempt(failure, false, false);
  }
  const body = await bodyOf(response);
  if (PASSED_ON.has(status)) {
    const isFit = body !== null && parsedJson(body) !== undefined && !holdsKey(body, apiKey);
    return new FailedAttempt(new UpstreamRefused(name, status, isFit ? body : null), false, false);
  }
  const shown = withoutKey(body ?? '', apiKey).slice(0, LOGGED_LENGTH_MAX);
  logger.warn(`The upstream ${name} answered with status ${status}: ${shown}`);
  const isFault = status >= 500;
  return new FailedAttempt(new UpstreamFailed(name, `answered with status ${status}`), isFault, isFault);
}

/** Null where it is neither seconds nor a date. */
function retryAfterOf({ headers }: UpstreamResponse): string | null {
  const value = headers['retry-after'];
  return value !== undefined && RETRY_AFTER.test(value) ? value : null;
}

/** Null where it is too long, breaks off or is no text: the status alone says what happened. */
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

/** @throws FailedAttempt where the body cannot be read or lacks the list; the signal's reason */
export async function readAnswer(
  upstream: string,
  response: UpstreamResponse,
  list: 'choices' | 'data' | 'output',
  progress?: CallProgress,
): Promise<ReadAnswer> {
  const received = progress && ((chunk: Buffer) => progress.received(chunk));
  const bytes = await response.read(ANSWER_BYTES_MAX, received).catch((error: unknown) => {
    throw failedTransport(upstream, error, 'is final');
  });
  const { text, json } = parsed(upstream, bytes);
  if (isObject(json) && Array.isArray(json[list])) {
    return { text, json };
  }
  if (isObject(json) && Boolean(json.error)) {
    // The upstream says itself that it did not answer, so another provider may be asked.
    throw new FailedAttempt(new UpstreamFailed(upstream, 'answered with an error'), false, false);
  }
  throw garbage(upstream, 'sent what is no answer');
}

function parsed(upstream: string, bytes: Buffer): { text: string; json: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
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
  /** The first one and the comments before it included. */
  readonly events: AsyncIterable<ServerSentEvent>;
}

/** No client must see the key even if the upstream repeats it. */
interface StreamSource {
  readonly name: string;
  readonly apiKey: string | null;
}

/**
 * Waits for the first event that has data: until then a failure is one of the whole attempt.
 * @throws FailedAttempt, the signal's reason; in both cases the connection is closed
 */
export async function openStream(source: StreamSource, response: UpstreamResponse): Promise<OpenedStream> {
  const held: ServerSentEvent[] = [];
  try {
    if (!/^text\/event-stream\s*(?:;|$)/i.test(response.headers['content-type'] ?? '')) {
      throw garbage(source.name, 'sent no stream of events');
    }
    const events = readServerSentEvents(response.chunks());
    const first = await firstChunk(source.name, events, held);
    return { first, events: passOn(source, response, held, events) };
  } catch (error) {
    response.discard();
    throw asFailedAttempt(source.name, error);
  }
}

/** @param held gets every event up to the first that has data */
async function firstChunk(
  upstream: string,
  events: AsyncIterator<ServerSentEvent>,
  held: ServerSentEvent[],
): Promise<Readonly<Record<string, unknown>>> {
  let heldBytes = 0;
  for (;;) {
    const next = await events.next();
    if (next.done) {
      throw new FailedAttempt(new UpstreamFailed(upstream, 'ended before its first event'), true, true);
    }
    held.push(next.value);
    heldBytes += next.value.bytes.length;
    const { content } = next.value;
    switch (content.kind) {
      case 'chunk':
        return content.json;
      case 'error':
        throw new FailedAttempt(new UpstreamFailed(upstream, 'answered with an error'), true, true);
      case 'comment':
        if (heldBytes <= HELD_BYTES_MAX) {
          break;
        }
        throw garbage(upstream, 'sent what is no answer');
      case 'done':
      case 'garbage':
        throw garbage(upstream, 'sent what is no answer');
    }
  }
}

function asFailedAttempt(upstream: string, error: unknown): unknown {
  if (error instanceof OversizedEvent) {
    return garbage(upstream, 'sent an event that is too large', error);
  }
  return error instanceof TransportError ? failedTransport(upstream, error, 'may be retried') : error;
}

/** So long a server has to end its answer after `[DONE]`; otherwise its connection is not used again. */
const REST_TIMEOUT_MS = 1000;

/**
 * A stream without `[DONE]` is complete when every choice has a finish_reason. A reader that stops early closes the connection.
 * @throws UpstreamBrokeOff where the stream is not complete; the signal's reason
 */
async function* passOn(
  source: StreamSource,
  response: UpstreamResponse,
  held: readonly ServerSentEvent[],
  rest: AsyncIterator<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  const choices = new FinishedChoices();
  let isDone = false;
  try {
    for await (const event of joined(held, rest)) {
      const { content } = event;
      if (content.kind === 'chunk') {
        choices.see(readChunk(content.json).choices);
      } else if (content.kind === 'garbage') {
        throw new UpstreamBrokeOff(502, source.name, 'sent garbage');
      } else if (content.kind === 'error') {
        const mayBeTold = !holdsKey(event.data, source.apiKey);
        if (mayBeTold) {
          yield event;
        }
        throw new UpstreamBrokeOff(502, source.name, 'reported an error', undefined, mayBeTold);
      }
      const isEnd = content.kind === 'chunk' && isResponseEnd(content.json);
      if (isEnd && holdsKey(event.data, source.apiKey)) {
        throw new UpstreamBrokeOff(502, source.name, 'reported an error');
      }
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

/** Calls no `return` of `rest`, because a reader that stops early must not wait for a read that is under way. */
async function* joined(
  held: readonly ServerSentEvent[],
  rest: AsyncIterator<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    yield next.value;
  }
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

/** So that the connection can be used again. */
async function readToEnd(response: UpstreamResponse, rest: AsyncIterator<ServerSentEvent>): Promise<void> {
  const timer = setTimeout(() => response.discard(), REST_TIMEOUT_MS);
  try {
    while (!(await rest.next()).done) {}
  } catch {
    // The connection is closed by the failure, and the client has the whole answer already.
  } finally {
    clearTimeout(timer);
  }
}
