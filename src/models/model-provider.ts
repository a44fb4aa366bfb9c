import type {
  ChatChoice,
  ChatCompletion as ChatResponse,
  CreateCompletionRequest as CompletionRequest,
  CreateEmbeddingRequest as EmbeddingRequest,
  Embedding as EmbeddedInput,
  EmbeddingList as EmbeddingResponse,
  ModelResponse as ResponseObject,
  TextCompletion as CompletionResponse,
} from '../../generated/types';
import { newId } from '../runtime/ids';
import { isObject, objectsOf } from '../runtime/json';
import { UnsupportedModelParameter, UpstreamBrokeOff, UpstreamFailed } from './errors';
import { MessageEvents, type MessageObject, toMessage } from './messages/message';
import { type MessageRequest, toChatRequest as messageToChat } from './messages/request-to-chat';
import { type ResponseRequest, toChatRequest as responseToChat } from './responses/request-to-chat';
import { ResponseEvents, toResponse } from './responses/response';
import type { ServerSentEvent } from './sse';
import type { TranslatedEvents } from './stream-chunks';

export type {
  ChatChoice,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  EmbeddedInput,
  EmbeddingRequest,
  EmbeddingResponse,
};

export interface ModelTerms {
  /** The most tokens of one part by kind: `image`, `image_low`, `audio`, `video`, `file`, or the part's type. */
  readonly partTokens: ReadonlyMap<string, number>;
  /** Nano-USD per call with a passed-on field, such as `service_tier` or `tools.web_search`. */
  readonly passFields: ReadonlyMap<string, bigint>;
}

export const NO_TERMS: ModelTerms = { partTokens: new Map(), passFields: new Map() };

/** `usage` is as sent: whoever charges bounds it. Throws subclasses of ApiError, soon after an abort. */
export abstract class ModelProvider {
  /** The first one that may be the default for an operation is its default. */
  abstract models(): Promise<readonly ModelDescription[]>;
  abstract chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>>;
  abstract complete(
    request: CompletionRequest,
    options: CallOptions,
  ): Promise<ModelAnswer<CompletionResponse>>;
  abstract embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>>;

  /** Called before tokens are counted, for chats that it could never answer. @throws ApiError */
  refuseChat(_request: ChatRequest): void {}

