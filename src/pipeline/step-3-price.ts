import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Estimates, type Estimate, type Estimator } from '../contract/estimates';
import { estimateRequestTokens } from '../core/models/tokens/estimate-request-tokens';
import { refuseUnboundedParts } from '../core/models/unpriced/unpriced-request';
import { TokenCounter } from '../core/text/tokens/token-counter';
import { costNanoUsd, PriceList, withSurcharge, type Price } from '../core/money/pricing/price-list';
import { FirstLook } from './first-look';
import type { MeteredCall } from './metered-call';
import type { Step } from './step';

/**
 * Step 3: works out the most that the call can cost, from its counted input and the output that it may produce. From
 * here on the call has one price, whichever model comes to answer it (docs/decisions/0013). To count is work, and so is to
 * read a file for it: for an account without credit neither is begun.
 */
@Injectable()
export class PriceStep implements Step {
  readonly name = 'price';

  constructor(
    private readonly prices: PriceList,
    private readonly tokens: TokenCounter,
    private readonly configuration: Configuration,
    private readonly estimates: Estimates,
    private readonly firstLook: FirstLook,
  ) {}

  run(call: MeteredCall): Promise<void> | void {
    if (call.policy.price === null || call.replay) {
      return;
    }
    const price = this.prices.get(call.policy.price);
    if (price.perTokenNanoUsd === null) {
      this.quote(call, price, NO_TOKENS);
      return;
    }
    const looking = this.firstLook.pass(call, price.baseNanoUsd);
    return looking ? this.quoteAfter(looking, call, price) : this.quoteByTokens(call, price);
  }

  private async quoteAfter(looking: Promise<void>, call: MeteredCall, price: Price): Promise<void> {
    await looking.catch((error: unknown) => {
      // The receipt of a call that ends here names its price.
      this.quote(call, price, NO_TOKENS);
      throw error;
    });
    return this.quoteByTokens(call, price);
  }

  private quoteByTokens(call: MeteredCall, price: Price): Promise<void> {
    const estimator = this.estimates.of(call.policy.operationId);
    return estimator ? this.quoteByEstimate(call, price, estimator) : this.quoteByBody(call, price);
  }

  private async quoteByEstimate(call: MeteredCall, price: Price, estimator: Estimator): Promise<void> {
    const { policy, input, account, signal } = call;
    if (!account) {
      throw new Error(`${policy.operationId} has an estimator but was called without an account`);
    }
    const { operationId } = policy;
    const { params, body } = input;
    const estimate = await estimator({ operationId, params, body, account, signal });
    call.plan = estimate.plan ?? null;
    const ofModel = this.prices.forModel(price.name, estimate.model);
    this.quote(call, withSurcharge(ofModel, estimate.surcharge ?? null), estimate);
  }

  private async quoteByBody(call: MeteredCall, price: Price): Promise<void> {
    const { body } = call.input;
    refuseUnboundedParts(body);
    const inputTokens = await estimateRequestTokens(body, this.tokens, {
      signal: call.signal,
      imageTokensMax: this.configuration.imageTokensMax,
    });
    this.quote(call, price, { inputTokens, ...this.output(body) });
  }

  private quote(
    call: MeteredCall,
    price: Price,
    estimate: Omit<Estimate, 'model' | 'plan' | 'surcharge'>,
  ): void {
    const { inputTokens, boundedInput = null, choices, outputTokensFixed = 0 } = estimate;
    const isOutputPriced = price.counts === 'input_and_output';
    const outputTokensMax = isOutputPriced ? estimate.outputTokensMax : 0;
    call.quote = {
      price,
      priceVersion: this.prices.version,
      inputTokens,
      boundedInput,
      outputTokensMax,
      outputTokensFixed,
      choices: isOutputPriced ? choices : 1,
      reserveNanoUsd: costNanoUsd(price, { inputTokens, outputTokens: outputTokensMax }),
    };
  }

  /** How many choices the request asks for, and the most output tokens that it allows all of them together. */
  private output(body: unknown): Pick<Estimate, 'choices' | 'outputTokensMax'> {
    const { max_completion_tokens, max_tokens, n } = (body ?? {}) as Record<
      string,
      number | null | undefined
    >;
    const tokensMax = max_completion_tokens ?? max_tokens ?? this.configuration.defaultOutputTokensMax;
    return { choices: n ?? 1, outputTokensMax: (n ?? 1) * tokensMax };
  }
}

const NO_TOKENS = { inputTokens: 0, outputTokensMax: 0, choices: 1 };
