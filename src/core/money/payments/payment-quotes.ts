import { Injectable } from '@nestjs/common';
import type { PaymentChain } from '../../../infrastructure/chain/payment-chain';
import { Clock } from '../../../infrastructure/clock/clock';
import { PriceSources } from './prices/price-sources';
import type { Quote } from './prices/quote';
import { sandboxQuote } from './prices/sandbox-quote';

/** What a coin costs on the chain that takes it: on a sandbox always the same. */
@Injectable()
export class PaymentQuotes {
  constructor(
    private readonly sources: PriceSources,
    private readonly clock: Clock,
  ) {}

  /** @throws PriceUnavailable */
  async quote({ currency, isSandbox }: PaymentChain): Promise<Quote> {
    return isSandbox ? sandboxQuote(currency, this.clock.now()) : this.sources.quote(currency);
  }
}