  /** Resolves with the first event, so that an earlier failure can be answered as an error. */
  streamChat(_request: ChatRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  streamCompletion(_request: CompletionRequest, _options: CallOptions): Promise<ModelStream> {
    return Promise.reject(noStreams());
  }

  respond(request: ResponseRequest, options: CallOptions): Promise<ModelAnswer<ResponseObject>> {
    return answerThroughChat(this, RESPONSES, request, options);
  }

  streamResponse(request: ResponseRequest, options: CallOptions): Promise<ModelStream> {
    return streamThroughChat(this, RESPONSES, request, options);
  }

  message(request: MessageRequest, options: CallOptions): Promise<ModelAnswer<MessageObject>> {
    return answerThroughChat(this, MESSAGES, request, options);
  }

  streamMessage(request: MessageRequest, options: CallOptions): Promise<ModelStream> {
    return streamThroughChat(this, MESSAGES, request, options);
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The service chose the cap's field: a provider may use `max_tokens` or `max_completion_tokens`. */
  readonly ownCap?: boolean;
  /** All output is wanted: a provider may omit the cap, which is only for the reservation. */
  readonly isOutputOpen?: boolean;
  /** `response_format` is the service's own JSON Schema: a provider may ask for it in any way it can. */
  readonly ownFormat?: { readonly isCallersSchema: boolean };
  readonly progress?: CallProgress;
  /** Headers of the caller's for an upstream that speaks the API of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallProgress {
  /** An upstream has the request and may bill for it, or the embedded engine reads it to its end. */
  taken(): void;
  received(bytes: Uint8Array): void;
  /** For answers in pieces: `soFar` joins those that have come, as JSON. */
  joined(soFar: () => string): void;
  dropped(): void;
}

export interface ModelAnswer<Response> {
  readonly response: Response;
  readonly engine: Engine;
  readonly modelId?: string;
  /** JSON text, where an upstream sent it or a worker thread wrote it. */
  readonly text?: string;
  /** Reports that the answer lacks the form asked for; present where the provider learns from it. */
  readonly ignoresFormat?: () => void;
}

export interface ModelStream {
  readonly model: string;
  readonly modelId?: string;
  /** `events` waits for the first event, and throws what fails before it. */
  readonly isAwaited?: boolean;
  readonly engine: Engine;
  /** `[DONE]` included. Throws ApiError (502, 504) when they break off. Stopping early closes the connection. */
  readonly events: AsyncIterable<ServerSentEvent>;
}

export interface Engine {
  readonly provider: string;
  readonly method: string;
  readonly quality: string;
  /** With its version; absent where the service's own prompts were not used. */
  readonly prompt?: string;
}

export const MODEL_OPERATIONS = ['chat', 'complete', 'embed'] as const;
export type ModelOperation = (typeof MODEL_OPERATIONS)[number];

export interface ModelDescription {
  readonly id: string;
  readonly created: number;
  readonly ownedBy: string;
  readonly operations: readonly ModelOperation[];
  /** For these it may replace an unknown name; absent means all of `operations`. */
  readonly defaultFor?: readonly ModelOperation[];
  readonly aliases?: readonly string[];
  /** Of one choice; absent where the operator has set no bound. */
  readonly outputTokensMax?: number;
  readonly speaksMessages?: boolean;
  /** Absent for a model that costs the operator nothing. */
  readonly terms?: ModelTerms;
}

function noStreams(): UnsupportedModelParameter {
  return new UnsupportedModelParameter([{ field: 'stream', message: 'This model does not stream.' }]);
}

/** Unknown fields stay in the object. Source: OpenAI's API reference, "Chat completions". */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly [field: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly name?: string | null;
  readonly [field: string]: unknown;
}

export interface ContentPart {
  readonly type: string;
  readonly text?: string | null;
  readonly [field: string]: unknown;
}

/** Per choice: the request's own cap, or else the default. */
export function outputTokensMax(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  outputTokensMaxDefault: number,
): number {
  return request.max_completion_tokens ?? request.max_tokens ?? outputTokensMaxDefault;
}

/** `n` for each prompt, or `best_of` where more: choices that are not shown are paid for too. */
export function completionChoices({ prompt, n, best_of: bestOf }: CompletionRequest): number {
  const asked = [n, bestOf].filter((count) => typeof count === 'number');
  return promptCount(prompt) * Math.max(1, ...asked);
}

/** A list of numbers is one prompt of tokens; in any other every item counts, which is never too few. */
export function promptCount(prompt: CompletionRequest['prompt']): number {
  const isOne = typeof prompt === 'string' || prompt.every((part) => typeof part === 'number');
  return isOne ? 1 : prompt.length;
}

interface ChatTranslation<Request, Answer> {
  toChat(request: Request): ChatRequest;
  toAnswer(chat: ChatResponse, request: Request): Answer;
  events(request: Request, stream: TranslatedEvents['stream']): TranslatedEvents;
}

export const RESPONSES: ChatTranslation<ResponseRequest, ResponseObject> = {
  toChat: responseToChat,
  toAnswer: (chat, request) => toResponse(chat, request, randomId),
  events: (request, stream) => new ResponseEvents(request, stream, randomId),
};

const MESSAGES: ChatTranslation<MessageRequest, MessageObject> = {
  toChat: messageToChat,
  toAnswer: (chat, request) => toMessage(chat, request, randomId),
  events: (request, stream) => new MessageEvents(request, stream, randomId),
};

async function answerThroughChat<Request, Answer>(
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
        yield* content.kind === 'error'
          ? events.fail(content.json.error ?? content.json)
          : events.take(content.json);
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
