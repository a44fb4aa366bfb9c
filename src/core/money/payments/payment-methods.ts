import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../config/configuration';
import { CURRENCIES, type Currency, type PaymentChain } from '../../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../../infrastructure/chain/payment-chains';
import { ConfirmationRules, type ConfirmationTier } from './confirmation-rules';
import { PaymentQuotes } from './payment-quotes';
import { unavailableReason } from './payment-unavailable';
import { MAXIMUM_NANO_USD, MINIMUM_NANO_USD } from './policy';

/** A currency that credits may be bought with. */
export interface PaymentMethod {
  currency: Currency;
  /** Null while the node has not said it. */
  network: string | null;
  isSandbox: boolean;
  minimumNanoUsd: bigint;
  maximumNanoUsd: bigint;
  confirmations: ConfirmationTier[];
  expiryMinutes: number;
  /** Why no payment can be created right now; null where one can. */
  unavailableReason: string | null;
  /** The present price of one coin; null where none can be had. */
  rateNanoUsd: bigint | null;
}

/** In which currencies payments can be created right now. */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly chains: PaymentChains,
    private readonly quotes: PaymentQuotes,
    private readonly rules: ConfirmationRules,
    private readonly configuration: Configuration,
  ) {}

  /** Asks the nodes and the price sources. */
  async list(): Promise<PaymentMethod[]> {
    return Promise.all(CURRENCIES.map((currency) => this.method(currency)));
  }

  private async method(currency: Currency): Promise<PaymentMethod> {
    const chain = this.chains.get(currency);
    const method = {
      currency,
      network: null,
      isSandbox: chain?.isSandbox ?? false,
      minimumNanoUsd: MINIMUM_NANO_USD[currency],
      maximumNanoUsd: MAXIMUM_NANO_USD,
      confirmations: this.rules.tiers(currency),
      expiryMinutes: this.configuration.payments.expiryMinutes,
      rateNanoUsd: null,
    };
    if (chain === null) {
      return { ...method, unavailableReason: `This service takes no ${currency}.` };
    }
    const [network, rate] = await Promise.all([settled(chain.network()), settled(this.rateOf(chain))]);
    const fault = network.fault ?? rate.fault;
    return {
      ...method,
      network: network.value,
      rateNanoUsd: rate.value,
      unavailableReason: fault === null ? null : sentence(fault),
    };
  }

  private async rateOf(chain: PaymentChain): Promise<bigint> {
    return (await this.quotes.quote(chain)).rateNanoUsd;
  }
}

async function settled<Value>(
  work: Promise<Value>,
): Promise<{ value: Value; fault: null } | { value: null; fault: string }> {
  try {
    return { value: await work, fault: null };
  } catch (error) {
    const fault = unavailableReason(error);
    if (fault === null) {
      throw error;
    }
    return { value: null, fault };
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
