import { Injectable } from '@nestjs/common';
import type { CallContext, Meter } from '../../contract/call';
import { ModelNotFound } from '../../core/models/model-errors';
import type { ChatResponse } from '../../core/models/chat-completion';
import type { EmbeddingResponse } from '../../core/models/embedding';
import type {
  CallOptions,
  ModelAnswer,
  ModelDescription,
  ModelStream,
} from '../../core/models/model-provider';
import { Models } from '../../core/models/models';
import { ResponseDialect } from '../../core/models/responses/response-dialect';
import type { ResponseObject } from '../../core/models/responses/response-object';
import { CHAT_DIALECT } from '../../core/models/streams/chat-dialect';
import { COMPLETION_DIALECT } from '../../core/models/streams/completion-dialect';
import type { StreamDialect } from '../../core/models/streams/stream-dialect';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { StreamedCompletion } from '../../core/models/streams/streamed-completion';
import type { CompletionResponse } from '../../core/models/text-completion';
import { AnswerSoFar } from '../../core/models/use/answer-so-far';
import { useOfAnswer, withUsage } from '../../core/models/use/measured-answer';
import { responseUsageOf } from '../../core/models/use/reported-use';
import type { TokenUse } from '../../core/money/pricing/price-list';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import { jsonField } from '../../infrastructure/json/json-object';
import type { ChatPlan, CompletionPlan, EmbeddingPlan, ResponsePlan } from './plans';

/** The parts of a call that these operations need. */
type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn' | 'idempotencyId'> & { meter: Meter };

/** Asks models what the plans say, and reports what they used. Neither answers nor responses are stored. */
@Injectable()
export class V1Service {
  constructor(
    private readonly catalogue: Models,
    private readonly counter: TokenCounter,
  ) {}

  async chat(plan: ChatPlan, call: MeteredCall): Promise<ChatResponse | StreamedAnswer> {
    const { request, route, ownCap, choices } = plan;
    const options = { ...this.asked(call), ownCap, route };
    if (request.stream === true) {
      const stream = await this.catalogue.streamChat(withUsageAsked(request), options);
      const told = { dialect: CHAT_DIALECT, choices, wantsUsage: asksForUsage(request) };
      return this.streamed(call, stream, told);
    }
    return (await this.metered(call, await this.catalogue.chat(request, options))).response;
  }

  async complete(plan: CompletionPlan, call: MeteredCall): Promise<CompletionResponse | StreamedAnswer> {
    const { request, route, choices } = plan;
    const options = { ...this.asked(call), route };
    if (request.stream === true) {
      const stream = await this.catalogue.streamCompletion(withUsageAsked(request), options);
      const told = { dialect: COMPLETION_DIALECT, choices, wantsUsage: asksForUsage(request) };
      return this.streamed(call, stream, told);
    }
    return (await this.metered(call, await this.catalogue.complete(request, options))).response;
  }

  async respond(plan: ResponsePlan, call: MeteredCall): Promise<ResponseObject | StreamedAnswer> {
    const { request, route } = plan;
    const options = { ...this.asked(call), route };
    if (request.stream === true) {
      const stream = await this.catalogue.streamResponse(request, options);
      return this.streamed(call, stream, { dialect: new ResponseDialect(), choices: 1, wantsUsage: true });
    }
    const { response, use } = await this.metered(call, await this.catalogue.respond(request, options));
    return { ...response, usage: response.usage ?? responseUsageOf(use) };
  }

  async embed({ request, route }: EmbeddingPlan, call: MeteredCall): Promise<EmbeddingResponse> {
    const answer = await this.catalogue.embed(request, { ...this.asked(call), route });
    return (await this.metered(call, answer)).response;
  }

  async models(): Promise<ModelDescription[]> {
    return this.catalogue.list();
  }

  /** @throws ModelNotFound where the name is neither the id nor an alias of any model */
  async model(name: string): Promise<ModelDescription> {
    const found = (await this.catalogue.list()).find(
      ({ id, aliases }) => id === name || aliases?.includes(name),
    );
    if (!found) {
      throw new ModelNotFound(name);
    }
    return found;
  }

  /** How a model is asked for a call: it can be stopped, and asked what it has done until then. */
  private asked({ signal, meter }: MeteredCall): CallOptions {
    const progress = new AnswerSoFar(this.counter, () => meter);
    meter.watch(progress);
    return { signal, progress };
  }

  private async metered<Response extends { model: string }>(
    call: MeteredCall,
    { response, text }: ModelAnswer<Response>,
  ): Promise<{ response: Response; use: TokenUse }> {
    const use = call.meter.report(await useOfAnswer(response, call.meter, this.counter));
    call.setHeader('X-Model-Used', response.model);
    if (text !== undefined) {
      call.passOn(withUsage(text, response, use));
    }
    return { response, use };
  }

  private streamed(
    call: MeteredCall,
    stream: ModelStream,
    told: { dialect: StreamDialect; choices: number; wantsUsage: boolean },
  ): StreamedAnswer {
    call.setHeader('X-Model-Used', stream.model);
    return new StreamedCompletion({
      stream,
      ...told,
      counter: this.counter,
      reserved: call.meter,
      held: (use) => call.meter.report(use),
      isKept: call.idempotencyId !== null,
    });
  }
}

/** Every stream is asked for its usage, because the call is charged by it. A client gets it only if it asked for it. */
function withUsageAsked<Request extends Readonly<Record<string, unknown>>>(request: Request): Request {
  const asked = request.stream_options as object | null | undefined;
  return { ...request, stream_options: { ...asked, include_usage: true } };
}

function asksForUsage({ stream_options: asked }: Readonly<Record<string, unknown>>): boolean {
  return jsonField(asked, 'include_usage') === true;
}
