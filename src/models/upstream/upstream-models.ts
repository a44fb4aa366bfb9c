import type { UpstreamModel, UpstreamSettings } from '../../config/upstream-settings';
import type { UpstreamTransport } from '../../http/upstream-transport';
import { parseUsd } from '../../ledger/money';
import { resultWithin } from '../../runtime/clock';
import { isObject, parsedJson } from '../../runtime/json';
import { UpstreamFailed, UpstreamFailure } from '../errors';
import { MODEL_OPERATIONS, type ModelDescription, type ModelOperation } from '../model-provider';
import { FailedAttempt, failedTransport } from './attempts';
import { refusedStatus } from './upstream-answer';

const LIST_TIMEOUT_MS = 5000;
/** After the list has failed, calls wait only this long for the next one: most are for other upstreams. */
const LATER_LIST_WAIT_MS = 200;
const LIST_BYTES_MAX = 4 * 1024 * 1024;
const MODELS_MAX = 1000;
const MODEL_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;
/** Unix time in seconds, where the upstream gives none. */
const CREATED = 1_763_683_200;

export interface ListOptions {
  readonly freshMs: number;
  readonly holdOffMs: number;
}

export const LIST_OPTIONS: ListOptions = { freshMs: 300_000, holdOffMs: 2000 };

export class UpstreamModels {
  private listed: readonly ModelDescription[] | null;
  private fetching: Promise<readonly ModelDescription[]> | null = null;
  private fetchedSinceMs = -Infinity;
  private failure: UpstreamFailure | null = null;
  private nextFetchMs: number;

  constructor(
    private readonly settings: UpstreamSettings,
    private readonly transport: UpstreamTransport,
    private readonly options: ListOptions,
  ) {
    this.listed = settings.models?.map((model) => this.description(model.id, CREATED, model)) ?? null;
    this.nextFetchMs = this.listed === null ? -Infinity : Infinity;
  }

  get isMissing(): boolean {
    return this.listed === null && this.failure !== null;
  }

  /** When a new list fails, the old one stays. @throws UpstreamFailure where there is no old one */
  async list(): Promise<readonly ModelDescription[]> {
    if (performance.now() >= this.nextFetchMs) {
      this.fetching ??= this.begin();
    }
    if (this.listed !== null) {
      return this.listed;
    }
    return this.failure === null ? (this.fetching ?? []) : this.laterList(this.failure);
  }

  private begin(): Promise<readonly ModelDescription[]> {
    this.fetchedSinceMs = performance.now();
    const fetching = this.refresh().finally(() => (this.fetching = null));
    fetching.catch(() => undefined);
    return fetching;
  }

  private async laterList(failure: UpstreamFailure): Promise<readonly ModelDescription[]> {
    const waitMs = this.fetchedSinceMs + LATER_LIST_WAIT_MS - performance.now();
    if (this.fetching === null || waitMs <= 0) {
      throw failure;
    }
    return resultWithin(waitMs, this.fetching, () => {
      throw failure;
    });
  }

  private async refresh(): Promise<readonly ModelDescription[]> {
    try {
      this.listed = await this.fetch();
      this.failure = null;
      this.nextFetchMs = performance.now() + this.options.freshMs;
      return this.listed;
    } catch (error) {
      this.failure = asFailure(this.settings.name, error);
      this.nextFetchMs = performance.now() + this.options.holdOffMs;
      throw this.failure;
    }
  }

  private async fetch(): Promise<ModelDescription[]> {
    const { name } = this.settings;
    const response = await this.transport.get('/models', { timeoutMs: LIST_TIMEOUT_MS });
    if (response.status !== 200) {
      throw await refusedStatus(this.settings, response);
    }
    const models = modelsOf((await response.read(LIST_BYTES_MAX)).toString());
    if (models === null) {
      throw new UpstreamFailed(name, 'lists no models');
    }
    return models.map(({ id, created }) => this.description(id, created));
  }

