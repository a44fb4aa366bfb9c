/** A node could not be asked, did not answer in time, or answered what makes no sense. The next look may succeed. */
export class ChainUnavailable extends Error {
  /** @param message never contains the node's URL, which may hold a password */
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}

/** A node is on another network than the keys and the environment are for. Nothing may be paid or credited there. */
export class WrongNetwork extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A pool of single-use addresses is used up. */
export class NoPlaceLeft extends Error {
  constructor() {
    super('the pool of addresses is used up');
    this.name = new.target.name;
  }
}

/** A key or address of the configuration is of no use. The message never contains the value: it may be a private key. */
export class InvalidKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The coins that credits are bought with. */
export const CURRENCIES = ['BTC', 'ETH', 'SOL'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** How many decimal places the smallest unit of each coin has: satoshi, wei, lamport. */
export const COIN_DECIMALS = { BTC: 8, ETH: 18, SOL: 9 } as const satisfies Record<Currency, number>;

/** Where a payment is to be paid. */
export interface PaymentPlace {
  address: string;
  /** What a transfer to a shared address has to carry so that it is known whose it is; null for an address of its own. */
  reference: string | null;
}

/**
 * Where a transfer is. `pending`: valid, and in no block. `included`: in a block. `missing`: was seen before and is neither in a
 * block nor in the node's memory, but nothing excludes that it comes back. `replaced`: another transaction has spent what it
 * spends. `failed`: in a block, and moved nothing.
 */
export type TransferState = 'pending' | 'included' | 'missing' | 'replaced' | 'failed';

/** One transfer to the place of a payment, as the chain shows it now. */
export interface TransferSighting {
  /** Unique on its chain, and the same at every look: `txid:vout`, `signature:instruction`, `address:from-to`. */
  id: string;
  /** Null where the transaction can't be told, as where a contract sent the coins. */
  txHash: string | null;
  /** In the coin's smallest unit. A transfer's amount never changes. */
  amountBase: bigint;
  state: TransferState;
  /** 1 for the newest block; 0 unless it is included. */
  confirmations: number;
  /** Whether the chain itself says that this is final (Ethereum and Solana: finalized). */
  isFinal: boolean;
  /** The time of its block; null unless it is included. */
  blockTime: Date | null;
}

/** A transfer as an earlier look found it. */
export interface KnownTransfer extends TransferSighting {
  firstSeenAt: Date;
  /** What it has added to a balance, in nano-USD; null or left out while it is not settled. */
  creditedNanoUsd?: bigint | null;
}

/** A payment whose place is to be looked at. */
export interface WatchedPayment {
  paymentId: string;
  address: string;
  reference: string | null;
  /** The index that the address was derived with; null where none was. */
  derivationIndex: number | null;
  createdAt: Date;
  /** All that earlier looks found. */
  transfers: readonly KnownTransfer[];
}

export interface ChainTip {
  /** Of the newest block, or slot. */
  height: number;
  /** What the newest block says. */
  time: Date;
}

/** What one look at a chain found. */
export interface Observation {
  tip: ChainTip;
  /**
   * By payment id: every transfer that is known now, those known before included. A payment that is absent could not be
   * looked at; one with no transfers has received none.
   */
  transfers: ReadonlyMap<string, readonly TransferSighting[]>;
  /** By payment id: why a person has to look at the payment, as a sentence; for what the chain itself can't explain. */
  reviews: ReadonlyMap<string, string>;
  /** How many requests the look has sent to the node; a batch is one. */
  requests: number;
}

/** One blockchain, as far as payments need it. Every method may throw ChainUnavailable or WrongNetwork. */
export abstract class PaymentChain {
  abstract readonly currency: Currency;
  abstract readonly isSandbox: boolean;
  /** Names the key or pool that addresses come from. Indices are counted for each by itself. */
  abstract readonly placesId: string;

  /**
   * Asks the node which network it is on. What was found is believed for some seconds, unless a look fails meanwhile.
   * @returns its name, such as `main`, `testnet4`, `regtest`, `31337` or `devnet`
   * @throws WrongNetwork when the node's network is not that of the keys and of the environment
   */
  abstract network(): Promise<string>;

  /**
   * Where the payment with this index is to be paid. Asks no node: network() has answered before.
   * @throws NoPlaceLeft when a pool of addresses has none of this index
   */
  abstract placeOf(index: number): PaymentPlace;

  /** Looks at the places of payments. The look sends a bounded number of requests, whatever the number of payments. */
  abstract observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation>;

  /** Closes the connections to the node. */
  abstract close(): Promise<void>;
}
