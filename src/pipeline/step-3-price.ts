import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { estimateRequestTokens } from '../core/models/tokens/estimate-request-tokens';
import { TokenCounter } from '../core/models/tokens/token-counter';
import { costNanoUsd, PriceList, type Price } from '../core/pricing/price-list';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';

/** Step 3: works out the most that the call can cost, from its counted input and the output that it may produce. */
@Injectable()
export class PriceStep extends Step {
  constructor(
    private readonly prices: PriceList,
    private readonly tokens: TokenCounter,
    private readonly configuration: Configuration,
  ) {
    super();
  }

  override run(call: PipelineCall): Promise<void> | void {
    if (call.policy.price === null || call.replay) {
      return;
    }
    const price = this.prices.get(call.policy.price);
    if (price.perTokenNanoUsd !== null) {
      return this.quoteByTokens(call, price);
    }
    this.quote(call, price, 0);
  }

  private async quoteByTokens(call: PipelineCall, price: Price): Promise<void> {
    this.quote(call, price, await estimateRequestTokens(call.input.body, this.tokens, call.signal));
  }

  private quote(call: PipelineCall, price: Price, inputTokens: number): void {
    const isOutputPriced = price.counts === 'input_and_output';
    const output = isOutputPriced ? this.output(call.input.body) : NO_OUTPUT;
    const outputTokensMax = output.choices * output.tokensMax;
    call.quote = {
      price,
      priceVersion: this.prices.version,
      inputTokens,
      outputTokensMax,
      choices: output.choices,
      reserveNanoUsd: costNanoUsd(price, { inputTokens, outputTokens: outputTokensMax }),
    };
  }

  /** How many choices the request asks for, and what it caps each of them at. */
  private output(body: unknown): Output {
    const { max_completion_tokens, max_tokens, n } = (body ?? {}) as Record<
      string,
      number | null | undefined
    >;
    const tokensMax = max_completion_tokens ?? max_tokens ?? this.configuration.defaultOutputTokensMax;
    return { choices: n ?? 1, tokensMax };
  }
}

interface Output {
  choices: number;
  tokensMax: number;
}

const NO_OUTPUT: Output = { choices: 1, tokensMax: 0 };
