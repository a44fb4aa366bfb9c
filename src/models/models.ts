import { ApiError } from '../errors/api-errors';
import { ModelNotConfigured, ModelNotFound, UpstreamBreakerOpen, UpstreamFailure } from './errors';
import type { CallOptions, ModelDescription, ModelOperation, ModelProvider } from './model-provider';

/** Leaves the choice to this service, even with `strictModels`. */
export const ANY_MODEL = '';

export interface ModelsOptions {
  readonly strictModels: boolean;
  /** The first of these that fits the operation replaces a name that no provider serves. */
  readonly defaultModels?: readonly string[];
  /** Answers in place of a failed provider only if the request allows it. */
  readonly standIn?: ModelProvider;
}

export interface ModelStop {
  readonly provider: ModelProvider;
  readonly model: ModelDescription;
}

export interface ModelRoute {
  readonly model: ModelDescription;
  readonly stops: readonly [ModelStop, ...ModelStop[]];
}

export interface AskOptions extends CallOptions {
  readonly route?: ModelRoute;
}

type AskedMethod = Exclude<keyof ModelProvider, 'models' | 'refuseChat'>;
type Asks<Method extends AskedMethod> = (
  request: Parameters<ModelProvider[Method]>[0],
  options?: AskOptions,
) => ReturnType<ModelProvider[Method]>;

interface RoutedRequest {
  readonly model: string;
  readonly allow_degraded?: unknown;
}

/**
 * Asks the providers that serve the named model (in any case) in order: the next one after an UpstreamFailure, unless
 * the first had begun to answer. A name that nobody serves goes to the operator's default, else to the first model, or
 * with `strictModels` throws ModelNotFound. With `allow_degraded: true` the stand-in answers when all others failed.
 * Throws ModelNotConfigured when no provider serves the operation, the UpstreamFailure of one that cannot list its
 * models when no other serves the name, and whatever the last provider throws.
 */
export class Models {
  private catalogue: Catalogue | null = null;

  constructor(
    private readonly providers: readonly ModelProvider[],
    private readonly options: ModelsOptions,
  ) {}

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

  /** A call with this route first asks the model that priced it. Throws what the call itself would. */
  async route(operation: ModelOperation, name: string, allowDegraded = false): Promise<ModelRoute> {
    const catalogue = await this.listed();
    const found = this.found(catalogue, operation, name);
    // Callers name models freely, so only listed names are remembered.
    const key = `${operation} ${allowDegraded} ${found ?? ANY_MODEL}`;
    const isKept = found !== null || !this.options.strictModels;
    const known = isKept ? catalogue.routes.get(key) : undefined;
    if (known) {
      return known;
    }
    const stops = this.stops(catalogue, operation, found ?? name, allowDegraded);
    const route = { model: stops[0].model, stops };
    if (isKept) {
      catalogue.routes.set(key, route);
    }
    return route;
  }

  /** In any case. @throws ModelNotFound where it is no model's id or alias */
  async named(name: string): Promise<ModelDescription> {
    const written = writtenName(await this.listed(), name);
    const model = written === null ? null : (await this.list()).find((one) => isNamed(one, written));
    if (!model) {
      throw new ModelNotFound(name);
    }
    return model;
  }

  private found(catalogue: Catalogue, operation: ModelOperation, name: string): string | null {
    if (name === ANY_MODEL) {
      return name;
    }
    const written = writtenName(catalogue, name);
    if (written !== null) {
      return written;
    }
    const served = catalogue.offers.flatMap(({ served: models }) => models);
    const isFor = mayBeDefaultFor(operation);
    const defaults = (this.options.defaultModels ?? []).map(
      (model) => writtenName(catalogue, model) ?? model,
    );
    return defaults.find((model) => served.some((one) => isNamed(one, model) && isFor(one))) ?? null;
  }

  parted({ stops }: ModelRoute): { upstreams: ModelRoute | null; allowsStandIn: boolean } {
    const [first, ...others] = stops.filter(({ provider }) => provider !== this.options.standIn);
    return {
      upstreams: first ? { model: first.model, stops: [first, ...others] } : null,
      allowsStandIn: stops.some(({ provider }) => provider === this.options.standIn),
    };
  }

