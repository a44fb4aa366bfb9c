import { ChatRequest, ChatResponse } from './chat-completion';
import { EmbeddingRequest, EmbeddingResponse } from './embedding';
import { CompletionRequest, CompletionResponse } from './text-completion';

/**
 * The port to whatever answers model calls. Requests and responses are OpenAI's JSON; a response names the model that
 * really answered and always carries usage. A provider throws ApiError subclasses for what it cannot serve, and gives
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
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ModelAnswer<Response> {
  readonly response: Response;
  readonly engine: Engine;
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
  readonly aliases?: readonly string[];
}
