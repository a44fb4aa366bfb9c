import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Configuration, InvalidConfiguration } from '../../config/configuration';
import type { Clock } from '../../runtime/clock';
import { BitcoinCoreChain } from './bitcoin/bitcoin-core-chain';
import { EsploraChain } from './bitcoin/esplora-chain';
import { EthereumChain } from './ethereum/ethereum-chain';
import {
  type ChainTip,
  CURRENCIES,
  type Currency,
  InvalidKey,
  type Observation,
  PaymentChain,
  type PaymentPlace,
  type TransferSighting,
  unchanged,
  type WatchedPayment,
  WrongNetwork,
} from './payment-chain';
import { SolanaChain } from './solana/solana-chain';

@Injectable()
export class PaymentChains implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('NetworkCheck');

  constructor(private readonly chains: ReadonlyMap<Currency, PaymentChain>) {}

  /** In the test environment a sandbox replaces unconfigured chains. @throws InvalidConfiguration */
  static of(configuration: Configuration, clock: Clock): PaymentChains {
    const chains = CURRENCIES.map((currency) => chainOf(currency, configuration, clock));
    return new PaymentChains(
      new Map(chains.flatMap((chain) => (chain === null ? [] : [[chain.currency, chain]]))),
    );
  }

  get(currency: Currency): PaymentChain | null {
    return this.chains.get(currency) ?? null;
  }

  all(): PaymentChain[] {
    return [...this.chains.values()];
  }

  /** A silent node does not prevent the start. @throws InvalidConfiguration for one on a wrong network */
  async onApplicationBootstrap(): Promise<void> {
    const faults = await Promise.all(this.all().map((chain) => this.faultOf(chain)));
    const wrong = faults.filter((fault) => fault !== null);
    if (wrong.length > 0) {
      throw new InvalidConfiguration(wrong);
    }
  }

  private async faultOf(chain: PaymentChain): Promise<string | null> {
    const { currency } = chain;
    try {
      await chain.network();
      return null;
    } catch (error) {
      if (error instanceof WrongNetwork) {
        return `${currency}: ${error.message}`;
      }
      this.logger.warn({ message: 'a node does not answer', currency, fault: String(error) });
      return null;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all().map((chain) => chain.close()));
  }
}

function chainOf(currency: Currency, configuration: Configuration, clock: Clock): PaymentChain | null {
  const sandbox = configuration.environment === 'test' ? new SandboxChain(currency, clock) : null;
  return configuredChain(currency, configuration) ?? sandbox;
}

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

/** A new block each second, so that the height never falls while time goes on. */
const BLOCK_MS = 1_000;

const FINAL_CONFIRMATIONS = 100;

export class SandboxChain extends PaymentChain {
  readonly isSandbox = true;
  readonly placesId: string;

  constructor(
    readonly currency: Currency,
    private readonly clock: Clock,
  ) {
    super();
    this.placesId = `${currency.toLowerCase()}:sandbox`;
  }

  network(): Promise<string> {
    return Promise.resolve('sandbox');
  }

  /** No wallet accepts this address, so that nobody loses real coins. */
  placeOf(index: number): PaymentPlace {
    return { address: `sandbox-${this.currency.toLowerCase()}-${index}`, reference: null };
  }

  observe(payments: readonly WatchedPayment[]): Promise<Observation> {
    const transfers = new Map(payments.map((payment) => [payment.id, payment.transfers.map(unchanged)]));
    return Promise.resolve({ tip: this.tip(), transfers, reviews: new Map(), requests: 0 });
  }

  /** One transfer: seen, in a block, final. Always the same, so that playing it twice pays once. */
  looks(paymentId: string, amountBase: bigint): TransferSighting[][] {
    const seen: TransferSighting = {
      id: `sandbox:${paymentId}`,
      txHash: createHash('sha256').update(paymentId).digest('hex'),
      amountBase,
      state: 'pending',
      confirmations: 0,
      isFinal: false,
      blockTime: null,
    };
    const included: TransferSighting = {
      ...seen,
      state: 'included',
      confirmations: 1,
      blockTime: this.tip().time,
    };
    return [[seen], [included], [{ ...included, confirmations: FINAL_CONFIRMATIONS, isFinal: true }]];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private tip(): ChainTip {
    const time = this.clock.now();
    return { height: Math.floor(time.getTime() / BLOCK_MS), time };
  }
}
