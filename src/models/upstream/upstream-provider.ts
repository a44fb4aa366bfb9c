import type { OnApplicationShutdown } from '@nestjs/common';
import type { UpstreamSettings } from '../../config/upstream-settings';
import { type UpstreamResponse, UpstreamTransport } from '../../http/upstream-transport';
import { Metrics } from '../../observability/metrics';
import { exactJson } from '../../runtime/exact-numbers';
import { isObject, type JsonObject } from '../../runtime/json';
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
import type { ModelResponse as ResponseObject } from '../../../generated/types';
import type { MessageObject } from '../messages/message';
import type { InputMessage, MessageRequest } from '../messages/request-to-chat';
import type { ResponseRequest } from '../responses/request-to-chat';
import { reportedUse } from '../usage';
import { AddedFields, OpenCaps, type WireRequest, ResponseFormats } from './added-fields';
import {
  type Attempted,
  ATTEMPT_OPTIONS,
  AttemptOptions,
  Attempts,
  failedTransport,
  upstreamMetrics,
} from './attempts';
import { NativeResponses } from './native-responses';
import { openStream, readAnswer, refusedStatus } from './upstream-answer';
import { LIST_OPTIONS, ListOptions, UpstreamModels } from './upstream-models';

/** A name that can stand in the header X-Model-Used. */
const MODEL_NAME = /^[\x20-\x7e]{1,256}$/;

const PATHS = {
  chat: '/chat/completions',
  completion: '/completions',
  message: '/messages',
  embedding: '/embeddings',
} as const;

interface SentHeaders {
  readonly sentHeaders?: Readonly<Record<string, string | null>>;
}

/** @throws UpstreamFailure, UpstreamRefused where the request is at fault, the signal's reason */
export class UpstreamProvider extends ModelProvider {
  private readonly transport: UpstreamTransport;
  private readonly attempts: Attempts;
  private readonly catalogue: UpstreamModels;
  private readonly native: NativeResponses;
  private readonly addedFields = new AddedFields();
  private readonly openCaps = new OpenCaps();
  private readonly formats = new ResponseFormats();
  private isKeyRefused = false;
  private readonly engine: Engine;

  constructor(
    private readonly settings: UpstreamSettings,
    options: Partial<AttemptOptions & ListOptions> = {},
    attempted: Attempted | null = null,
  ) {
    super();
    this.transport = new UpstreamTransport(settings);
    this.attempts = new Attempts(settings.name, { ...ATTEMPT_OPTIONS, ...options }, attempted);
    const listOptions = { ...LIST_OPTIONS, ...options };
    this.catalogue = new UpstreamModels(settings, this.transport, listOptions);
    this.native = new NativeResponses(settings, this.transport);
    this.engine = { provider: settings.name, method: 'upstream', quality: 'model' };
  }

  get name(): string {
    return this.settings.name;
  }

