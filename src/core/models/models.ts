import { ApiError } from '../errors/api-error';
import { ModelNotConfigured, ModelNotFound } from './model-errors';
import { UpstreamBreakerOpen, UpstreamFailure } from './upstream/upstream-errors';
import { ChatRequest, ChatResponse } from './chat-completion';
import { EmbeddingRequest, EmbeddingResponse } from './embedding';
import {
  CallOptions,
  ModelAnswer,
  ModelDescription,
  ModelOperation,
  ModelProvider,
  ModelStream,
} from './model-provider';
import { ResponseObject, ResponseRequest } from './responses/response-object';
import { CompletionRequest, CompletionResponse } from './text-completion';

/** The name in a request that leaves the choice of the model to the service, also where names are strict. */
export const ANY_MODEL = '';

export interface ModelsOptions {
  readonly strictModels: boolean;
  /** The one of the providers that never takes a call from a failing one, unless the request allows it. */
  readonly standIn?: ModelProvider;
}

/** A provider, and the model that it is asked for. */
export interface ModelStop {
  readonly provider: ModelProvider;
  readonly model: ModelDescription;
}

/** Whom a call asks, one after the other. */
export interface ModelRoute {
  /** The model that is asked first. */
  readonly model: ModelDescription;
  readonly stops: readonly [ModelStop, ...ModelStop[]];
}

export interface AskOptions extends CallOptions {
  /** What `route` said of the same request; absent where nobody asked it before. */
  readonly route?: ModelRoute;
}

/**
 * Runs an operation on the providers that serve the named model, in the order given, until one answers: the next one is
 * asked when one throws UpstreamFailure, as long as that had not begun to answer. A name that nobody serves runs on the
 * providers' default models; with `strictModels` it is refused with ModelNotFound. `allow_degraded: true` lets the
 * stand-in answer when all others have failed.
 *
 * Throws ModelNotConfigured when no provider serves the operation at all, the UpstreamFailure of a provider that can't
 * say what it serves when no other one serves the name, and whatever the provider throws that was asked last.
 */
export class Models {
  constructor(
    private readonly providers: readonly ModelProvider[],
    private readonly options: ModelsOptions,
  ) {}

  /** Every model once, in the providers' order: the first that names an id owns it. Who can't list is left out. */
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
   * Whom a call would ask, for the call itself to be made with, so that the model whose price it has is asked first.
   * @param allowDegraded whether the request allows the stand-in
   * @throws ModelNotFound, ModelNotConfigured, UpstreamFailure, as the call itself would
   */
  async route(operation: ModelOperation, name: string, allowDegraded = false): Promise<ModelRoute> {
    const stops = await this.stops(operation, name, allowDegraded);
    return { model: stops[0].model, stops };
  }

  /** The model that a call would ask first. Throws what `route` throws. */
  async resolve(operation: ModelOperation, name: string, allowDegraded = false): Promise<ModelDescription> {
    return (await this.route(operation, name, allowDegraded)).model;
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

  /** Another provider is asked until the first event is there, and not after it. */
  async streamChat(request: ChatRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('chat', request, options, (provider, routed) => provider.streamChat(routed, options));
  }

  /** As `streamChat`, for a completion. */
  async streamCompletion(request: CompletionRequest, options: AskOptions = {}): Promise<ModelStream> {
    return this.ask('complete', request, options, (provider, routed) =>
      provider.streamCompletion(routed, options),
    );
  }

  /** Served by what serves chats. */
  async respond(request: ResponseRequest, options: AskOptions = {}): Promise<ModelAnswer<ResponseObject>> {
    return this.ask('chat', request, options, (provider, routed) => provider.respond(routed, options));
  }

  /** As `streamChat`, for a response. */
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

  /** Who is asked, in order. */
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
    // What one provider calls by an alias another may know by its id alone.
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

  /** What every provider serves, and why the first of those can't say so that can't. */
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

/** Each provider with its first model of that kind. */
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
 * The failure that lets another provider be asked; anything else ends the call. What the stand-in can't do is no fault
 * of a request that was not meant for it: the failure before it stands.
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

/** The last one, but one that was not even asked says less than one that was. */
function weightier(before: UpstreamFailure | null, last: UpstreamFailure): UpstreamFailure {
  return before !== null && last instanceof UpstreamBreakerOpen ? before : last;
}
