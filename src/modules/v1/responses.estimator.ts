import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { Models } from '../../core/models/models';
import { refuseStoredState } from '../../core/models/responses/refuse-stored-state';
import type { ResponseRequest } from '../../core/models/responses/response-object';
import { TOKENS_PER_MESSAGE, TOKENS_PER_NAME } from '../../core/models/tokens/chat-framing';
import { estimateRequestTokens } from '../../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../../core/text/tokens/token-counter';

/** Works out what a response may use at most, and which model's price it has. */
@Injectable()
export class ResponsesEstimator implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('createResponse', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const request = body as ResponseRequest;
    refuseStoredState(request);
    const model = await this.models.resolve('chat', request.model, request.allow_degraded === true);
    const { imageTokensMax, defaultOutputTokensMax } = this.configuration;
    const tokens = await estimateRequestTokens(body, this.counter, { signal, imageTokensMax });
    return {
      inputTokens: tokens + framing(request),
      outputTokensMax: request.max_output_tokens ?? defaultOutputTokensMax,
      choices: 1,
      model: model.id,
    };
  }
}

/** Each item, and the instructions, may become a message. */
function framing({ input }: ResponseRequest): number {
  const messages = 1 + (typeof input === 'string' ? 1 : input.length);
  return messages * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME);
}
