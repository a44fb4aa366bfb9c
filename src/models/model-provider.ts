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

/** What the operator of this service has priced, for one model of an upstream, beyond tokens of text and images. */
export interface ModelTerms {
  /**
   * The most tokens of one part, by its kind: `image`, `image_low`, `audio`, `video`, `file`, or the type of any other
   * part.
   */
  readonly partTokens: ReadonlyMap<string, number>;
  /** The fields that are passed on, such as `service_tier` or `tools.web_search`: nano-USD for each call with it. */
  readonly passFields: ReadonlyMap<string, bigint>;
}

/** Nothing is priced. */
export const NO_TERMS: ModelTerms = { partTokens: new Map(), passFields: new Map() };

/** Answers a response's request by asking for a chat. Throws what `toChatRequest` and the provider's `chat` throw. */
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

/**
 * Anything that answers calls of models. Requests and responses are OpenAI's JSON; a response names the model that
 * really answered. Whatever the types say, its `usage` is undefined where an upstream sent none or sent something else:
 * then the tokens have to be counted. Usage that an upstream reports may be any numbers, so whoever charges for it has
 * to bound it by what was reserved. A provider throws subclasses of ApiError for what it cannot serve, and gives up
 * soon after `signal` aborts.
 */
export abstract class ModelProvider {
  /** The models that this provider serves. The first one that may be the default for an operation is its default. */
  abstract models(): Promise<readonly ModelDescription[]>;
  /** Answers a chat. */
  abstract chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>>;
  /** Answers a legacy completion. */
  abstract complete(
    request: CompletionRequest,
    options: CallOptions,
  ): Promise<ModelAnswer<CompletionResponse>>;
  /** Embeds texts as vectors. */
  abstract embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>>;

  /**
   * Refuses a chat that it could not answer whatever it cost, so that nobody counts the tokens of one in vain.
   * @throws ApiError as `chat` does
   */
  refuseChat(_request: ChatRequest): void {}

  /**
   * Streams a chat as chunks. Resolves with the first event, so that a failure before it can be answered by an error.
   */
  streamChat(_request: ChatRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  /** Streams a legacy completion; resolves with the first event, as `streamChat` does. */
  streamCompletion(_request: CompletionRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  /**
   * Answers a request of the Responses API. A provider without that API asks its own `chat` and translates the answer.
   */
  respond(request: ResponseRequest, options: CallOptions): Promise<ModelAnswer<ResponseObject>> {
    return respondThroughChat(this, request, options);
  }

  /** Streams the events of a response, of which the last holds the whole response. Resolves as `streamChat` does. */
  streamResponse(request: ResponseRequest, options: CallOptions): Promise<ModelStream> {
    return streamThroughChat(this, request, options);
  }
}

/** How a provider is called. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Whether this service, not the client, chose the field of a chat that holds the cap on output. Then a provider may
   * move the cap from `max_tokens` to `max_completion_tokens` or back; a field that the client chose has to stay.
   */
  readonly ownCap?: boolean;
  /** Is told how far the call has come; absent where nobody asks. */
  readonly progress?: CallProgress;
}

/** Who is told by a provider how far a call has come, because its caller may go away before the answer. */
export interface CallProgress {
  /**
   * The work has begun: the request has gone to an upstream, which may bill for it from now on, or the embedded engine reads
   * it, which goes on although nobody wants its answer any more.
   */
  taken(): void;
  /** A piece of the body of an answer that is not streamed has come. */
  received(bytes: Uint8Array): void;
  /** The attempt has failed: nobody works on the call, unless a further attempt is made. */
  dropped(): void;
}

/** A whole answer, not streamed. */
export interface ModelAnswer<Response> {
  readonly response: Response;
  readonly engine: Engine;
  /**
   * The response as JSON text, for a client that gets it as it is: the bytes that an upstream sent, or text that a
   * worker thread wrote. Absent where `response` has to be written as JSON first.
   */
  readonly text?: string;
}

/** An answer whose first event has come. */
export interface ModelStream {
  /** The model that answers. */
  readonly model: string;
  readonly engine: Engine;
  /**
   * The events as they came, `[DONE]` included. Throws ApiError (502, 504) when they break off, and the signal's reason
   * when it aborts. A reader that stops early closes the connection to the upstream.
   */
  readonly events: AsyncIterable<ServerSentEvent>;
}

/** What a client is told about who answered, and how. */
export interface Engine {
  readonly provider: string;
  readonly method: string;
  readonly quality: string;
}

/** What a model can be asked for; responses count as chats. */
export type ModelOperation = 'chat' | 'complete' | 'embed';

/** A model that a provider serves. */
export interface ModelDescription {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly ownedBy: string;
  readonly operations: readonly ModelOperation[];
  /** The operations for which this model may stand in for an unknown name; absent means all of `operations`. */
  readonly defaultFor?: readonly ModelOperation[];
  readonly aliases?: readonly string[];
  /** What of requests beyond text is priced; absent for a model that costs the operator nothing. */
  readonly terms?: ModelTerms;
}

function noStreams(): UnsupportedModelParameter {
  return new UnsupportedModelParameter([{ field: 'stream', message: 'This model does not stream.' }]);
}
