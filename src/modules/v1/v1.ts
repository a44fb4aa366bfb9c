import { Module } from '@nestjs/common';
import { type Call, v1Api, type V1Api } from '../../../generated/contract';
import type {
  AnsweredMessage,
  ChatCompletion,
  EmbeddingList,
  MessageTokens,
  Model,
  ModelList,
  ModelResponse,
  TextCompletion,
} from '../../../generated/types';
import { type CallContext, type Meter, planOf, Serves } from '../../contract/operation';
import type { TokenUse } from '../../ledger/money';
import { AnswerSoFar, messageUsageOf, responseUsageOf, useOfAnswer, withUsage } from '../../models/usage';
import type {
  CallProgress,
  ChatRequest,
  CompletionRequest,
  EmbeddedInput,
  EmbeddingRequest,
  EmbeddingResponse,
  ModelAnswer,
  ModelDescription,
  ModelStream,
} from '../../models/model-provider';
import { type AskOptions, type ModelRoute, Models } from '../../models/models';
import { MessageDialect } from '../../models/messages/message';
import type { MessageRequest } from '../../models/messages/request-to-chat';
import { ResponseDialect } from '../../models/responses/response';
import type { ResponseRequest } from '../../models/responses/request-to-chat';
import { CHAT_DIALECT, COMPLETION_DIALECT, type StreamDialect } from '../../models/stream-dialects';
import { ServerSentEvent } from '../../models/sse';
import { type StreamedAnswer, WAITING_COMMENT } from '../../models/streamed-answer';
import { StreamedCompletion } from '../../models/streamed-completion';
import { jsonField } from '../../runtime/json';
import { TokenCounter } from '../../text/token-counter';
import { PricedPlan, V1Estimators } from './v1-estimators';

function toModel({ id, created, ownedBy }: ModelDescription): Model {
  return { id, object: 'model', created, owned_by: ownedBy };
}

type V1Call = CallContext & { readonly meter: Meter };

const MESSAGE_HEADERS = ['anthropic-version', 'anthropic-beta'];

type WatchedOptions = AskOptions & { progress: CallProgress; route: ModelRoute };

/** Proxies close idle connections. */
const HEADERS_AFTER_MS = 1000;

/** After a second the stream begins with a comment, so that the headers leave. An earlier failure keeps its status. */
function openedSoon(
  open: (progress: CallProgress) => Promise<ModelStream>,
  progress: CallProgress,
  expected: string,
): Promise<ModelStream> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const opening = open({
      received: (bytes) => progress.received(bytes),
      joined: (soFar) => progress.joined(soFar),
      taken: () => {
        progress.taken();
        // A busy process first reads what has arrived meanwhile.
        const leave = () => setImmediate(() => resolve(awaited(opening, expected)));
        timer ??= setTimeout(leave, HEADERS_AFTER_MS);
      },
      dropped: () => {
        progress.dropped();
        stop();
      },
    });
    opening.finally(stop).then(resolve, reject);
  });
}

function awaited(opening: Promise<ModelStream>, model: string): ModelStream {
  const engine = { provider: model, method: 'upstream', quality: 'model' };
  const stream = { model, engine, isAwaited: true, events: awaitedEvents(opening) };
  opening.then(
    (opened) => Object.assign(stream, { model: opened.model, engine: opened.engine }),
    // Whoever reads the events gets the error.
    () => undefined,
  );
  return stream;
}

async function* awaitedEvents(opening: Promise<ModelStream>): AsyncGenerator<ServerSentEvent> {
  yield new ServerSentEvent(WAITING_COMMENT, '', '');
  yield* (await opening).events;
}

/** Upstreams that know no base64 send floats all the same, but the client expects base64. */
function inBase64(answer: ModelAnswer<EmbeddingResponse>): ModelAnswer<EmbeddingResponse> {
  const { data } = answer.response;
  if (data.every(({ embedding }) => typeof embedding === 'string')) {
    return answer;
  }
  const encoded = data.map((item) => ({ ...item, embedding: base64Of(item.embedding) }));
  return { ...answer, response: { ...answer.response, data: encoded }, text: undefined };
}

/** Little-endian floats, the byte order of the platforms this service runs on. */
function base64Of(embedding: EmbeddedInput['embedding']): EmbeddedInput['embedding'] {
  return Array.isArray(embedding)
    ? Buffer.from(Float32Array.from(embedding).buffer).toString('base64')
    : embedding;
}

function asksForUsage({ stream_options: asked }: Readonly<Record<string, unknown>>): boolean {
  return jsonField(asked, 'include_usage') === true;
}

@Serves(v1Api)
class V1Controller implements V1Api {
  constructor(
    private readonly models: Models,
    private readonly counter: TokenCounter,
    private readonly estimators: V1Estimators,
  ) {}

  async createChatCompletion(call: Call<'createChatCompletion'>): Promise<ChatCompletion | StreamedAnswer> {
    const { request, route, ownCap, choices } = planOf(call, PricedPlan<ChatRequest>);
    const options = this.capped(call, request, route, ownCap);
    if (request.stream === true) {
      const form = { dialect: CHAT_DIALECT, choices, wantsUsage: asksForUsage(request) };
      return this.streamed(call, form, options, (asked) => this.models.streamChat(request, asked));
    }
    return (await this.metered(call, await this.models.chat(request, options))).response;
  }

