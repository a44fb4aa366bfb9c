import { ApiError } from '../errors/api-errors';
import { ModelNotConfigured, ModelNotFound, UpstreamBreakerOpen, UpstreamFailure } from './errors';
import {
  CallOptions,
  ModelAnswer,
  ModelDescription,
  ModelOperation,
  ModelProvider,
  ModelStream,
} from './model-provider';
import { ResponseObject, ResponseRequest } from './responses/response-object';
import {
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  EmbeddingRequest,
  EmbeddingResponse,
} from './wire-format';

/** The model name by which a caller leaves the choice to this service. It is allowed even with `strictModels`. */
export const ANY_MODEL = '';

export interface ModelsOptions {
  /** Whether a name that no provider serves is refused. */
  readonly strictModels: boolean;
  /** The provider that answers in place of a failed one only if the request allows it. */
  readonly standIn?: ModelProvider;
}

/** One stop of a route: a provider, and the model that it is asked for. */
export interface ModelStop {
  readonly provider: ModelProvider;
  readonly model: ModelDescription;
}

/** The providers that a call asks, one after the other until one answers. */
export interface ModelRoute {
  /** The model that is asked first. */
  readonly model: ModelDescription;
  readonly stops: readonly [ModelStop, ...ModelStop[]];
}

/** How a call is made. */
export interface AskOptions extends CallOptions {
  /** The result of `route` for the same request; absent where the call has to find its route itself. */
  readonly route?: ModelRoute;
}

/**
 * Asks the providers that serve the named model, in the order given, until one answers. When a provider throws an
 * UpstreamFailure, the next one is asked, unless the first had begun to answer. A name that no provider serves gets the
 * providers' default models; with `strictModels` it is refused with ModelNotFound. With `allow_degraded: true` in the
 * request the stand-in answers when all others have failed.
 *
 * Throws ModelNotConfigured when no provider serves the operation at all; the UpstreamFailure of a provider that cannot
 * list its models when no other provider serves the name; and whatever the provider throws that was asked last.
 */
export class Models {
  constructor(
    private readonly providers: readonly ModelProvider[],
    private readonly options: ModelsOptions,
  ) {}

  /**
   * Every model once, in the providers' order. Of several with one id the first counts. Providers that fail are left
   * out.
   */
  async list(): Promise<ModelDescription[]> {
    const models = new Map<string, ModelDescription>();
    for (const { served } of (await this.offers()).offers) {
      for (const model of served) {
        if (!models.has(model.id)) {
          models.set(model.id, model);
        }
      }
    }
    return [...models.values()];
  }

  /**
   * The providers that a call would ask. A call that is made with this route asks the model first that it was priced
   * by.
   * @param allowDegraded whether the request allows the stand-in
   * @throws ModelNotFound, ModelNotConfigured, UpstreamFailure, as the call itself would
   */
  async route(operation: ModelOperation, name: string, allowDegraded = false): Promise<ModelRoute> {
    const stops = await this.stops(operation, name, allowDegraded);
    return { model: stops[0].model, stops };
  }

  /**
   * Parts a route for callers that have an answer of their own in place of the stand-in's.
   * @returns the route to the upstreams, null where there is none, and whether the stand-in may answer
   */
  parted({ stops }: ModelRoute): { upstreams: ModelRoute | null; allowsStandIn: boolean } {
    const [first, ...others] = stops.filter(({ provider }) => provider !== this.options.standIn);
    return {
      upstreams: first ? { model: first.model, stops: [first, ...others] } : null,
      allowsStandIn: stops.some(({ provider }) => provider === this.options.standIn),
    };
  }

  /** Answers a chat. */
  async chat(request: ChatRequest, options: AskOptions = {}): Promise<ModelAnswer<ChatResponse>> {
    return this.ask('chat', request, options, (provider, routed) => provider.chat(routed, options));
  }

  /** Answers a legacy completion. */
  async complete(
    request: CompletionRequest,
    options: AskOptions = {},
  ): Promise<ModelAnswer<CompletionResponse>> {
    return this.ask('complete', request, options, (provider, routed) => provider.complete(routed, options));
  }

  /** Embeds texts as vectors. */
  async embed(request: EmbeddingRequest, options: AskOptions = {}): Promise<ModelAnswer<EmbeddingResponse>> {
    return this.ask('embed', request, options, (provider, routed) => provider.embed(routed, options));
  }

  /** Streams a chat. Other providers are asked only while no first event has come. */
  async streamChat(request: ChatRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('chat', request, options, (provider, routed) => provider.streamChat(routed, options));
  }

  /** Streams a legacy completion, as `streamChat` does a chat. */
  async streamCompletion(request: CompletionRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('complete', request, options, (provider, routed) =>
      provider.streamCompletion(routed, options),
    );
  }

