import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { IndexSearchItemsRequest } from '../../../generated/types';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { TokenCounter } from '../../core/text/tokens/token-counter';

/** How many tokens the titles and contents have, which is both what is reserved and what is charged. */
export class CountedItems {
  constructor(readonly tokens: number) {}
}

/** Counts the tokens of items before anything is reserved. */
@Injectable()
export class IndexingEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly counter: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexSearchItems', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { items } = body as IndexSearchItemsRequest;
    const texts = items.flatMap(({ title, content }) => [title ?? '', content]);
    const inputTokens = await this.counter.countAll(texts, signal);
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedItems(inputTokens) };
  }
}
