import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InvalidConfiguration } from '../../../config/configuration';
import { WrongNetwork } from '../../../infrastructure/chain/chain-errors';
import type { PaymentChain } from '../../../infrastructure/chain/payment-chain';
import { PaymentChains } from '../../../infrastructure/chain/payment-chains';

/** Asks each node at the start which network it is on. */
@Injectable()
export class NetworkCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('NetworkCheck');

  constructor(private readonly chains: PaymentChains) {}

  /**
   * A node that does not answer keeps nobody from starting: until it does, no payments are taken on its chain.
   * @throws InvalidConfiguration for a node on another network than the keys and the environment are for
   */
  async onApplicationBootstrap(): Promise<void> {
    const faults = await Promise.all(this.chains.all().map((chain) => this.faultOf(chain)));
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
}
