import { BitcoinCoreChain } from '../../../src/modules/billing/bitcoin/bitcoin-core-chain';
import { EsploraChain } from '../../../src/modules/billing/bitcoin/esplora-chain';
import type {
  KnownTransfer,
  Observation,
  PaymentChain,
  TransferSighting,
  WatchedPayment,
} from '../../../src/modules/billing/payment-chain';
import { freshBitcoinAccount, type BitcoinAccount } from './bitcoin-keys';
import type { BitcoinNode } from './bitcoin-node';
import { EsploraServer } from './esplora-server';

/** A chain under test with payments to it, which remembers between looks what the service would have stored. */
export class WatchedBitcoin {
  private readonly payments = new Map<string, WatchedPayment>();
  private nextIndex = 0;

  private constructor(
    readonly chain: PaymentChain,
    readonly account: BitcoinAccount,
    private readonly node: BitcoinNode,
    private readonly stopServer: () => Promise<void>,
  ) {}

  static async core(node: BitcoinNode): Promise<WatchedBitcoin> {
    const account = freshBitcoinAccount();
    const settings = { xpub: account.vpub, url: node.rpcUrl, environment: 'test' } as const;
    return WatchedBitcoin.opened(new BitcoinCoreChain(settings), account, node);
  }

  static async esplora(node: BitcoinNode): Promise<WatchedBitcoin> {
    const account = freshBitcoinAccount();
    const server = await EsploraServer.start(node.rpcUrl);
    const settings = { xpub: account.tpub, url: server.url, environment: 'test' } as const;
    return WatchedBitcoin.opened(new EsploraChain(settings), account, node, () => server.stop());
  }

  /** The first look makes the wallet, as it does when a service starts. */
  private static async opened(
    chain: PaymentChain,
    account: BitcoinAccount,
    node: BitcoinNode,
    stopServer = () => Promise.resolve(),
  ): Promise<WatchedBitcoin> {
    const watched = new WatchedBitcoin(chain, account, node, stopServer);
    await chain.network();
    await watched.observe();
    return watched;
  }

  /** Makes a payment, and returns its address. */
  pay(index = this.nextIndex): string {
    this.nextIndex = Math.max(this.nextIndex, index + 1);
    const { address, reference } = this.chain.placeOf(index);
    const createdAt = new Date();
    this.payments.set(address, {
      id: `payment-${index}`,
      address,
      reference,
      derivationIndex: index,
      createdAt,
      transfers: [],
    });
    return address;
  }

  /** Looks at all payments, and stores what was found. The node's wallets learn a moment later what the node has just taken. */
  async observe(): Promise<Observation> {
    await this.node.rpc('syncwithvalidationinterfacequeue');
    const observation = await this.chain.observe([...this.payments.values()], new AbortController().signal);
    for (const payment of this.payments.values()) {
      const found = observation.transfers.get(payment.id);
      if (found !== undefined) {
        this.payments.set(payment.address, { ...payment, transfers: found.map(asKnown) });
      }
    }
    return observation;
  }

  /** What a look at the payment with this address finds, sorted by amount. */
  async look(address: string): Promise<TransferSighting[]> {
    const { transfers } = await this.observe();
    const found = transfers.get(this.payments.get(address)?.id ?? '');
    if (found === undefined) {
      throw new Error('the payment was left out');
    }
    return [...found].sort((one, other) => Number(one.amountBase - other.amountBase));
  }

  /** In short: transaction, state and confirmations of each transfer. */
  async states(address: string): Promise<Record<string, string>> {
    const found = await this.look(address);
    return Object.fromEntries(
      found.map(({ txHash, state, confirmations }) => [txHash ?? '', `${state} ${confirmations}`]),
    );
  }

  async close(): Promise<void> {
    await this.chain.close();
    await this.stopServer();
  }
}

function asKnown(sighting: TransferSighting): KnownTransfer {
  return { ...sighting, firstSeenAt: new Date() };
}