  get isLeftAlone(): boolean {
    return !this.attempts.isClosed;
  }

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
    return options.ownFormat
      ? this.formed(request, options, options.ownFormat)
      : this.ask('chat', request, options);
  }

  complete(request: CompletionRequest, options: CallOptions): Promise<ModelAnswer<CompletionResponse>> {
    return this.ask('completion', request, options);
  }

  embed(request: EmbeddingRequest, options: CallOptions): Promise<ModelAnswer<EmbeddingResponse>> {
    return this.ask('embedding', request, options);
  }

  override streamChat(request: ChatRequest, options: CallOptions): Promise<ModelStream> {
    return this.stream('chat', request, options);
  }

  override streamCompletion(request: CompletionRequest, options: CallOptions): Promise<ModelStream> {
    return this.stream('completion', request, options);
  }

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
    const usage = isUsage(answer.json.usage) ? answer.json.usage : null;
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

  override message(request: MessageRequest, options: CallOptions): Promise<ModelAnswer<MessageObject>> {
    return this.settings.messagesKey === undefined
      ? super.message(request, options)
      : this.ask('message', asSigned(request), forMessages(this.settings, options));
  }

  override streamMessage(request: MessageRequest, options: CallOptions): Promise<ModelStream> {
    return this.settings.messagesKey === undefined
      ? super.streamMessage(request, options)
      : this.stream('message', asSigned(request), forMessages(this.settings, options));
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private formed(
    request: ChatRequest,
    options: CallOptions,
    { isCallersSchema }: NonNullable<CallOptions['ownFormat']>,
  ): Promise<ModelAnswer<ChatResponse>> {
    const { model } = request;
    return this.attempts.run(
      () =>
        this.formats.asking(request, isCallersSchema, async (wire, format) => {
          const answer = await this.adapted(wire, options, this.asking<ChatResponse>('chat', model, options));
          return { ...answer, ignoresFormat: () => this.formats.ignored(model, format) };
        }),
      options,
    );
  }

  private ask<Response>(
    api: keyof typeof PATHS,
    request: WireRequest,
    options: CallOptions & SentHeaders,
  ): Promise<ModelAnswer<Response>> {
    const asking = this.asking<Response>(api, request.model, options);
    return this.attempts.run(() => this.adapted(request, options, asking), options);
  }

  private asking<Response>(
    api: keyof typeof PATHS,
    model: string,
    options: CallOptions & SentHeaders,
  ): (wire: WireRequest) => Promise<ModelAnswer<Response>> {
    return async (wire) => {
      const asked = await this.post(PATHS[api], wire, options, 'is final');
      const { text, json: answer } = await readAnswer(this.settings, asked, api, options.progress);
      const { usage, ...rest } = answer;
      const counted = isUsage(usage) ? { usage } : {};
      const response = { ...rest, ...counted, model: modelOf(answer, model) };
      return { response: response as Response, engine: this.engine, text };
    };
  }

  private stream(
    api: 'chat' | 'completion' | 'message',
    request: WireRequest,
    options: CallOptions & SentHeaders,
  ): Promise<ModelStream> {
    const opened = async (streamed: WireRequest) => {
      const response = await this.post(PATHS[api], streamed, options, 'may be retried');
      const { first, events } = await openStream(this.settings, response, api);
      const begun = isObject(first.message) ? first.message : first;
      return { model: modelOf(begun, request.model), engine: this.engine, events };
    };
    const asking = (wire: WireRequest) =>
      api === 'message' ? opened(wire) : this.addedFields.streamed(wire, opened);
    const streamed = { ...request, stream: true };
    return this.attempts.run(() => this.adapted(streamed, options, asking), options);
  }

  private adapted<Answer>(
    request: WireRequest,
    options: CallOptions,
    asking: (wire: WireRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const capped = (wire: WireRequest) =>
      options.ownCap ? this.addedFields.capped(wire, asking) : asking(wire);
    return options.isOutputOpen ? this.openCaps.asking(request, capped) : capped(request);
  }

  private async post(
    path: string,
    { allow_degraded: _, ...request }: WireRequest,
    { signal, progress, sentHeaders: headers }: CallOptions & SentHeaders,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse> {
    const json = exactJson(request);
    const sending = { signal, headers, onSent: () => progress?.taken() };
    const response = await this.transport.post(path, json, sending).catch((error: unknown) => {
      throw failedTransport(this.name, error, afterFirstByte);
    });
    const isSuccess = response.status >= 200 && response.status <= 299;
    if (isSuccess || response.status === 401 || response.status === 403) {
      this.isKeyRefused = !isSuccess;
    }
    if (!isSuccess) {
      throw await refusedStatus(this.settings, response);
    }
    return response;
  }
}

function modelOf({ model }: Readonly<Record<string, unknown>>, asked: string): string {
  return typeof model === 'string' && MODEL_NAME.test(model) ? model : asked;
}

function isUsage(usage: unknown): boolean {
  return Object.values(reportedUse(usage)).some((tokens) => tokens !== null);
}

/** Anthropic refuses requests without a version. */
const VERSION = '2023-06-01';
const BETAS = 'anthropic-beta';
/** These can raise a request's cost above its tokens, so they are dropped unless the operator has priced the header. */
const COSTING_BETA = /^(?:context-1m|fast-mode)/;

export function forMessages(
  { messagesKey, apiKey, passFields }: UpstreamSettings,
  { headers: sent = {}, ...options }: CallOptions,
): CallOptions & SentHeaders {
  const betas = (sent[BETAS] ?? '').split(',').map((beta) => beta.trim());
  const isPriced = passFields?.has(BETAS) === true;
  const passed = betas.filter((beta) => beta !== '' && (isPriced || !COSTING_BETA.test(beta)));
  return {
    ...options,
    sentHeaders: {
      'anthropic-version': sent['anthropic-version'] ?? VERSION,
      [BETAS]: passed.length > 0 ? passed.join(',') : null,
      ...(messagesKey === 'x-api-key' && { 'x-api-key': apiKey, authorization: null }),
    },
  };
}

/** Thoughts translated from a chat have no signature, and the API refuses them. */
export function asSigned({ messages, ...request }: MessageRequest): MessageRequest {
  const signed = ({ content, ...message }: InputMessage): InputMessage => ({
    ...message,
    content: Array.isArray(content) ? content.filter(isSigned) : content,
  });
  return { ...request, messages: messages.map(signed) };
}

function isSigned({ type, signature }: JsonObject): boolean {
  return type !== 'thinking' || Boolean(signature);
}

interface UpstreamState {
  readonly name: string;
  readonly status: 'ok' | 'unavailable';
  /** Anybody may read it, so it holds neither the upstream's address nor its key. */
  readonly detail?: string;
}

export class Upstreams implements OnApplicationShutdown {
  readonly providers: readonly UpstreamProvider[];

  constructor(settings: readonly UpstreamSettings[], metrics: Metrics = new Metrics()) {
    const counted = upstreamMetrics(metrics, () =>
      this.providers.map(({ name, isLeftAlone }) => [name, isLeftAlone]),
    );
    this.providers = settings.map((upstream) => new UpstreamProvider(upstream, {}, counted(upstream.name)));
  }

  states(): UpstreamState[] {
    return this.providers.map(({ name, fault }) =>
      fault === null ? { name, status: 'ok' } : { name, status: 'unavailable', detail: fault },
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.close()));
  }
}
