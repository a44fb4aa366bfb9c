import { newId } from '../../../infrastructure/ids/ids';
import { UpstreamBrokeOff, UpstreamFailed } from '../upstream/upstream-errors';
import { isObject, objectsOf } from '../../../infrastructure/json/json-object';
import type { CallOptions, ModelAnswer, ModelProvider, ModelStream } from '../model-provider';
import type { ServerSentEvent } from '../streams/server-sent-event';
import { ResponseEvents } from './response-events';
import type { ResponseObject, ResponseRequest } from './response-object';
import { toChatRequest } from './to-chat-request';
import { toResponse } from './to-response';

/** Answers a response's request by asking for a chat. Throws what `toChatRequest` and the provider's `chat` throw. */
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

/** Streams a response by streaming a chat. Throws what `toChatRequest` and the provider's `streamChat` throw. */
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

/** The events of a response for the chunks of a chat. Comments are passed on, because they keep a connection alive. */
async function* responseEvents(chat: ModelStream, request: ResponseRequest): AsyncGenerator<ServerSentEvent> {
  const { provider } = chat.engine;
  const events = new ResponseEvents(request, { model: chat.model, provider }, randomId);
  let isDone = false;
  for await (const event of chat.events) {
    const { content } = event;
    switch (content.kind) {
      case 'comment':
        yield event;
        break;
      case 'done':
        isDone = true;
        break;
      case 'garbage':
        throw new UpstreamBrokeOff(502, provider, 'sent what is no JSON');
      case 'error':
      case 'chunk':
        yield* content.json.error ? events.fail(content.json.error) : events.take(content.json);
    }
  }
  if (!isDone && !events.isFinished) {
    throw new UpstreamBrokeOff(502, provider, 'stopped');
  }
  yield* events.end();
}

function randomId(): string {
  return newId().replaceAll('-', '');
}
