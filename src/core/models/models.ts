import { ModelNotConfigured, ModelNotFound } from '../errors/model-errors';
import { ChatRequest, ChatResponse } from './chat-completion';
import { EmbeddingRequest, EmbeddingResponse } from './embedding';
import { CallOptions, ModelAnswer, ModelDescription, ModelOperation, ModelProvider } from './model-provider';
import { ResponseObject, ResponseRequest } from './responses/response-object';
import { CompletionRequest, CompletionResponse } from './text-completion';

/**
 * Runs an operation on the provider that serves the named model; providers are asked in the order given. A name that
 * nobody serves runs on the default model of the first provider that serves the operation; with `strictModels` it is
 * refused with ModelNotFound. Throws ModelNotConfigured when no provider serves the operation at all.
 */
export class Models {
  constructor(
    private readonly providers: readonly ModelProvider[],
    private readonly options: { readonly strictModels: boolean },
  ) {}

  /** Every model once, in the providers' order: the first provider that names an id owns it. */
  async list(): Promise<ModelDescription[]> {
    const models = new Map<string, ModelDescription>();
    for (const provider of this.providers) {
      for (const model of await provider.models()) {
        if (!models.has(model.id)) models.set(model.id, model);
      }
    }
    return [...models.values()];
  }

  async chat(request: ChatRequest, options: CallOptions = {}): Promise<ModelAnswer<ChatResponse>> {
    const { provider, model } = await this.route('chat', request.model);
    return provider.chat({ ...request, model }, options);
  }

  async complete(
    request: CompletionRequest,
    options: CallOptions = {},
  ): Promise<ModelAnswer<CompletionResponse>> {
    const { provider, model } = await this.route('complete', request.model);
    return provider.complete({ ...request, model }, options);
  }

  async embed(request: EmbeddingRequest, options: CallOptions = {}): Promise<ModelAnswer<EmbeddingResponse>> {
    const { provider, model } = await this.route('embed', request.model);
    return provider.embed({ ...request, model }, options);
  }

  /** Served by what serves chats. */
  async respond(request: ResponseRequest, options: CallOptions = {}): Promise<ModelAnswer<ResponseObject>> {
    const { provider, model } = await this.route('chat', request.model);
    return provider.respond({ ...request, model }, options);
  }

  private async route(operation: ModelOperation, name: string): Promise<Route> {
    let fallback: Route | undefined;
    for (const provider of this.providers) {
      const serving = (await provider.models()).filter((model) => model.operations.includes(operation));
      const named = serving.find((model) => model.id === name || model.aliases?.includes(name));
      if (named) return { provider, model: named.id };
      if (serving[0]) fallback ??= { provider, model: serving[0].id };
    }
    if (!fallback) throw new ModelNotConfigured();
    if (this.options.strictModels) throw new ModelNotFound(name);
    return fallback;
  }
}

interface Route {
  readonly provider: ModelProvider;
  readonly model: string;
}
