import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { TokenUse } from '../../ledger/money';
import { isObject, jsonField, objectsOf } from '../../runtime/json';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { ModelNotConfigured, ModelRefused, UpstreamFailed, UpstreamFailure } from '../errors';
import { AnswerSoFar, useOfAnswer } from '../usage';
import { saidByModel } from '../message-text';
import type {
  CallOptions,
  CallProgress,
  ChatMessage,
  ChatRequest,
  ChatResponse,
  ModelAnswer,
} from '../model-provider';
import { ANY_MODEL, Models, type ModelRoute } from '../models';
import { estimateRequestTokens } from '../request-tokens';
import type {
  EmbeddedText,
  GeneratedText,
  PieceReader,
  TextBound,
  TextCall,
  TextOrder,
  TextStream,
  TextTerms,
} from './text-order';
import { EmbeddedStream, UpstreamStream } from './text-streams';
import { textJobs } from '../../text/text.jobs';

export interface TextRequest {
  readonly model?: string | null;
  readonly max_tokens?: number | null;
  readonly temperature?: number | null;
  readonly allow_degraded?: boolean | null;
}

/** The embedded chat model is never asked, because it would quote the prompt: the order's embedded method answers. */
@Injectable()
export class TextGeneration {
  constructor(
    private readonly models: Models,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  /** @throws what Models.route throws */
  async terms(asked: TextRequest): Promise<TextTerms> {
    const route = await this.models.route('chat', asked.model ?? ANY_MODEL, asked.allow_degraded ?? false);
    const { stops } = this.models.parted(route).upstreams ?? route;
    const largest = Math.min(...stops.map(({ model }) => model.outputTokensMax ?? Infinity));
    const own = asked.max_tokens ?? null;
    return {
      route,
      temperature: asked.temperature ?? null,
      outputTokensMax: own ?? Math.min(this.configuration.defaultOutputTokensMax, largest),
      isOutputOpen: own === null,
    };
  }

  /** @throws ModelNotConfigured where only a model could write it, and what TokenCounter.countAll throws */
  async bound(
    order: Pick<TextOrder<unknown>, 'route' | 'messages' | 'outputTokensMax'> & {
      readonly embedded?: unknown;
    },
    signal: AbortSignal,
    furtherInputTokens = 0,
  ): Promise<TextBound> {
    const { messages, outputTokensMax, route, embedded } = order;
    if (embedded === null && this.models.parted(route).upstreams === null) {
      throw new ModelNotConfigured();
    }
    const asked = await estimateRequestTokens({ messages }, this.counter, { signal });
    return { inputTokens: asked + furtherInputTokens, outputTokensMax, model: route.model.id };
  }

  /** @throws UpstreamFailed, ModelRefused, and what Models.chat and the embedded method throw */
  async write<Detail>(order: TextOrder<Detail>, call: TextCall): Promise<GeneratedText<Detail>> {
    return this.byUpstreamOr(
      order,
      (route) => this.asked(order, route, call),
      async () => (await this.embedded(order, call)).whole(),
    );
  }

  /** Resolves when the stream has begun. Throws what Models.streamChat and the embedded method throw. */
  async stream<Detail>(order: TextOrder<Detail>, call: TextCall): Promise<TextStream<Detail>> {
    return this.byUpstreamOr<Detail, TextStream<Detail>>(
      order,
      (route) => this.begun(order, route, call),
      () => this.embedded(order, call),
    );
  }

  private async byUpstreamOr<Detail, Written>(
    { route, embedded: method }: TextOrder<Detail>,
    upstream: (route: ModelRoute) => Promise<Written>,
    embedded: () => Promise<Written>,
  ): Promise<Written> {
    const { upstreams, allowsStandIn } = this.models.parted(route);
    if (upstreams === null) {
      return embedded();
    }
    try {
      return await upstream(upstreams);
    } catch (error) {
      if (error instanceof UpstreamFailure && allowsStandIn && method !== null) {
        return embedded();
      }
      throw error;
    }
  }

  private async asked(
    order: TextOrder<unknown>,
    route: ModelRoute,
    call: TextCall,
  ): Promise<GeneratedText<never>> {
    const answer = await this.models.chat(requestOf(order), this.options(order, route, call));
    const reserved = {
      inputTokens: await this.inputTokens(order, call),
      outputTokensMax: order.outputTokensMax,
    };
    const use = call.meter.report(await useOfAnswer(answer.response, reserved, this.counter));
    const { text, finishReason } = saidIn(answer, order.reader);
    call.setEngine(answer.engine);
    call.setHeader('X-Model-Used', answer.modelId ?? answer.response.model);
    return { text, model: answer.response.model, finishReason, use, detail: null };
  }

  private async begun(order: TextOrder<unknown>, route: ModelRoute, call: TextCall): Promise<UpstreamStream> {
    const request = { ...requestOf(order), stream: true, stream_options: { include_usage: true } };
    const stream = await this.models.streamChat(request, this.options(order, route, call));
    call.setEngine(stream.engine);
    call.setHeader('X-Model-Used', stream.modelId ?? stream.model);
    return new UpstreamStream({
      stream,
      reader: order.reader,
      inputTokens: () => this.inputTokens(order, call),
      outputTokensMax: order.outputTokensMax,
      counter: this.counter,
      report: (use) => call.meter.report(use),
    });
  }

  private async embedded<Detail>(order: TextOrder<Detail>, call: TextCall): Promise<EmbeddedStream<Detail>> {
    const { embedded, outputTokensMax: tokensMax } = order;
    const { signal, meter } = call;
    if (embedded === null) {
      throw new ModelNotConfigured();
    }
    meter.watch({ useSoFar: () => this.inputSoFar(order, call) });
    const made: EmbeddedText<Detail> = await embedded(signal);
    const { text } = made;
    const cut = await this.threads.run(textJobs.limitText, { text, tokensMax }, [text], signal);
    const inputTokens = made.isRefusal
      ? 0
      : Math.min(await this.counter.countAll(made.read, signal), meter.inputTokens);
    call.setEngine(made.engine);
    call.setHeader('X-Model-Used', made.model);
    return new EmbeddedStream(made, cut, {
      inputTokens,
      counter: this.counter,
      report: (use: TokenUse) => meter.report(use),
    });
  }

  /** Only the caller's messages: the service's own prompt is for models. */
  private async inputSoFar({ messages }: TextOrder<unknown>, call: TextCall): Promise<TokenUse> {
    const said = messages.filter(({ role }) => role !== 'system');
    return { inputTokens: await this.inputTokens({ messages: said }, call), outputTokens: 0 };
  }

  private options(
    order: TextOrder<unknown>,
    route: ModelRoute,
    call: TextCall,
  ): CallOptions & { route: ModelRoute } {
    const progress: CallProgress & AnswerSoFar = new AnswerSoFar(this.counter, async () => ({
      inputTokens: await this.inputTokens(order, call),
      outputTokensMax: order.outputTokensMax,
    }));
    call.meter.watch(progress);
    return { signal: call.signal, ownCap: true, isOutputOpen: order.isOutputOpen, route, progress };
  }

  /** As sent, which may be fewer tokens than were reserved. */
  private async inputTokens(
    { messages }: { messages: readonly ChatMessage[] },
    { meter }: TextCall,
  ): Promise<number> {
    return Math.min(
      await estimateRequestTokens({ messages }, this.counter.withFallback()),
      meter.inputTokens,
    );
  }
}

function requestOf({ messages, temperature, outputTokensMax }: TextOrder<unknown>): ChatRequest {
  return {
    model: ANY_MODEL,
    messages,
    max_completion_tokens: outputTokensMax,
    ...(temperature !== null && { temperature }),
  };
}

function saidIn(
  { response, engine }: ModelAnswer<ChatResponse>,
  reader: PieceReader | null,
): { text: string; finishReason: string | null } {
  const [choice] = objectsOf(jsonField(response, 'choices'));
  if (!isObject(choice?.message)) {
    throw new UpstreamFailed(engine.provider, 'sent an answer without a message');
  }
  const { text, refusal } = saidByModel(choice.message);
  const { finish_reason: finishReason } = choice;
  if (text === '' && (refusal !== '' || finishReason === 'content_filter')) {
    throw new ModelRefused(response.model, refusal);
  }
  return {
    text: reader ? reader.push(text) + reader.end() : text,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
  };
}