  async createCompletion(call: Call<'createCompletion'>): Promise<TextCompletion | StreamedAnswer> {
    const { request, route, ownCap, choices } = planOf(call, PricedPlan<CompletionRequest>);
    const options = this.capped(call, request, route, ownCap);
    if (request.stream === true) {
      const form = { dialect: COMPLETION_DIALECT, choices, wantsUsage: asksForUsage(request) };
      return this.streamed(call, form, options, (asked) => this.models.streamCompletion(request, asked));
    }
    return (await this.metered(call, await this.models.complete(request, options))).response;
  }

  async createResponse(call: Call<'createResponse'>): Promise<ModelResponse | StreamedAnswer> {
    const { request, route, ownCap } = planOf(call, PricedPlan<ResponseRequest>);
    const options = { ...this.asked(call, route), isOutputOpen: ownCap };
    if (request.stream === true) {
      const form = { dialect: new ResponseDialect(), choices: 1, wantsUsage: true };
      return this.streamed(call, form, options, (asked) => this.models.streamResponse(request, asked));
    }
    const { response, use } = await this.metered(call, await this.models.respond(request, options));
    return { ...response, usage: response.usage ?? responseUsageOf(use) };
  }

  async createMessage(call: Call<'createMessage'>): Promise<AnsweredMessage | StreamedAnswer> {
    call.setHeader('Request-Id', call.requestId);
    const { request, route } = planOf(call, PricedPlan<MessageRequest>);
    const sent = MESSAGE_HEADERS.map((name) => [name, call.requestHeaders[name]] as const);
    const headers = Object.fromEntries(sent.filter(([, value]) => value !== undefined));
    const options = { ...this.asked(call, route), headers: headers as Record<string, string> };
    if (request.stream === true) {
      const form = { dialect: new MessageDialect(), choices: 1, wantsUsage: true };
      return this.streamed(call, form, options, (asked) => this.models.streamMessage(request, asked));
    }
    const { response, use } = await this.metered(call, await this.models.message(request, options));
    return { ...response, usage: response.usage ?? messageUsageOf(use) };
  }

  async countMessageTokens(call: Call<'countMessageTokens'>): Promise<MessageTokens> {
    const { body, signal, requestId } = call;
    call.setHeader('Request-Id', requestId);
    const { inputTokens } = await this.estimators.messageInput(body as unknown as MessageRequest, signal);
    return { input_tokens: inputTokens };
  }

  async createEmbedding(call: Call<'createEmbedding'>): Promise<EmbeddingList> {
    const { request, route } = planOf(call, PricedPlan<EmbeddingRequest>);
    const answer = await this.models.embed(request, this.asked(call, route));
    const asked = request.encoding_format === 'base64' ? inBase64(answer) : answer;
    return (await this.metered(call, asked)).response;
  }

  async listModels(_call: Call<'listModels'>): Promise<ModelList> {
    return { object: 'list', data: (await this.models.list()).map(toModel) };
  }

  async getModel({ params }: Call<'getModel'>): Promise<Model> {
    return toModel(await this.models.named(params.model));
  }

  /** Servers that only know max_tokens ignore the newer name, and would not bound their output. */
  private capped(
    call: V1Call,
    { max_tokens: older }: Pick<ChatRequest, 'max_tokens'>,
    route: ModelRoute,
    isOutputOpen: boolean,
  ) {
    return { ...this.asked(call, route), ownCap: typeof older !== 'number' || isOutputOpen, isOutputOpen };
  }

  private asked({ signal, meter }: V1Call, route: ModelRoute): WatchedOptions {
    const progress = new AnswerSoFar(this.counter, () => meter);
    meter.watch(progress);
    return { signal, progress, route };
  }

  private async metered<Response extends { model: string }>(
    call: V1Call,
    { response, text, modelId }: ModelAnswer<Response>,
  ): Promise<{ response: Response; use: TokenUse }> {
    const use = call.meter.report(await useOfAnswer(response, call.meter, this.counter));
    call.setHeader('X-Model-Used', modelId ?? response.model);
    if (text !== undefined) {
      call.passOn(withUsage(text, response, use));
    }
    return { response, use };
  }

  private async streamed<Options extends WatchedOptions>(
    call: V1Call,
    form: { dialect: StreamDialect; choices: number; wantsUsage: boolean },
    options: Options,
    open: (asked: Options) => Promise<ModelStream>,
  ): Promise<StreamedAnswer> {
    const { progress, route, isOutputOpen } = options;
    const opened = (watched: CallProgress) => open({ ...options, progress: watched });
    const stream = await openedSoon(opened, progress, route.model.id);
    call.setHeader('X-Model-Used', stream.modelId ?? stream.model);
    return new StreamedCompletion({
      stream,
      ...form,
      isOutputOpen,
      counter: this.counter,
      reserved: call.meter,
      held: (use) => call.meter.report(use),
      isKept: call.idempotencyId !== null,
    });
  }
}

@Module({ controllers: [V1Controller], providers: [V1Estimators] })
export class V1Module {}
