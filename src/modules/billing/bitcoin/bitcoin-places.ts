import { setImmediate as nextTurn } from 'node:timers/promises';
import { NETWORK, p2wpkh } from '@scure/btc-signer';
import { LRUCache } from 'lru-cache';
import { ExtendedKey } from '../extended-key';
import {
  ChainUnavailable,
  NodeChain,
  type NodeSettings,
  type PaymentPlace,
  type TransferSighting,
  type WatchedPayment,
  WrongNetwork,
} from '../payment-chain';

/** Blocks may carry a time that is two hours wrong, and clocks may differ. */
export const BLOCK_TIME_ERROR_MS_MAX = 2 * 3_600_000;

export const BEFORE_PAYMENT =
  'Coins came to the address before the payment was made: the address is in use elsewhere, and these coins are not credited.';

/** Coins older than the payment were meant for something else, unless an earlier look saw them arrive. */
export function ofItsTime(
  sighting: TransferSighting,
  { createdAt, transfers }: WatchedPayment,
): TransferSighting {
  const { blockTime } = sighting;
  if (blockTime === null || blockTime.getTime() >= createdAt.getTime() - BLOCK_TIME_ERROR_MS_MAX) {
    return sighting;
  }
  const known = transfers.find(({ id }) => id === sighting.id);
  return known === undefined || known.state === 'failed'
    ? { ...sighting, state: 'failed', confirmations: 0, isFinal: false, blockTime: null }
    : sighting;
}

/** So that a person is called only once. */
export function hasNewOldCoins(
  { transfers }: WatchedPayment,
  sightings: readonly TransferSighting[],
): boolean {
  const known = new Set(transfers.filter(({ state }) => state === 'failed').map(({ id }) => id));
  return sightings.some(({ id, state }) => state === 'failed' && !known.has(id));
}

/** A miner's reward may be spent in the 101st block; until then, undoing its block destroys it. */
export const REWARD_CONFIRMATIONS = 100;

/** No longer asked about, but counts again when the node reports it. */
export function isVoid({ state }: TransferSighting): boolean {
  return state === 'replaced' || state === 'failed';
}

export function txidOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}

/** BIP-173. Networks are named as Bitcoin Core names them. */
const ADDRESS_PREFIXES = { main: 'bc', test: 'tb', testnet4: 'tb', signet: 'tb', regtest: 'bcrt' } as const;
export type BitcoinNetwork = keyof typeof ADDRESS_PREFIXES;

export function isBitcoinNetwork(name: string): name is BitcoinNetwork {
  return Object.hasOwn(ADDRESS_PREFIXES, name);
}

/** The test networks but regtest have the same addresses. */
export function isAddressOf(network: BitcoinNetwork, address: string): boolean {
  return address.startsWith(`${ADDRESS_PREFIXES[network]}1`);
}

/** Pay to witness public key hash, as in BIP-84. */
export function bitcoinAddress(key: ExtendedKey, network: BitcoinNetwork, index: number): string {
  const { address } = p2wpkh(key.publicKeyAt(index), { ...NETWORK, bech32: ADDRESS_PREFIXES[network] });
  if (address === undefined) {
    throw new Error(`no address at index ${index}`);
  }
  return address;
}

const ADDRESSES_KEPT_MAX = 50_000;
/** Deriving an address takes about a millisecond: other work comes in between, and a look does not wait for all. */
const DERIVED_PER_TURN = 4;
const DERIVING_MS_MAX = 3_000;

export class BitcoinPlaces {
  readonly key: ExtendedKey;
  private readonly addresses = new LRUCache<string, string>({ max: ADDRESSES_KEPT_MAX });

  constructor(xpub: string, environment: 'test' | 'live') {
    this.key = ExtendedKey.parse(xpub);
    if ((environment === 'live') !== (this.key.network === 'main')) {
      throw new WrongNetwork(
        `the key is for Bitcoin's ${this.key.network} network, the environment is ${environment}`,
      );
    }
  }

  /** Finding nothing for another key's address would prove nothing. Later looks derive the rest. */
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

  addressAt(network: BitcoinNetwork, index: number): string {
    const name = `${network}:${index}`;
    const address = this.addresses.get(name) ?? bitcoinAddress(this.key, network, index);
    this.addresses.set(name, address);
    return address;
  }
}

export type OwnPayment = WatchedPayment & { derivationIndex: number };

export interface BitcoinSettings extends NodeSettings {
  xpub: string;
}

export abstract class BitcoinChain extends NodeChain {
  readonly currency = 'BTC';
  readonly placesId: string;
  protected readonly places: BitcoinPlaces;

  constructor(settings: BitcoinSettings) {
    super('Bitcoin', settings);
    this.places = new BitcoinPlaces(settings.xpub, settings.environment);
    this.placesId = `btc:${this.places.key.id}`;
  }

  /** @throws ChainUnavailable before any node has said which test network it is on */
  placeOf(index: number): PaymentPlace {
    const network = this.environment === 'live' ? 'main' : this.lastNetwork;
    if (network === null) {
      throw new ChainUnavailable('the Bitcoin node was not asked yet which network it is on');
    }
    return { address: this.places.addressAt(network as BitcoinNetwork, index), reference: null };
  }

  protected accept(name: string): BitcoinNetwork {
    if (!isBitcoinNetwork(name) || (name === 'main') !== (this.environment === 'live')) {
      throw new WrongNetwork(
        `the node is on Bitcoin's network ${JSON.stringify(name.slice(0, 20))}, the environment is ${this.environment}`,
      );
    }
    this.believe(name);
    return name;
  }
}
