import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { ServiceUnavailable } from '../../errors/api-errors';
import { ConfirmationRules, type ConfirmationTier } from './confirmation-rules';
import {
  ChainUnavailable,
  CURRENCIES,
  type Currency,
  NoPlaceLeft,
  type PaymentChain,
  WrongNetwork,
} from './payment-chain';
import { PaymentChains } from './payment-chains';
import { MAXIMUM_NANO_USD, MINIMUM_NANO_USD } from './payment-policy';
import { PriceUnavailable } from './price-feed';
import { PaymentQuotes } from './price-sources';

const RETRY_AFTER_SECONDS = 15;

/** 503: the public text does not tell what is wrong with the operator's node. */
class PaymentUnavailable extends ServiceUnavailable {
  constructor(currency: Currency, reason: string, cause: unknown) {
    super(`${currency} payments can't be taken right now: ${reason}`, RETRY_AFTER_SECONDS, cause);
  }
}

/** What an account holder is told about a fault of a node, a price source or a pool; null for any other error. */
function unavailableReason(error: unknown): string | null {
  if (error instanceof PriceUnavailable) {
    return 'no price can be had.';
  }
  if (error instanceof ChainUnavailable || error instanceof WrongNetwork) {
    return 'the chain can not be asked.';
  }
  return error instanceof NoPlaceLeft ? 'there is no address left.' : null;
}

/** @throws PaymentUnavailable in place of such a fault */
export async function orUnavailable<Result>(
  currency: Currency,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = unavailableReason(error);
    throw reason === null ? error : new PaymentUnavailable(currency, reason, error);
  }
}

export interface PaymentMethod {
  currency: Currency;
  /** Null while the node has not said it. */
  network: string | null;
  isSandbox: boolean;
  minimumNanoUsd: bigint;
  maximumNanoUsd: bigint;
  confirmations: ConfirmationTier[];
  expiryMinutes: number;
  /** Null where a payment can be created. */
  unavailableReason: string | null;
  /** Null where none can be had. */
  rateNanoUsd: bigint | null;
}

@Injectable()
export class PaymentMethods {
  constructor(
    private readonly chains: PaymentChains,
    private readonly quotes: PaymentQuotes,
    private readonly rules: ConfirmationRules,
    private readonly configuration: Configuration,
  ) {}

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
