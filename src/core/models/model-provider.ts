import { UnsupportedModelParameter } from './model-errors';
import { ChatRequest, ChatResponse } from './chat-completion';
import { EmbeddingRequest, EmbeddingResponse } from './embedding';
import { respondThroughChat, streamThroughChat } from './responses/respond-through-chat';
import type { ResponseObject, ResponseRequest } from './responses/response-object';
import type { ServerSentEvent } from './streams/server-sent-event';
import { CompletionRequest, CompletionResponse } from './text-completion';

/**
 * The port to whatever answers model calls. Requests and responses are OpenAI's JSON; a response names the model that
 * really answered. Its `usage` is undefined, whatever the types say, where an upstream sent none that has the form of
 * usage: whoever settles counts then, and holds what an upstream claims to what was reserved. A provider throws ApiError subclasses for what it cannot serve, and gives
 * up soon after `signal` aborts.
 */
export abstract class ModelProvider {
  /** What this provider serves; the first model that serves an operation is its default for that operation. */
  abstract models(): Promise<readonly ModelDescription[]>;
  abstract chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>>;
  abstract complete(
    request: CompletionRequest,
    options: CallOptions,
  ): Promise<ModelAnswer<CompletionResponse>>;
  abstract embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>>;

  /** A chat as events of chat.completion.chunk. Resolves when the first event is there; until then nothing has left. */
  streamChat(_request: ChatRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  /** A completion as events of text_completion, as `streamChat` gives those of a chat. */
  streamCompletion(_request: CompletionRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  /** A response; a provider that knows no responses makes one of a chat. */
  respond(request: ResponseRequest, options: CallOptions): Promise<ModelAnswer<ResponseObject>> {
    return respondThroughChat(this, request, options);
  }

  /** A response as its events, as `streamChat` gives those of a chat; the last one is the response as it ended. */
  streamResponse(request: ResponseRequest, options: CallOptions): Promise<ModelStream> {
    return streamThroughChat(this, request, options);
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Whether the service, not the client, chose the field of a chat that holds the cap on output. A provider may put it
   * into the other one then; a client's own field stays where it is.
   */
  readonly ownCap?: boolean;
}

export interface ModelAnswer<Response> {
  readonly response: Response;
  readonly engine: Engine;
  /**
   * The answer's JSON text for a client that is to get just that: exactly as an upstream sent it, or written where that
   * does not hold the event loop. Absent where the response itself may be written.
   */
  readonly text?: string;
}

export interface ModelStream {
  /** The model that answers. */
  readonly model: string;
  readonly engine: Engine;
  /**
   * The events as they came, `[DONE]` included. Throws ApiError (502, 504) when they break off, the signal's reason when
   * that aborts. Ends whatever it reads from when it is left early.
   */
  readonly events: AsyncIterable<ServerSentEvent>;
}

/** What a client is told about how its answer came about. */
export interface Engine {
  readonly provider: string;
  readonly method: string;
  readonly quality: string;
}

export type ModelOperation = 'chat' | 'complete' | 'embed';

export interface ModelDescription {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly ownedBy: string;
  readonly operations: readonly ModelOperation[];
  /** The operations that a request without a known model may come to this one for; absent means all of `operations`. */
  readonly defaultFor?: readonly ModelOperation[];
  readonly aliases?: readonly string[];
}

function noStreams(): UnsupportedModelParameter {
  return new UnsupportedModelParameter([{ field: 'stream', message: 'This model does not stream.' }]);
}
