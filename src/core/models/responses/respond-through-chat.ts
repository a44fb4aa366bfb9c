import { newId } from '../../../infrastructure/ids/new-id';
import { UpstreamBrokeOff, UpstreamFailed } from '../upstream/upstream-errors';
import { isObject, objectsOf } from '../json/json-object';
import type { CallOptions, ModelAnswer, ModelProvider, ModelStream } from '../model-provider';
import type { ServerSentEvent } from '../streams/server-sent-event';
import { jsonField } from './json-field';
import { ResponseEvents } from './response-events';
import type { ResponseObject, ResponseRequest } from './response-object';
import { toChatRequest } from './to-chat-request';
import { toResponse } from './to-response';

/** A response made of the chat that asks for the same. Throws what `toChatRequest` and the provider's `chat` throw. */
export async function respondThroughChat(
  provider: Pick<ModelProvider, 'chat'>,
  request: ResponseRequest,
  options: CallOptions,
): Promise<ModelAnswer<ResponseObject>> {
  const { response, engine } = await provider.chat(toChatRequest(request), { ...options, ownCap: true });
  const choices: unknown = response.choices;
  if (objectsOf(choices).some(({ message }) => !isObject(message))) {
    throw new UpstreamFailed(engine.provider, 'sent an answer without a message').afterFirstByte();
  }
  return { response: toResponse(response, request, randomId), engine };
}

/** The events of a response made of the stream of the chat that asks for the same, as `respondThroughChat` does. */
export async function streamThroughChat(
  provider: Pick<ModelProvider, 'streamChat'>,
  request: ResponseRequest,
  options: CallOptions,
): Promise<ModelStream> {
  const streamed = { stream: true, stream_options: { include_usage: true } };
  const chat = await provider.streamChat(
    { ...toChatRequest(request), ...streamed },
    { ...options, ownCap: true },
  );
  return { model: chat.model, engine: chat.engine, events: responseEvents(chat, request) };
}

/** Comments, which keep a connection alive, stay as they are. */
async function* responseEvents(chat: ModelStream, request: ResponseRequest): AsyncGenerator<ServerSentEvent> {
  const { provider } = chat.engine;
  const events = new ResponseEvents(request, { model: chat.model, provider }, randomId);
  let isDone = false;
  for await (const event of chat.events) {
    if (event.data === '') yield event;
    else if (event.data === '[DONE]') isDone = true;
    else yield* translated(events, parsed(event.data, provider));
  }
  if (!isDone && !events.isFinished) throw new UpstreamBrokeOff(502, provider, 'stopped');
  yield* events.end();
}

function translated(events: ResponseEvents, chunk: unknown): ServerSentEvent[] {
  const error = jsonField(chunk, 'error');
  return error ? events.fail(error) : events.take(chunk);
}

function parsed(data: string, provider: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new UpstreamBrokeOff(502, provider, 'sent what is no JSON', cause);
  }
}

function randomId(): string {
  return newId().replaceAll('-', '');
}
