import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { UpstreamSettings } from '../../config/upstream-settings';
import { type UpstreamResponse, UpstreamTransport } from '../../http/upstream-transport';
import { Metrics } from '../../observability/metrics';
import { isObject } from '../../runtime/json';
import { UpstreamFailed, UpstreamRefused } from '../errors';
import {
  CallOptions,
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  EmbeddingRequest,
  EmbeddingResponse,
  Engine,
  ModelAnswer,
  ModelDescription,
  ModelProvider,
  ModelStream,
} from '../model-provider';
import type { ResponseObject, ResponseRequest } from '../responses/response-object';
import {
  ATTEMPT_OPTIONS,
  AttemptOptions,
  Attempts,
  FailedAttempt,
  failedTransport,
  UpstreamMetrics,
  type UpstreamSeries,
} from './attempts';
import {
  holdsKey,
  type OpenedStream,
  openStream,
  readAnswer,
  type ReadAnswer,
  refusedStatus,
  type Refuser,
} from './upstream-answer';
import { LIST_OPTIONS, ListOptions, OwnCaps, UpstreamModels } from './upstream-models';

/** An upstream without the Responses API is not asked for it again for so long. */
const ABSENT_MS = 600_000;
const PATH = '/responses';
/** Said with 404 by servers that have the API, but not the model, file or store that the request names. */
const ABOUT_A_NAME = /\bmodels?\b|model_not_found|\bno such \w+ object\b|\bwith id\b/i;

/**
 * An upstream's own Responses API. Every method returns null where it has none, which is remembered for ten minutes. Every request
 * says `store: false`, whatever the client said.
 */
class NativeResponses {
  private absentUntilMs = -Infinity;
  /** After the first answer a 404 is no absence: a client could turn the API off for all by naming something that gives 404. */
  private areKnown = false;

  constructor(
    private readonly refuser: Refuser,
    private readonly transport: UpstreamTransport,
  ) {}

  get areAbsent(): boolean {
    return performance.now() < this.absentUntilMs;
  }

  /** @throws FailedAttempt, the signal's reason */
  async respond(request: ResponseRequest, options: CallOptions): Promise<ReadAnswer | null> {
    const response = await this.post({ ...unstored(request), stream: false }, options, 'is final');
    if (!response) {
      return null;
    }
    const { name, apiKey } = this.refuser;
    const answer = await readAnswer(name, response, 'output', options.progress);
    if (answer.json.error && holdsKey(answer.text, apiKey)) {
      throw new FailedAttempt(new UpstreamFailed(name, 'answered with an error'), false, false);
    }
    return answer;
  }

  /** @throws FailedAttempt, the signal's reason */
  async stream(request: ResponseRequest, options: CallOptions): Promise<OpenedStream | null> {
    const response = await this.post({ ...unstored(request), stream: true }, options, 'may be retried');
    return response && openStream(this.refuser, response);
  }

