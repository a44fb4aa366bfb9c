import { newId } from '../runtime/ids';
import { isObject, type JsonObject, objectsOf } from '../runtime/json';
import { UpstreamBrokeOff, UpstreamFailed } from './errors';
import { MessageEvents } from './messages/message-events';
import { toMessage } from './messages/message';
import type { MessageObject, MessageRequest } from './messages/message-object';
import { toChatRequest as messageToChat } from './messages/request-to-chat';
import type {
  CallOptions,
  ChatRequest,
  ChatResponse,
  ModelAnswer,
  ModelProvider,
  ModelStream,
} from './model-provider';
import { toChatRequest as responseToChat } from './responses/request-to-chat';
import { ResponseEvents, toResponse } from './responses/response-events';
import type { ResponseObject, ResponseRequest } from './responses/response-object';
import type { ServerSentEvent } from './sse';

interface ChatTranslation<Request, Answer> {
  /** @throws UnsupportedModelParameter for what a chat has no counterpart for */
  toChat(request: Request): ChatRequest;
  toAnswer(chat: ChatResponse, request: Request): Answer;
  /** @param stream the model to name where the chunks name none, and the provider to name in errors */
  events(request: Request, stream: { readonly model: string; readonly provider: string }): TranslatedEvents;
}

interface TranslatedEvents {
  readonly isFinished: boolean;
  take(chunk: JsonObject): ServerSentEvent[];
  fail(error: unknown): ServerSentEvent[];
  end(): ServerSentEvent[];
}

export const RESPONSES: ChatTranslation<ResponseRequest, ResponseObject> = {
  toChat: responseToChat,
  toAnswer: (chat, request) => toResponse(chat, request, randomId),
  events: (request, stream) => new ResponseEvents(request, stream, randomId),
};

export const MESSAGES: ChatTranslation<MessageRequest, MessageObject> = {
  toChat: messageToChat,
  toAnswer: (chat, request) => toMessage(chat, request, randomId),
  events: (request, stream) => new MessageEvents(request, stream, randomId),
};

export async function answerThroughChat<Request, Answer>(
  provider: Pick<ModelProvider, 'chat'>,
  translation: ChatTranslation<Request, Answer>,
  request: Request,
  options: CallOptions,
): Promise<ModelAnswer<Answer>> {
  const { response, engine } = await provider.chat(translation.toChat(request), { ...options, ownCap: true });
  const choices: unknown = response.choices;
  if (objectsOf(choices).some(({ message }) => !isObject(message))) {
    throw new UpstreamFailed(engine.provider, 'sent an answer without a message').afterFirstByte();
  }
  return { response: translation.toAnswer(response, request), engine };
}

/** @throws what the translation's `toChat` and the provider's `streamChat` throw */
export async function streamThroughChat<Request, Answer>(
  provider: Pick<ModelProvider, 'streamChat'>,
  translation: ChatTranslation<Request, Answer>,
  request: Request,
  options: CallOptions,
): Promise<ModelStream> {
  const chat = await provider.streamChat(
    { ...translation.toChat(request), stream: true },
    { ...options, ownCap: true },
  );
  const stream = { model: chat.model, provider: chat.engine.provider };
  const events = translatedEvents(chat, translation.events(request, stream));
  return { model: chat.model, engine: chat.engine, events };
}

/** Comments are passed on, because they keep a connection alive. */
async function* translatedEvents(
  chat: ModelStream,
  events: TranslatedEvents,
): AsyncGenerator<ServerSentEvent> {
  const { provider } = chat.engine;
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
