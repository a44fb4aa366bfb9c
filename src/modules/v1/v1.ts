import { Injectable, Module } from '@nestjs/common';
import {
  type CreateChatCompletionCall,
  type CreateCompletionCall,
  type CreateEmbeddingCall,
  type CreateResponseCall,
  type GetModelCall,
  type ListModelsCall,
  v1Api,
  type V1Api,
} from '../../../generated/contract';
import type {
  ChatCompletion,
  EmbeddingList,
  Model,
  ModelList,
  ModelResponse,
  TextCompletion,
} from '../../../generated/types';
import { planOf } from '../../contract/estimates';
import { type CallContext, type Meter, Serves } from '../../contract/operation';
import type { TokenUse } from '../../ledger/money';
import { ModelNotFound } from '../../models/errors';
import { AnswerSoFar, responseUsageOf, useOfAnswer, withUsage } from '../../models/usage';
import type {
  CallOptions,
  ChatResponse,
  CompletionResponse,
  EmbeddingResponse,
  ModelAnswer,
  ModelDescription,
  ModelStream,
} from '../../models/model-provider';
import { Models } from '../../models/models';
import { ResponseDialect } from '../../models/responses/response';
import type { ResponseObject } from '../../models/responses/response-object';
import { CHAT_DIALECT, COMPLETION_DIALECT, type StreamDialect } from '../../models/stream-dialects';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { StreamedCompletion } from '../../models/streamed-completion';
import { jsonField } from '../../runtime/json';
import { TokenCounter } from '../../text/token-counter';
import { ChatPlan, CompletionPlan, EmbeddingPlan, ResponsePlan } from './v1-estimators';
import { V1Estimators } from './v1-estimators';

function toModelList(models: ModelDescription[]): ModelList {
  return { object: 'list', data: models.map(toModel) };
}

function toModel({ id, created, ownedBy }: ModelDescription): Model {
  return { id, object: 'model', created, owned_by: ownedBy };
}

type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn' | 'idempotencyId'> & { meter: Meter };

/** Neither answers nor responses are stored. */
@Injectable()
class V1Service {
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

  /** The call can be stopped, and the model asked what it has done until then. */
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

/** The call is charged by a stream's usage. A client gets it only if it asked for it. */
function withUsageAsked<Request extends Readonly<Record<string, unknown>>>(request: Request): Request {
  const asked = request.stream_options as object | null | undefined;
  return { ...request, stream_options: { ...asked, include_usage: true } };
}

function asksForUsage({ stream_options: asked }: Readonly<Record<string, unknown>>): boolean {
  return jsonField(asked, 'include_usage') === true;
}

@Serves(v1Api)
class V1Controller implements V1Api {
  constructor(private readonly v1: V1Service) {}

  async createChatCompletion(call: CreateChatCompletionCall): Promise<ChatCompletion | StreamedAnswer> {
    return this.v1.chat(planOf(call, ChatPlan), call);
  }

  async createCompletion(call: CreateCompletionCall): Promise<TextCompletion | StreamedAnswer> {
    return this.v1.complete(planOf(call, CompletionPlan), call);
  }

  async createResponse(call: CreateResponseCall): Promise<ModelResponse | StreamedAnswer> {
    return this.v1.respond(planOf(call, ResponsePlan), call);
  }

  async createEmbedding(call: CreateEmbeddingCall): Promise<EmbeddingList> {
    return this.v1.embed(planOf(call, EmbeddingPlan), call);
  }

  async listModels(_call: ListModelsCall): Promise<ModelList> {
    return toModelList(await this.v1.models());
  }

  async getModel({ params }: GetModelCall): Promise<Model> {
    return toModel(await this.v1.model(params.model));
  }
}

@Module({ controllers: [V1Controller], providers: [V1Estimators, V1Service] })
export class V1Module {}