  private async post(
    request: object,
    { signal, progress }: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse | null> {
    const json = JSON.stringify(request);
    const sending = { signal, onSent: () => progress?.taken() };
    const response = await this.transport.post(PATH, json, sending).catch((error: unknown) => {
      throw failedTransport(this.refuser.name, error, afterFirstByte);
    });
    if (response.status >= 200 && response.status <= 299) {
      this.areKnown = true;
      return response;
    }
    if (response.status === 405 || response.status === 501) {
      response.discard();
      return this.absent();
    }
    const refusal = await refusedStatus(this.refuser, response);
    if (!this.areKnown && saysNoSuchPath(refusal)) {
      return this.absent();
    }
    throw refusal;
  }

  private absent(): null {
    this.absentUntilMs = performance.now() + ABSENT_MS;
    return null;
  }
}

/** `allow_degraded` is meant for this service alone, and nothing may be stored. */
function unstored({ allow_degraded: _, ...request }: ResponseRequest): object {
  return { ...request, store: false };
}

function saysNoSuchPath({ failure }: FailedAttempt): boolean {
  const isMissing = failure instanceof UpstreamRefused && failure.status === 404;
  return isMissing && !ABOUT_A_NAME.test(failure.options.body ?? '');
}

/** It can stand in the header X-Model-Used. */
const MODEL_NAME = /^[\x20-\x7e]{1,256}$/;

const CHAT_COUNTS = ['prompt_tokens', 'completion_tokens'];
const EMBEDDING_COUNTS = ['prompt_tokens'];
const RESPONSE_COUNTS = ['input_tokens', 'output_tokens'];

type Wire = Readonly<Record<string, unknown>> & { readonly model: string };

/**
 * Asks one OpenAI-compatible server. Requests and answers pass as they are, but for `usage` that is none, which is left out, and
 * that every stream is asked for its usage.
 * @throws UpstreamFailure, UpstreamRefused where the request is at fault, and the signal's reason, which closes the connection
 */
export class UpstreamProvider extends ModelProvider {
  private readonly logger = new Logger('Upstream');
  private readonly transport: UpstreamTransport;
  private readonly attempts: Attempts;
  private readonly catalogue: UpstreamModels;
  private readonly native: NativeResponses;
  private readonly ownCaps = new OwnCaps();
  private isKeyRefused = false;
  private readonly engine: Engine;

  constructor(
    private readonly settings: UpstreamSettings,
    options: Partial<AttemptOptions & ListOptions> = {},
    series: UpstreamSeries | null = null,
  ) {
    super();
    this.transport = new UpstreamTransport(settings);
    this.attempts = new Attempts(settings.name, { ...ATTEMPT_OPTIONS, ...options }, series);
    const listOptions = { ...LIST_OPTIONS, ...options };
    this.catalogue = new UpstreamModels(settings, this.transport, this.refuser, listOptions);
    this.native = new NativeResponses(this.refuser, this.transport);
    this.engine = { provider: settings.name, method: 'upstream', quality: 'model' };
  }

  get name(): string {
    return this.settings.name;
  }

  get isLeftAlone(): boolean {
    return !this.attempts.isClosed;
  }

  /** In words that any client may read; null while calls get through. */
  get fault(): string | null {
    if (this.isLeftAlone) {
      return 'It failed several times in a row and is left alone for a while.';
    }
    if (this.isKeyRefused) {
      return 'It refused the key that it was shown last.';
    }
    return this.catalogue.isMissing ? 'It does not list its models.' : null;
  }

  models(): Promise<readonly ModelDescription[]> {
    return this.catalogue.list();
  }

  chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>> {
    return this.ask('/chat/completions', request, 'choices', options);
  }

  complete(request: CompletionRequest, options: CallOptions): Promise<ModelAnswer<CompletionResponse>> {
    return this.ask('/completions', request, 'choices', options);
  }

  embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>> {
    return this.ask('/embeddings', request, 'data', options);
  }

  override streamChat(request: ChatRequest, options: CallOptions): Promise<ModelStream> {
    return this.stream('/chat/completions', request, options);
  }

  override streamCompletion(request: CompletionRequest, options: CallOptions): Promise<ModelStream> {
    return this.stream('/completions', request, options);
  }

  /** Where the upstream has no Responses API, asks for a chat and translates its answer. */
  override async respond(
    request: ResponseRequest,
    options: CallOptions,
  ): Promise<ModelAnswer<ResponseObject>> {
    const answer = this.native.areAbsent
      ? null
      : await this.attempts.run(() => this.native.respond(request, options), options);
    if (!answer) {
      return super.respond(request, options);
    }
    const usage = isUsage(answer.json.usage, RESPONSE_COUNTS) ? answer.json.usage : null;
    const response = { ...answer.json, usage, model: modelOf(answer.json, request.model) };
    return { response: response as unknown as ResponseObject, engine: this.engine, text: answer.text };
  }