  readonly chat = this.asks('chat', 'chat');
  readonly complete = this.asks('complete', 'complete');
  readonly embed = this.asks('embed', 'embed');
  /** Other providers are asked only before the first event. */
  readonly streamChat = this.asks('chat', 'streamChat');
  readonly streamCompletion = this.asks('complete', 'streamCompletion');
  readonly respond = this.asks('chat', 'respond');
  readonly streamResponse = this.asks('chat', 'streamResponse');
  readonly message = this.asks('chat', 'message');
  readonly streamMessage = this.asks('chat', 'streamMessage');

  private asks<Method extends AskedMethod>(operation: ModelOperation, method: Method): Asks<Method> {
    const asks = (request: RoutedRequest, options: AskOptions = {}): Promise<object> =>
      this.ask(operation, request, options, (provider, routed) => provider[method](routed as never, options));
    return asks as unknown as Asks<Method>;
  }

  private async ask(
    operation: ModelOperation,
    request: RoutedRequest,
    { signal, route }: AskOptions,
    call: (provider: ModelProvider, routed: RoutedRequest) => Promise<object>,
  ): Promise<object> {
    const { stops } = route ?? (await this.route(operation, request.model, request.allow_degraded === true));
    let failure: UpstreamFailure | null = null;
    for (const { provider, model } of stops) {
      signal?.throwIfAborted();
      const isStandIn = provider === this.options.standIn;
      if (failure?.hadBegun && !isStandIn) {
        continue;
      }
      try {
        return { ...(await call(provider, { ...request, model: model.id })), modelId: model.id };
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
    // One provider may know the name as an alias of a model that another knows by id alone.
    const ids = new Set(
      serving.flatMap(({ served }) => served.filter((model) => isNamed(model, name)).map(({ id }) => id)),
    );
    const named = stopsAt(serving, (model) => isNamed(model, name) || ids.has(model.id));
    const standIns = stopsAt(
      serving.filter(({ provider }) => provider === this.options.standIn),
      () => true,
    );
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
    const all = named.length > 0 ? named : stopsAt(serving, mayBeDefaultFor(operation));
    const others = all.filter(({ provider }) => provider !== this.options.standIn);
    return oneOrMore(others.length > 0 ? [...others, ...degraded] : all, () => new ModelNotConfigured());
  }

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
    const names = models.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    const folded = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
    return (this.catalogue = { lists, offers, failure, names: new Set(names), folded, routes: new Map() });
  }
}

interface Offer {
  readonly provider: ModelProvider;
  readonly served: readonly ModelDescription[];
}

interface Catalogue {
  /** Null for a provider that could not list its models. */
  readonly lists: readonly (readonly ModelDescription[] | null)[];
  readonly offers: readonly Offer[];
  readonly failure: UpstreamFailure | null;
  readonly names: ReadonlySet<string>;
  /** In lower case; of names that differ only in case, the first. */
  readonly folded: ReadonlyMap<string, string>;
  readonly routes: Map<string, ModelRoute>;
}

function writtenName({ names, folded }: Catalogue, name: string): string | null {
  return names.has(name) ? name : (folded.get(name.toLowerCase()) ?? null);
}

function isNamed({ id, aliases }: ModelDescription, name: string): boolean {
  return id === name || Boolean(aliases?.includes(name));
}

function mayBeDefaultFor(operation: ModelOperation): (model: ModelDescription) => boolean {
  return ({ operations, defaultFor = operations }) => defaultFor.includes(operation);
}

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

/** When the stand-in refuses a parameter, the client gets the earlier failure, `before`. */
function failureOf(error: unknown, before: UpstreamFailure | null): UpstreamFailure {
  if (error instanceof UpstreamFailure) {
    return error;
  }
  if (error instanceof ApiError && error.status === 400 && before !== null) {
    return before;
  }
  throw error;
}

/** A provider that was not asked says less than the one before it that failed. */
function weightier(before: UpstreamFailure | null, last: UpstreamFailure): UpstreamFailure {
  return before !== null && last instanceof UpstreamBreakerOpen ? before : last;
}
