import { Logger } from '@nestjs/common';
import type { UpstreamSettings } from '../../../config/upstream-settings';
import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { UpstreamTransport } from '../../../infrastructure/upstream/upstream-transport';
import { ChatRequest, ChatResponse } from '../chat-completion';
import { EmbeddingRequest, EmbeddingResponse } from '../embedding';
import {
  CallOptions,
  Engine,
  ModelAnswer,
  ModelDescription,
  ModelProvider,
  ModelStream,
} from '../model-provider';
import type { ResponseObject, ResponseRequest } from '../responses/response-object';
import { CompletionRequest, CompletionResponse } from '../text-completion';
import { ATTEMPT_OPTIONS, Attempts, AttemptOptions } from './attempts';
import { failedTransport } from './failed-attempt';
import { NativeResponses } from './native-responses';
import { openStream } from './open-stream';
import { OwnCaps } from './own-caps';
import { isObject } from '../../../infrastructure/json/json-object';
import { readAnswer } from './read-answer';
import { refusedStatus } from './refused-status';
import { LIST_OPTIONS, ListOptions, UpstreamModels } from './upstream-models';
import type { UpstreamSeries } from './upstream-metrics';

/** A model name that can stand in the header X-Model-Used. */
const MODEL_NAME = /^[\x20-\x7e]{1,256}$/;

/** The counts that usage has to have, as numbers, for each API. */
const CHAT_COUNTS = ['prompt_tokens', 'completion_tokens'];
const EMBEDDING_COUNTS = ['prompt_tokens'];
const RESPONSE_COUNTS = ['input_tokens', 'output_tokens'];

type Wire = Readonly<Record<string, unknown>> & { readonly model: string };

/**
 * Asks one OpenAI-compatible server. Requests are sent and answers returned as they are, with two exceptions:
 * `response.usage` is left out where the upstream sent something that is no usage (negative and absurd numbers are
 * kept), and every stream is asked for its usage.
 *
 * Throws UpstreamFailure where the upstream failed, UpstreamRefused where the request is at fault, and the signal's
 * reason when the signal aborts, which also closes the connection to the upstream.
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

  /** The name of the upstream in the configuration. */
  get name(): string {
    return this.settings.name;
  }

  /** Whether it is left alone after outages. */
  get isLeftAlone(): boolean {
    return !this.attempts.isClosed;
  }

  /** Why no calls get through at present, in words that any client may read; null while they do. */
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

  /** Asks by the upstream's own Responses API; where it has none, asks for a chat and translates its answer. */
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

  /** Streams a response; asks as `respond` does. */
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

  /** Closes all connections. */
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

  /** Posts a request; a cap that this service set stands in the field that the model knows. Throws as `post` does. */
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

/** The request without `allow_degraded`, which is meant for this service alone. */
function withoutOwnFields({ allow_degraded: _, ...request }: Wire): Readonly<Record<string, unknown>> {
  return request;
}

function modelOf({ model }: Readonly<Record<string, unknown>>, asked: string): string {
  return typeof model === 'string' && MODEL_NAME.test(model) ? model : asked;
}

function isUsage(usage: unknown, counts: readonly string[]): boolean {
  return isObject(usage) && counts.every((count) => Number.isFinite(usage[count]));
}