  override async streamResponse(request: ResponseRequest, options: CallOptions): Promise<ModelStream> {
    const stream = this.native.areAbsent
      ? null
      : await this.attempts.run(() => this.native.stream(request, options), options);
    if (!stream) {
      return super.streamResponse(request, options);
    }
    const begun = isObject(stream.first.response) ? stream.first.response : {};
    return { model: modelOf(begun, request.model), engine: this.engine, events: stream.events };
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private get refuser() {
    return { name: this.settings.name, apiKey: this.settings.apiKey, logger: this.logger };
  }

  private ask<Response>(
    path: string,
    request: Wire,
    list: 'choices' | 'data',
    options: CallOptions,
  ): Promise<ModelAnswer<Response>> {
    return this.attempts.run(async () => {
      const asked = await this.posted(path, request, options, 'is final');
      const { text, json: answer } = await readAnswer(this.name, asked, list, options.progress);
      const { usage, ...rest } = answer;
      const counted = isUsage(usage, list === 'choices' ? CHAT_COUNTS : EMBEDDING_COUNTS) ? { usage } : {};
      const response = { ...rest, ...counted, model: modelOf(answer, request.model) };
      return { response: response as Response, engine: this.engine, text };
    }, options);
  }

  private stream(path: string, request: Wire, options: CallOptions): Promise<ModelStream> {
    const sent = isObject(request.stream_options) ? request.stream_options : {};
    const streamed = { ...request, stream: true, stream_options: { ...sent, include_usage: true } };
    return this.attempts.run(async () => {
      const response = await this.posted(path, streamed, options, 'may be retried');
      const { first, events } = await openStream(this.settings, response);
      return { model: modelOf(first, request.model), engine: this.engine, events };
    }, options);
  }

  /** A cap that this service set stands in the field that the model knows. */
  private posted(
    path: string,
    request: Wire,
    options: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse> {
    const post = (wire: Wire) => this.post(path, wire, options, afterFirstByte);
    return options.ownCap ? this.ownCaps.asking(request, post) : post(request);
  }

  /** @throws FailedAttempt unless the answer has a status of success; the signal's reason */
  private async post(
    path: string,
    request: Wire,
    { signal, progress }: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse> {
    const json = JSON.stringify(withoutOwnFields(request));
    const sending = { signal, onSent: () => progress?.taken() };
    const response = await this.transport.post(path, json, sending).catch((error: unknown) => {
      throw failedTransport(this.name, error, afterFirstByte);
    });
    const isSuccess = response.status >= 200 && response.status <= 299;
    if (isSuccess || response.status === 401 || response.status === 403) {
      this.isKeyRefused = !isSuccess;
    }
    if (!isSuccess) {
      throw await refusedStatus(this.refuser, response);
    }
    return response;
  }
}

function withoutOwnFields({ allow_degraded: _, ...request }: Wire): Readonly<Record<string, unknown>> {
  return request;
}

function modelOf({ model }: Readonly<Record<string, unknown>>, asked: string): string {
  return typeof model === 'string' && MODEL_NAME.test(model) ? model : asked;
}

function isUsage(usage: unknown, counts: readonly string[]): boolean {
  return isObject(usage) && counts.every((count) => Number.isFinite(usage[count]));
}

interface UpstreamState {
  readonly name: string;
  readonly status: 'ok' | 'unavailable';
  /** Anybody may read it: it holds neither the upstream's address nor its key. */
  readonly detail?: string;
}

/** In the order in which they are asked. */
export class Upstreams implements OnApplicationShutdown {
  readonly providers: readonly UpstreamProvider[];

  constructor(settings: readonly UpstreamSettings[], metrics: Metrics = new Metrics()) {
    const counted = new UpstreamMetrics(metrics, () =>
      this.providers.map(({ name, isLeftAlone }) => [name, isLeftAlone]),
    );
    this.providers = settings.map(
      (upstream) => new UpstreamProvider(upstream, {}, counted.of(upstream.name)),
    );
  }

  /** As far as it is known from earlier calls: none of them is asked. */
  states(): UpstreamState[] {
    return this.providers.map(({ name, fault }) =>
      fault === null ? { name, status: 'ok' } : { name, status: 'unavailable', detail: fault },
    );
  }

  /** All calls have been answered when the application shuts down. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.close()));
  }
}