  /** Answers a request of the Responses API, which every provider of chats serves. */
  async respond(request: ResponseRequest, options: AskOptions = {}): Promise<ModelAnswer<ResponseObject>> {
    return this.ask('chat', request, options, (provider, routed) => provider.respond(routed, options));
  }

  /** Streams a response, as `streamChat` does a chat. */
  async streamResponse(request: ResponseRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('chat', request, options, (provider, routed) => provider.streamResponse(routed, options));
  }

  private async ask<Request extends { readonly model: string; readonly allow_degraded?: unknown }, Answer>(
    operation: ModelOperation,
    request: Request,
    { signal, route }: AskOptions,
    call: (provider: ModelProvider, routed: Request) => Promise<Answer>,
  ): Promise<Answer> {
    const { stops } = route ?? (await this.route(operation, request.model, request.allow_degraded === true));
    let failure: UpstreamFailure | null = null;
    for (const { provider, model } of stops) {
      signal?.throwIfAborted();
      const isStandIn = provider === this.options.standIn;
      if (failure?.hadBegun && !isStandIn) {
        continue;
      }
      try {
        return await call(provider, { ...request, model: model.id });
      } catch (error) {
        failure = weightier(failure, failureOf(error, isStandIn ? failure : null));
      }
    }
    throw failure ?? new ModelNotConfigured();
  }

  /** The stops of a call's route, in order. Throws as `route` does. */
  private async stops(
    operation: ModelOperation,
    name: string,
    allowDegraded: boolean,
  ): Promise<ModelRoute['stops']> {
    const { offers, failure } = await this.offers();
    const serving = offers.map(({ provider, served }) => ({
      provider,
      served: served.filter(({ operations }) => operations.includes(operation)),
    }));
    const isNamed = ({ id, aliases }: ModelDescription) => id === name || Boolean(aliases?.includes(name));
    // One provider may know the name as an alias of a model that another provider knows by its id alone.
    const ids = new Set(serving.flatMap(({ served }) => served.filter(isNamed).map(({ id }) => id)));
    const named = stopsAt(serving, (model) => isNamed(model) || ids.has(model.id));
    const standIns = stopsAt(
      serving.filter(({ provider }) => provider === this.options.standIn),
      () => true,
    );
    const unnamed = () =>
      stopsAt(serving, ({ defaultFor, operations }) => (defaultFor ?? operations).includes(operation));
    const degraded = allowDegraded ? standIns : [];
    if (named.length === 0) {
      if (failure !== null) {
        return oneOrMore(degraded, failure);
      }
      if (serving.every(({ served }) => served.length === 0)) {
        throw new ModelNotConfigured();
      }
      if (this.options.strictModels && name !== ANY_MODEL) {
        throw new ModelNotFound(name);
      }
    }
    const all = named.length > 0 ? named : unnamed();
    const others = all.filter(({ provider }) => provider !== this.options.standIn);
    return oneOrMore(others.length > 0 ? [...others, ...degraded] : all, new ModelNotConfigured());
  }

  /** The models of each provider that can list them, and the failure of the first provider that could not. */
  private async offers(): Promise<{ offers: Offer[]; failure: UpstreamFailure | null }> {
    let failure: UpstreamFailure | null = null;
    const asked = this.providers.map(async (provider): Promise<Offer[]> => {
      try {
        return [{ provider, served: await provider.models() }];
      } catch (error) {
        failure ??= failureOf(error, null);
        return [];
      }
    });
    return { offers: (await Promise.all(asked)).flat(), failure };
  }
}

interface Offer {
  readonly provider: ModelProvider;
  readonly served: readonly ModelDescription[];
}

/** Each provider with its first model that is meant; providers without such a model are left out. */
function stopsAt(offers: readonly Offer[], isMeant: (model: ModelDescription) => boolean): ModelStop[] {
  return offers.flatMap(({ provider, served }) => {
    const model = served.find(isMeant);
    return model ? [{ provider, model }] : [];
  });
}

function oneOrMore(stops: ModelStop[], otherwise: ApiError): ModelRoute['stops'] {
  const [first, ...others] = stops;
  if (!first) {
    throw otherwise;
  }
  return [first, ...others];
}

/**
 * The failure after which another provider may be asked; any other error is thrown and ends the call. When the stand-in
 * refuses a parameter, the client is told the failure before it, because its request was meant for another provider.
 * @param before the failure of the providers before, where the stand-in is asked in their place; otherwise null
 */
function failureOf(error: unknown, before: UpstreamFailure | null): UpstreamFailure {
  if (error instanceof UpstreamFailure) {
    return error;
  }
  if (error instanceof ApiError && error.status === 400 && before !== null) {
    return before;
  }
  throw error;
}

/** The last failure; but a provider that was not even asked says less than the one before it that failed. */
function weightier(before: UpstreamFailure | null, last: UpstreamFailure): UpstreamFailure {
  return before !== null && last instanceof UpstreamBreakerOpen ? before : last;
}
