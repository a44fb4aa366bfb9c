import { ApiError } from '../errors/api-errors';
import { ModelNotConfigured, ModelNotFound, UpstreamBreakerOpen, UpstreamFailure } from './errors';
import {
  CallOptions,
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  EmbeddingRequest,
  EmbeddingResponse,
  ModelAnswer,
  ModelDescription,
  ModelOperation,
  ModelProvider,
  ModelStream,
} from './model-provider';
import { ResponseObject, ResponseRequest } from './responses/response-object';

/** Leaves the choice to this service. It is allowed even with `strictModels`. */
export const ANY_MODEL = '';

export interface ModelsOptions {
  /** Whether a name that no provider serves is refused. */
  readonly strictModels: boolean;
  /** Answers in place of a failed provider only if the request allows it. */
  readonly standIn?: ModelProvider;
}

/** A provider, and the model that it is asked for. */
export interface ModelStop {
  readonly provider: ModelProvider;
  readonly model: ModelDescription;
}

/** The stops that a call asks, one after the other until one answers. */
export interface ModelRoute {
  readonly model: ModelDescription;
  readonly stops: readonly [ModelStop, ...ModelStop[]];
}

export interface AskOptions extends CallOptions {
  /** The result of `route` for the same request. */
  readonly route?: ModelRoute;
}

/**
 * Asks the providers that serve the named model, in their order. When one throws an UpstreamFailure, the next is asked, unless the
 * first had begun to answer. A name that no provider serves gets the default models; with `strictModels` it is refused with
 * ModelNotFound. With `allow_degraded: true` the stand-in answers when all others have failed.
 *
 * Throws ModelNotConfigured when no provider serves the operation, the UpstreamFailure of a provider that cannot list its models
 * when no other serves the name, and whatever the provider throws that was asked last.
 */
export class Models {
  private catalogue: Catalogue | null = null;

  constructor(
    private readonly providers: readonly ModelProvider[],
    private readonly options: ModelsOptions,
  ) {}

  /** Every model once; of several with one id the first counts. Providers that fail are left out. */
  async list(): Promise<ModelDescription[]> {
    const models = new Map<string, ModelDescription>();
    for (const { served } of (await this.listed()).offers) {
      for (const model of served) {
        if (!models.has(model.id)) {
          models.set(model.id, model);
        }
      }
    }
    return [...models.values()];
  }

  /**
   * The providers that a call would ask, which with this route asks the model first that it was priced by.
   * @param allowDegraded whether the request allows the stand-in
   * @throws ModelNotFound, ModelNotConfigured, UpstreamFailure, as the call itself would
   */
  async route(operation: ModelOperation, name: string, allowDegraded = false): Promise<ModelRoute> {
    const catalogue = await this.listed();
    // Callers name models freely, so that only names which are listed are remembered.
    const key = `${operation} ${allowDegraded} ${catalogue.names.has(name) ? name : ANY_MODEL}`;
    const isLenient = !this.options.strictModels || name === ANY_MODEL || catalogue.names.has(name);
    const known = isLenient ? catalogue.routes.get(key) : undefined;
    if (known) {
      return known;
    }
    const stops = this.stops(catalogue, operation, name, allowDegraded);
    const route = { model: stops[0].model, stops };
    catalogue.routes.set(key, route);
    return route;
  }

  /** For callers that have an answer of their own in place of the stand-in's; `upstreams` is null where there is none. */
  parted({ stops }: ModelRoute): { upstreams: ModelRoute | null; allowsStandIn: boolean } {
    const [first, ...others] = stops.filter(({ provider }) => provider !== this.options.standIn);
    return {
      upstreams: first ? { model: first.model, stops: [first, ...others] } : null,
      allowsStandIn: stops.some(({ provider }) => provider === this.options.standIn),
    };
  }

