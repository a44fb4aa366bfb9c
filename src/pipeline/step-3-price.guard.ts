import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { estimateRequestTokens } from '../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../core/models/tokens/token-counter';
import { costNanoUsd, PriceList } from '../core/pricing/price-list';
import { callOf } from './call-of';

/** Step 3: works out the most that the call can cost, from its counted input and the output that it may produce. */
@Injectable()
export class PriceGuard implements CanActivate {
  constructor(
    private readonly prices: PriceList,
    private readonly tokens: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = callOf(context);
    if (!call || call.policy.price === null || call.replay) {
      return true;
    }
    const price = this.prices.get(call.policy.price);
    const inputTokens =
      price.perTokenNanoUsd === null
        ? 0
        : await estimateRequestTokens(call.input.body, this.tokens, call.abort.signal);
    const isOutputPriced = price.counts === 'input_and_output';
    const output = isOutputPriced ? this.output(call.input.body) : { choices: 1, tokensMax: 0 };
    const outputTokensMax = output.choices * output.tokensMax;
    call.quote = {
      price,
      priceVersion: this.prices.version,
      inputTokens,
      outputTokensMax,
      choices: output.choices,
      reserveNanoUsd: costNanoUsd(price, { inputTokens, outputTokens: outputTokensMax }),
    };
    return true;
  }

  /** How many choices the request asks for, and what it caps each of them at. */
  private output(body: unknown): { choices: number; tokensMax: number } {
    const { max_completion_tokens, max_tokens, n } = (body ?? {}) as Record<
      string,
      number | null | undefined
    >;
    const tokensMax = max_completion_tokens ?? max_tokens ?? this.configuration.defaultOutputTokensMax;
    return { choices: n ?? 1, tokensMax };
  }
}
