import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { ValidationFailed } from '../../core/errors/request-errors';
import type { ChatRequest } from '../../core/models/chat-completion';
import type { EmbeddingRequest } from '../../core/models/embedding';
import { Models } from '../../core/models/models';
import { outputTokensMax } from '../../core/models/output-tokens-max';
import type { CompletionRequest } from '../../core/models/text-completion';
import { completionChoices, promptCount } from '../../core/models/tokens/completion-choices';
import { estimateRequestTokens } from '../../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../../core/text/tokens/token-counter';

const PROMPTS_MAX = 100;
const INPUTS_MAX = 2_048;

/** Works out what chats, completions and embeddings may use at most, and which model's price they have. */
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
    this.estimates.register('createEmbedding', (call) => this.embedding(call));
  }

  private async chat(call: EstimatedCall): Promise<Estimate> {
    const request = call.body as ChatRequest;
    const model = await this.models.resolve('chat', request.model, request.allow_degraded === true);
    const choices = typeof request.n === 'number' ? request.n : 1;
    return {
      inputTokens: await this.inputTokens(call),
      outputTokensMax: choices * this.tokensPerChoice(request),
      choices,
      model: model.id,
    };
  }

  /** An echoed prompt stands before each of its completions and may be counted with them. */
  private async completion(call: EstimatedCall): Promise<Estimate> {
    const request = call.body as CompletionRequest;
    refuseMoreThan(PROMPTS_MAX, 'prompt', request.prompt);
    const model = await this.models.resolve('complete', request.model, request.allow_degraded === true);
    const inputTokens = await this.inputTokens(call);
    const choices = completionChoices(request);
    const echoes = request.echo === true ? choices / promptCount(request.prompt) : 0;
    const outputTokensFixed = echoes * inputTokens;
    return {
      inputTokens,
      outputTokensMax: choices * this.tokensPerChoice(request) + outputTokensFixed,
      outputTokensFixed,
      choices,
      model: model.id,
    };
  }

  private async embedding(call: EstimatedCall): Promise<Estimate> {
    const request = call.body as EmbeddingRequest;
    refuseMoreThan(INPUTS_MAX, 'input', request.input);
    const model = await this.models.resolve('embed', request.model, request.allow_degraded === true);
    return { inputTokens: await this.inputTokens(call), outputTokensMax: 0, choices: 1, model: model.id };
  }

  private inputTokens({ body, signal }: EstimatedCall): Promise<number> {
    const { imageTokensMax } = this.configuration;
    return estimateRequestTokens(body, this.counter, { signal, imageTokensMax });
  }

  private tokensPerChoice(request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>): number {
    return outputTokensMax(request, this.configuration.defaultOutputTokensMax);
  }
}

/** The document bounds an array by the tokens that it may hold; texts may be fewer. */
function refuseMoreThan(countMax: number, field: string, prompt: CompletionRequest['prompt']): void {
  if (promptCount(prompt) > countMax) {
    throw new ValidationFailed([{ field, message: `must not have more than ${countMax} items` }]);
  }
}