  async chat(request: ChatRequest, options: AskOptions = {}): Promise<ModelAnswer<ChatResponse>> {
    return this.ask('chat', request, options, (provider, routed) => provider.chat(routed, options));
  }

  async complete(
    request: CompletionRequest,
    options: AskOptions = {},
  ): Promise<ModelAnswer<CompletionResponse>> {
    return this.ask('complete', request, options, (provider, routed) => provider.complete(routed, options));
  }

  async embed(request: EmbeddingRequest, options: AskOptions = {}): Promise<ModelAnswer<EmbeddingResponse>> {
    return this.ask('embed', request, options, (provider, routed) => provider.embed(routed, options));
  }

  /** Other providers are asked only while no first event has come. */
  async streamChat(request: ChatRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('chat', request, options, (provider, routed) => provider.streamChat(routed, options));
  }

  async streamCompletion(request: CompletionRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('complete', request, options, (provider, routed) =>
      provider.streamCompletion(routed, options),
    );
  }

  /** Every provider of chats serves the Responses API. */
  async respond(request: ResponseRequest, options: AskOptions = {}): Promise<ModelAnswer<ResponseObject>> {
    return this.ask('chat', request, options, (provider, routed) => provider.respond(routed, options));
  }

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

  private stops(
    { offers, failure }: Catalogue,
    operation: ModelOperation,
    name: string,
    allowDegraded: boolean,
  ): ModelRoute['stops'] {
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
        return oneOrMore(degraded, () => failure);
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
    return oneOrMore(others.length > 0 ? [...others, ...degraded] : all, () => new ModelNotConfigured());
  }

  /** Asks the providers for their lists; while those are the same, so is the catalogue. */
  private async listed(): Promise<Catalogue> {
    let failure: UpstreamFailure | null = null;
    const lists = await Promise.all(
      this.providers.map((provider) =>
        provider.models().catch((error: unknown) => {
          failure ??= failureOf(error, null);
          return null;
        }),
      ),
    );
    const known = this.catalogue;
    if (known?.failure === failure && lists.every((list, index) => list === known.lists[index])) {
      return known;
    }
    const offers = this.providers.flatMap((provider, index) => {
      const served = lists[index];
      return served ? [{ provider, served }] : [];
    });
    const models = offers.flatMap(({ served }) => served);
    const names = new Set(models.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
    return (this.catalogue = { lists, offers, failure, names, routes: new Map() });
  }
}

interface Offer {
  readonly provider: ModelProvider;
  readonly served: readonly ModelDescription[];
}

/** What the providers list at present, and the routes that were worked out from it. */
interface Catalogue {
  /** Null for a provider that could not list its models. */
  readonly lists: readonly (readonly ModelDescription[] | null)[];
  readonly offers: readonly Offer[];
  /** Of the first provider that could not. */
  readonly failure: UpstreamFailure | null;
  /** All ids and aliases. */
  readonly names: ReadonlySet<string>;
  readonly routes: Map<string, ModelRoute>;
}

/** Each provider with its first model that is meant. */
function stopsAt(offers: readonly Offer[], isMeant: (model: ModelDescription) => boolean): ModelStop[] {
  return offers.flatMap(({ provider, served }) => {
    const model = served.find(isMeant);
    return model ? [{ provider, model }] : [];
  });
}

function oneOrMore(stops: ModelStop[], otherwise: () => ApiError): ModelRoute['stops'] {
  const [first, ...others] = stops;
  if (!first) {
    throw otherwise();
  }
  return [first, ...others];
}

/**
 * Any error but one after which another provider may be asked is thrown. When the stand-in refuses a parameter, the client is
 * told the failure before it, because its request was meant for another provider.
 * @param before where the stand-in is asked in place of the providers before; otherwise null
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

/** A provider that was not even asked says less than the one before it that failed. */
function weightier(before: UpstreamFailure | null, last: UpstreamFailure): UpstreamFailure {
  return before !== null && last instanceof UpstreamBreakerOpen ? before : last;
}