  private description(id: string, created: number, named?: UpstreamModel): ModelDescription {
    const { name, partTokens, passFields = new Map<string, string>() } = this.settings;
    const defaultFor: ModelOperation[] = /embed/i.test(id) ? ['embed'] : ['chat', 'complete'];
    const terms = {
      partTokens: (named ? named.partTokens : partTokens) ?? new Map<string, number>(),
      passFields: new Map([...passFields].map(([field, usd]) => [field, parseUsd(usd)])),
    };
    return {
      id,
      created,
      ownedBy: name,
      operations: MODEL_OPERATIONS,
      defaultFor,
      aliases: named?.aliases ?? [],
      speaksMessages: this.settings.messagesKey !== undefined,
      ...(typeof named?.outputTokensMax === 'number' && { outputTokensMax: named.outputTokensMax }),
      terms,
    };
  }
}

function asFailure(upstream: string, error: unknown): UpstreamFailure {
  const attempt = failedTransport(upstream, error, 'may be retried');
  const failure = attempt instanceof FailedAttempt ? attempt.failure : attempt;
  return failure instanceof UpstreamFailure
    ? failure
    : new UpstreamFailed(upstream, 'lists no models', failure);
}

function modelsOf(text: string): { id: string; created: number }[] | null {
  const list = parsedJson(text);
  if (!isObject(list) || !Array.isArray(list.data)) {
    return null;
  }
  const models = list.data.flatMap((model: unknown) =>
    isObject(model) && typeof model.id === 'string' && MODEL_NAME.test(model.id)
      ? [{ id: model.id, created: Number.isSafeInteger(model.created) ? (model.created as number) : CREATED }]
      : [],
  );
  return models.slice(0, MODELS_MAX);
}

export interface LocalServer {
  readonly name: string;
  readonly port: number;
}

export const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: 'ollama', port: 11434 },
  { name: 'lm-studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vllm', port: 8000 },
];

const LOCAL_ANSWER_MS_MAX = 2_000;

interface LocalServers {
  readonly environment: NodeJS.ProcessEnv;
  readonly found: readonly string[] | null;
  readonly warning: string | null;
}

/** Where UPSTREAMS is `local`, asks all places at once, each for two seconds at most. */
export async function withLocalServers(
  environment: NodeJS.ProcessEnv,
  places = LOCAL_SERVERS,
): Promise<LocalServers> {
  if (environment.UPSTREAMS?.trim().toLowerCase() !== 'local') {
    return { environment, found: null, warning: null };
  }
  const asked = await Promise.all(places.map(async (place) => ({ ...place, ...(await modelsAt(place)) })));
  const servers = asked.filter(({ models }) => models > 0);
  // No proxy leads back to this machine.
  const entries = servers.map((place) => ({
    name: place.name,
    base_url: addressOf(place),
    proxy_url: 'none',
  }));
  const lines = asked.map((place) => `${place.name} at ${addressOf(place)}: ${place.said}`);
  return {
    environment: { ...environment, UPSTREAMS: servers.length > 0 ? JSON.stringify(entries) : '' },
    found: lines.filter((_, index) => (asked[index]?.models ?? 0) > 0),
    warning:
      servers.length > 0
        ? null
        : `UPSTREAMS=local finds no server of models (${lines.join('; ')}). Start one, and then the service again.`,
  };
}

function addressOf({ port }: LocalServer): string {
  return `http://127.0.0.1:${port}/v1`;
}

async function modelsAt(place: LocalServer): Promise<{ models: number; said: string }> {
  try {
    const answer = await fetch(`${addressOf(place)}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(LOCAL_ANSWER_MS_MAX),
    });
    const list = parsedJson(await answer.text());
    const models = answer.ok && isObject(list) && Array.isArray(list.data) ? list.data.length : 0;
    const said = answer.ok ? 'answers, but lists no models' : `answers ${answer.status}`;
    return { models, said: models > 0 ? `${models} ${models === 1 ? 'model' : 'models'}` : said };
  } catch {
    return { models: 0, said: 'no answer' };
  }
}
