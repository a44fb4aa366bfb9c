import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InvalidConfiguration, type Configuration } from '../../config/configuration';
import type { Clock } from '../clock/clock';
import { BitcoinCoreChain } from './bitcoin/bitcoin-core-chain';
import { EsploraChain } from './bitcoin/esplora-chain';
import { InvalidKey, WrongNetwork } from './chain-errors';
import { EthereumChain } from './ethereum/ethereum-chain';
import { CURRENCIES, type Currency, type PaymentChain } from './payment-chain';
import { SandboxChain } from './sandbox/sandbox-chain';
import { SolanaChain } from './solana/solana-chain';

/** The chains that this service takes payments on. */
@Injectable()
export class PaymentChains implements OnApplicationShutdown {
  constructor(private readonly chains: ReadonlyMap<Currency, PaymentChain>) {}

  /**
   * Those that the operator has configured. In the test environment a sandbox plays the others.
   * @throws InvalidConfiguration for a key or an address that is of no use
   */
  static of(configuration: Configuration, clock: Clock): PaymentChains {
    const chains = CURRENCIES.map((currency) => chainOf(currency, configuration, clock));
    return new PaymentChains(
      new Map(chains.flatMap((chain) => (chain === null ? [] : [[chain.currency, chain]]))),
    );
  }

  /** Null for a currency in which no payments are taken. */
  get(currency: Currency): PaymentChain | null {
    return this.chains.get(currency) ?? null;
  }

  all(): PaymentChain[] {
    return [...this.chains.values()];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all().map((chain) => chain.close()));
  }
}

function chainOf(currency: Currency, configuration: Configuration, clock: Clock): PaymentChain | null {
  const chain = configuredChain(currency, configuration);
  if (chain !== null) {
    return chain;
  }
  return configuration.environment === 'test' ? new SandboxChain(currency, clock) : null;
}

/** Null where the operator has not configured the chain. */
function configuredChain(currency: Currency, { payments, environment }: Configuration): PaymentChain | null {
  const { btc, eth, sol } = payments;
  switch (currency) {
    case 'BTC': {
      const settings = btc && { xpub: btc.xpub, url: btc.node.url, environment };
      const kind = btc?.node.kind === 'core' ? BitcoinCoreChain : EsploraChain;
      return settings && named('BTC_XPUB', () => new kind(settings));
    }
    case 'ETH': {
      const settings = eth && { xpub: eth.xpub, url: eth.rpcUrl, environment };
      return settings && named('ETH_XPUB', () => new EthereumChain(settings));
    }
    case 'SOL': {
      const settings = sol && { places: sol.places, url: sol.rpcUrl, environment };
      const variable = sol && 'pool' in sol.places ? 'SOL_ADDRESS_POOL' : 'SOL_MERCHANT_ADDRESS';
      return settings && named(variable, () => new SolanaChain(settings));
    }
  }
}

/** Names the variable in a fault of its value. */
function named<Made>(variable: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof InvalidKey || error instanceof WrongNetwork) {
      throw new InvalidConfiguration([`${variable}: ${error.message}`]);
    }
    throw error;
  }
}
