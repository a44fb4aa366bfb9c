import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { ValidationFailed } from '../../core/errors/request-errors';
import { outputTokensMax, type ChatRequest } from '../../core/models/chat-completion';
import type { EmbeddingRequest } from '../../core/models/embedding';
import type { ModelOperation } from '../../core/models/model-provider';
import { Models } from '../../core/models/models';
import { refuseStoredState } from '../../core/models/responses/refuse-stored-state';
import type { ResponseRequest } from '../../core/models/responses/response-object';
import type { CompletionRequest } from '../../core/models/text-completion';
import { completionChoices, promptCount } from '../../core/models/tokens/completion-choices';
import {
  estimateRequestTokens,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_NAME,
} from '../../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import { pricedRoute, type PricedRoute } from '../../core/models/unpriced/priced-route';
import { cappedRequest, isOwnCap } from './capped-request';
import { ChatPlan, CompletionPlan, EmbeddingPlan, ResponsePlan } from './plans';
import { withoutUnpricedFields } from './without-unpriced-fields';

const PROMPTS_MAX = 100;
const INPUTS_MAX = 2_048;

/** Plans what a model will be asked, and estimates from the plan which model's price holds and the most it may use. */
@Injectable()
export class V1Estimators implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('createChatCompletion', (call) => this.chat(call));
    this.estimates.register('createCompletion', (call) => this.completion(call));
    this.estimates.register('createResponse', (call) => this.response(call));
    this.estimates.register('createEmbedding', (call) => this.embedding(call));
  }

  private async chat(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as ChatRequest;
    const { route, surcharge, partTokens } = await this.route('chat', sent);
    const request = this.capped(withoutUnpricedFields(sent));
    // To count a megabyte of tools takes a second, for nothing where whoever would be asked honours none.
    if (route.stops.length === 1 && Array.isArray(sent.tools)) {
      route.stops[0].provider.refuseChat(request);
    }
    const choices = typeof sent.n === 'number' ? sent.n : 1;
    return {
      inputTokens: await this.inputTokens(call, partTokens),
      outputTokensMax: choices * this.tokensPerChoice(sent),
      choices,
      model: route.model.id,
      surcharge,
      plan: new ChatPlan(request, route, isOwnCap(sent), choices),
    };
  }

  /** With `echo` the prompt is repeated before each of its completions, and a provider may count it as output. */
  private async completion(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as CompletionRequest;
    const prompts = promptCount(sent.prompt);
    refuseMoreThan(PROMPTS_MAX, 'prompt', prompts);
    const { route, surcharge, partTokens } = await this.route('complete', sent);
    const request = this.capped(withoutUnpricedFields(sent, { knowsBestOf: true }));
    const inputTokens = await this.inputTokens(call, partTokens);
    const choices = completionChoices(sent);
    const outputTokensFixed = sent.echo === true ? (choices / prompts) * inputTokens : 0;
    return {
      inputTokens,
      outputTokensMax: choices * this.tokensPerChoice(sent) + outputTokensFixed,
      outputTokensFixed,
      choices,
      model: route.model.id,
      surcharge,
      plan: new CompletionPlan(request, route, prompts * (typeof sent.n === 'number' ? sent.n : 1)),
    };
  }

  private async response(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as ResponseRequest;
    refuseStoredState(sent);
    const { route, surcharge, partTokens } = await this.route('chat', sent, { hasStoredPrompts: true });
    const tokensMax = sent.max_output_tokens ?? this.configuration.defaultOutputTokensMax;
    const request = { ...withoutUnpricedFields(sent), max_output_tokens: tokensMax };
    return {
      inputTokens: (await this.inputTokens(call, partTokens)) + framing(sent),
      outputTokensMax: tokensMax,
      choices: 1,
      model: route.model.id,
      surcharge,
      plan: new ResponsePlan(request, route),
    };
  }

  private async embedding(call: EstimatedCall): Promise<Estimate> {
    const sent = call.body as EmbeddingRequest;
    refuseMoreThan(INPUTS_MAX, 'input', promptCount(sent.input));
    const { route, surcharge, partTokens } = await this.route('embed', sent);
    const request = withoutUnpricedFields(sent);
    return {
      inputTokens: await this.inputTokens(call, partTokens),
      outputTokensMax: 0,
      choices: 1,
      model: route.model.id,
      surcharge,
      plan: new EmbeddingPlan(request, route),
    };
  }

  /** Throws what Models.route and pricedRoute throw. */
  private async route(
    operation: ModelOperation,
    request: Readonly<Record<string, unknown>> & { readonly model: string },
    options: { hasStoredPrompts?: boolean } = {},
  ): Promise<PricedRoute> {
    const { imageTokensMax } = this.configuration;
    const route = await this.models.route(operation, request.model, request.allow_degraded === true);
    return pricedRoute(route, request, { imageTokensMax, ...options });
  }

  private inputTokens(
    { body, signal }: EstimatedCall,
    partTokens: ReadonlyMap<string, number>,
  ): Promise<number> {
    const { imageTokensMax } = this.configuration;
    return estimateRequestTokens(body, this.counter, { signal, imageTokensMax, partTokens });
  }

  private tokensPerChoice(request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>): number {
    return outputTokensMax(request, this.configuration.defaultOutputTokensMax);
  }

  private capped<Request extends Partial<ChatRequest>>(request: Request): Request {
    return cappedRequest(request, this.configuration.defaultOutputTokensMax);
  }
}

/** The API's document allows arrays long enough for a prompt of tokens. An array of texts must be much shorter. */
function refuseMoreThan(countMax: number, field: string, count: number): void {
  if (count > countMax) {
    throw new ValidationFailed([{ field, message: `must not have more than ${countMax} items` }]);
  }
}

/** The most tokens that frame messages: each item of the input may become a message, and so may the instructions. */
function framing({ input }: ResponseRequest): number {
  const messages = 1 + (typeof input === 'string' ? 1 : input.length);
  return messages * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME);
}
