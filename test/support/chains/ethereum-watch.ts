import { EthereumChain } from '../../../src/modules/billing/ethereum/ethereum-chain';
import type {
  KnownTransfer,
  Observation,
  TransferSighting,
  WatchedPayment,
} from '../../../src/modules/billing/payment-chain';
import { freshEthereumAccount } from './ethereum-keys';

/** A chain as a service watches it: with payments, and with what earlier looks found stored. */
export class EthereumWatch {
  readonly chain: EthereumChain;
  readonly payments: WatchedPayment[] = [];
  last: Observation | null = null;

  constructor(
    readonly url: string,
    environment: 'test' | 'live' = 'test',
    xpub = freshEthereumAccount().xpub,
  ) {
    this.chain = new EthereumChain({ url, environment, xpub });
  }

  /** A new payment at the next index. @returns its address */
  pay(createdAt = new Date()): string {
    return this.watch(this.chain.placeOf(this.payments.length).address, createdAt);
  }

  /** A payment to an address that nothing was derived for, which takes less time. */
  watch(address: string, createdAt = new Date()): string {
    const derivationIndex = this.payments.length;
    const id = `payment-${derivationIndex}`;
    this.payments.push({ id, address, reference: null, derivationIndex, createdAt, transfers: [] });
    return address;
  }

  /** Looks at every payment and stores what was found. */
  async look(): Promise<Observation> {
    this.last = await this.chain.observe(this.payments, new AbortController().signal);
    for (const payment of this.payments) {
      const found = this.last.transfers.get(payment.id);
      payment.transfers = found?.map((sighting) => known(payment, sighting)) ?? payment.transfers;
    }
    return this.last;
  }

  /** What a look finds at an address. */
  async at(address: string): Promise<readonly TransferSighting[]> {
    const { transfers } = await this.look();
    const payment = this.payments.find((candidate) => candidate.address === address);
    return transfers.get(payment?.id ?? '') ?? [];
  }

  /** What a person is asked to look at after the last look. */
  reviewOf(address: string): string | undefined {
    const payment = this.payments.find((candidate) => candidate.address === address);
    return this.last?.reviews.get(payment?.id ?? '');
  }

  /** Another replica, which remembers nothing and knows what is stored. */
  replica(xpub: string): EthereumWatch {
    const other = new EthereumWatch(this.url, 'test', xpub);
    other.payments.push(...this.payments.map((payment) => ({ ...payment })));
    return other;
  }
}

function known(payment: WatchedPayment, sighting: TransferSighting): KnownTransfer {
  const before = payment.transfers.find(({ id }) => id === sighting.id);
  return { ...sighting, firstSeenAt: before?.firstSeenAt ?? new Date() };
}
