import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ChainUnavailable, WrongNetwork } from '../chain-errors';
import { ExtendedKey } from '../extended-key';
import type { PaymentPlace, WatchedPayment } from '../payment-chain';
import { bitcoinAddress, isBitcoinNetwork, type BitcoinNetwork } from './bitcoin-addresses';

/** How long a node's answer about its network is believed. */
const BELIEVED_MS = 10_000;
const ADDRESSES_KEPT_MAX = 50_000;
/** An address takes about a millisecond to derive: other work comes between this many, and a look doesn't wait for all. */
const DERIVED_PER_TURN = 4;
const DERIVING_MS_MAX = 3_000;

/** The addresses that payments are made to: those of one key, on the network that the node was found to be on. */
export class BitcoinPlaces {
  readonly key: ExtendedKey;
  readonly id: string;
  private found: { network: BitcoinNetwork; atMs: number } | null = null;
  private readonly addresses = new LRUCache<string, string>({ max: ADDRESSES_KEPT_MAX });

  /** @throws InvalidKey, WrongNetwork when key and environment don't fit */
  constructor(
    xpub: string,
    private readonly environment: 'test' | 'live',
  ) {
    this.key = ExtendedKey.parse(xpub);
    this.id = `btc:${this.key.id}`;
    if ((environment === 'live') !== (this.key.network === 'main')) {
      throw new WrongNetwork(
        `the key is for Bitcoin's ${this.key.network} network, the environment is ${environment}`,
      );
    }
  }

  /**
   * Takes note of the network that the node is on.
   * @throws WrongNetwork
   */
  accept(name: string): BitcoinNetwork {
    const isMain = name === 'main';
    if (!isBitcoinNetwork(name) || isMain !== (this.environment === 'live')) {
      this.found = null;
      throw new WrongNetwork(
        `the node is on Bitcoin's network ${JSON.stringify(name.slice(0, 20))}, the environment is ${this.environment}`,
      );
    }
    this.found = { network: name, atMs: performance.now() };
    return name;
  }

  /** Takes note that the node could not be asked, so that the next who wants to know its network asks it. */
  unanswered(): void {
    this.found &&= { ...this.found, atMs: -Infinity };
  }

  /** The network that the node was on some seconds ago; null when it has not been asked since. */
  get believedNetwork(): BitcoinNetwork | null {
    return this.found !== null && performance.now() - this.found.atMs < BELIEVED_MS
      ? this.found.network
      : null;
  }

  /** @throws ChainUnavailable when no node has been asked yet which of the test networks it is on */
  placeOf(index: number): PaymentPlace {
    const network = this.environment === 'live' ? 'main' : this.found?.network;
    if (network === undefined) {
      throw new ChainUnavailable('the Bitcoin node was not asked yet which network it is on');
    }
    return { address: this.addressAt(network, index), reference: null };
  }

  /**
   * Those of the payments whose address is this key's on this network. Others are of a key or network that was configured
   * before: that nothing is found for them would mean nothing. After a start there may be more payments than addresses can
   * be derived in a moment; these are left out, and found by the next looks.
   */
  async own(payments: readonly WatchedPayment[], network: BitcoinNetwork): Promise<OwnPayment[]> {
    const own: OwnPayment[] = [];
    const endMs = performance.now() + DERIVING_MS_MAX;
    let derived = 0;
    for (const payment of payments) {
      const { derivationIndex } = payment;
      if (derivationIndex === null) {
        continue;
      }
      if (!this.addresses.has(`${network}:${derivationIndex}`)) {
        if (performance.now() > endMs) {
          continue;
        }
        derived += 1;
        if (derived % DERIVED_PER_TURN === 0) {
          await nextTurn();
        }
      }
      if (this.addressAt(network, derivationIndex) === payment.address) {
        own.push({ ...payment, derivationIndex });
      }
    }
    return own;
  }

  private addressAt(network: BitcoinNetwork, index: number): string {
    const name = `${network}:${index}`;
    const address = this.addresses.get(name) ?? bitcoinAddress(this.key, network, index);
    this.addresses.set(name, address);
    return address;
  }
}

export type OwnPayment = WatchedPayment & { derivationIndex: number };
