import { newId } from '../runtime/ids';
import { isObject, objectsOf } from '../runtime/json';
import { UnsupportedModelParameter, UpstreamBrokeOff, UpstreamFailed } from './errors';
import { toChatRequest } from './responses/request-to-chat';
import { toResponse } from './responses/response';
import { ResponseEvents } from './responses/response-events';
import type { ResponseObject, ResponseRequest } from './responses/response-object';
import type { ServerSentEvent } from './sse';
import {
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  EmbeddingRequest,
  EmbeddingResponse,
} from './wire-format';

/** What the operator has priced, for one model of an upstream, beyond tokens of text and images. */
export interface ModelTerms {
  /** The most tokens of one part, by its kind: `image`, `image_low`, `audio`, `video`, `file`, or the part's type. */
  readonly partTokens: ReadonlyMap<string, number>;
  /** Nano-USD for each call with a field that is passed on, such as `service_tier` or `tools.web_search`. */
  readonly passFields: ReadonlyMap<string, bigint>;
}

export const NO_TERMS: ModelTerms = { partTokens: new Map(), passFields: new Map() };

/** @throws what `toChatRequest` and the provider's `chat` throw */
async function respondThroughChat(
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

/** @throws what `toChatRequest` and the provider's `streamChat` throw */
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

/** Comments are passed on, because they keep a connection alive. */
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

/**
 * Answers calls of models, in OpenAI's JSON. Whatever the types say, `usage` is undefined where an upstream sent none, and may be
 * any numbers, so whoever charges for it has to bound it. Throws subclasses of ApiError, and gives up soon after `signal` aborts.
 */
export abstract class ModelProvider {
  /** The first one that may be the default for an operation is its default. */
  abstract models(): Promise<readonly ModelDescription[]>;
  abstract chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>>;
  abstract complete(
    request: CompletionRequest,
    options: CallOptions,
  ): Promise<ModelAnswer<CompletionResponse>>;
  abstract embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>>;

  /** Refuses a chat that it could not answer whatever it cost, so that nobody counts its tokens in vain. @throws ApiError */
  refuseChat(_request: ChatRequest): void {}

  /** Resolves with the first event, so that a failure before it can be answered by an error. */
  streamChat(_request: ChatRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  streamCompletion(_request: CompletionRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  /** A provider without the Responses API asks its own `chat` and translates the answer. */
  respond(request: ResponseRequest, options: CallOptions): Promise<ModelAnswer<ResponseObject>> {
    return respondThroughChat(this, request, options);
  }

  /** The last event holds the whole response. */
  streamResponse(request: ResponseRequest, options: CallOptions): Promise<ModelStream> {
    return streamThroughChat(this, request, options);
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Whether this service chose the field of a chat that holds the cap on output: then a provider may move the cap from
   * `max_tokens` to `max_completion_tokens` or back.
   */
  readonly ownCap?: boolean;
  readonly progress?: CallProgress;
}

/** Told by a provider how far a call has come, because its caller may go away before the answer. */
export interface CallProgress {
  /** An upstream has the request and may bill for it, or the embedded engine reads it to its end. */
  taken(): void;
  received(bytes: Uint8Array): void;
  /** Nobody works on the call, unless a further attempt is made. */
  dropped(): void;
}

export interface ModelAnswer<Response> {
  readonly response: Response;
  readonly engine: Engine;
  /** As JSON text, where an upstream sent it or a worker thread wrote it. */
  readonly text?: string;
}

/** An answer whose first event has come. */
export interface ModelStream {
  readonly model: string;
  readonly engine: Engine;
  /**
   * As they came, `[DONE]` included. Throws ApiError (502, 504) when they break off. A reader that stops early closes the
   * connection to the upstream.
   */
  readonly events: AsyncIterable<ServerSentEvent>;
}

export interface Engine {
  readonly provider: string;
  readonly method: string;
  readonly quality: string;
}

/** Responses count as chats. */
export type ModelOperation = 'chat' | 'complete' | 'embed';

export interface ModelDescription {
  readonly id: string;
  readonly created: number;
  readonly ownedBy: string;
  readonly operations: readonly ModelOperation[];
  /** For which this model may stand in for an unknown name; absent means all of `operations`. */
  readonly defaultFor?: readonly ModelOperation[];
  readonly aliases?: readonly string[];
  /** Absent for a model that costs the operator nothing. */
  readonly terms?: ModelTerms;
}

function noStreams(): UnsupportedModelParameter {
  return new UnsupportedModelParameter([{ field: 'stream', message: 'This model does not stream.' }]);
}
