import {
  v1Api,
  type CreateChatCompletionCall,
  type CreateCompletionCall,
  type CreateEmbeddingCall,
  type CreateResponseCall,
  type GetModelCall,
  type ListModelsCall,
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
import { Serves } from '../../contract/serves.decorator';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { ChatPlan, CompletionPlan, EmbeddingPlan, ResponsePlan } from './plans';
import { toModel, toModelList } from './v1.mapper';
import { V1Service } from './v1.service';

@Serves(v1Api)
export class V1Controller implements V1Api {
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
