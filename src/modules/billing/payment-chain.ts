import { OperatorCallFailed, OperatorHttp, RpcError } from '../../http/operator-http';

class NamedError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}

/** The next look may succeed. The message never contains the node's URL, which may hold a password. */
export class ChainUnavailable extends NamedError {}

/** Not the network of the keys and the environment: nothing may be paid or credited there. */
export class WrongNetwork extends NamedError {}

export class NoPlaceLeft extends NamedError {
  constructor() {
    super('the pool of addresses is used up');
  }
}

/** The message never contains the value: it may be a private key. */
export class InvalidKey extends NamedError {}

export const CURRENCIES = ['BTC', 'ETH', 'SOL'] as const;
export type Currency = (typeof CURRENCIES)[number];

export function isCurrency(value: unknown): value is Currency {
  return CURRENCIES.some((currency) => currency === value);
}

export interface PaymentPlace {
  address: string;
  /** What a transfer to a shared address has to carry; null for an address of its own. */
  reference: string | null;
}

/** `missing` may come back; another transaction spends the coins of a `replaced` one; `failed` moved nothing. */
export type TransferState = 'pending' | 'included' | 'missing' | 'replaced' | 'failed';

export interface TransferSighting {
  /** Unique on its chain, and the same at every look: `txid:vout`, `signature:instruction`, `address:from-to`. */
  id: string;
  /** Null where unknown, as where a contract sent the coins. */
  txHash: string | null;
  amountBase: bigint;
  state: TransferState;
  confirmations: number;
  /** As the chain itself declares (Ethereum and Solana: finalized). */
  isFinal: boolean;
  blockTime: Date | null;
}

export interface KnownTransfer extends TransferSighting {
  firstSeenAt: Date;
  creditedNanoUsd?: bigint | null;
}

export function unchanged(known: TransferSighting): TransferSighting {
  const { id, txHash, amountBase, state, confirmations, isFinal, blockTime } = known;
  return { id, txHash, amountBase, state, confirmations, isFinal, blockTime };
}

export interface WatchedPayment {
  id: string;
  address: string;
  reference: string | null;
  derivationIndex: number | null;
  createdAt: Date;
  transfers: readonly KnownTransfer[];
}

export interface ChainTip {
  height: number;
  time: Date;
}

export interface Observation {
  tip: ChainTip;
  /** A payment that is absent could not be looked at. */
  transfers: Map<string, TransferSighting[]>;
  /** Why a person has to look at the payment, as a sentence. */
  reviews: Map<string, string>;
  requests: number;
}

export type Findings = Pick<Observation, 'transfers' | 'reviews'>;

export abstract class PaymentChain {
  abstract readonly currency: Currency;
  abstract readonly isSandbox: boolean;
  /** Names the key or pool that addresses come from, each with its own indices. */
  abstract readonly placesId: string;

  /** Such as `main`, `regtest`, `31337` or `devnet`; cached for seconds, unless a look fails. @throws WrongNetwork */
  abstract network(): Promise<string>;

  /** Asks no node: network() has answered before. @throws NoPlaceLeft when a pool has none of this index */
  abstract placeOf(index: number): PaymentPlace;

  /** Sends a bounded number of requests, whatever the number of payments. */
  abstract observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation>;

  abstract close(): Promise<void>;
}

export function startingAt<Payment extends WatchedPayment>(
  payments: readonly Payment[],
  id: string | null,
): Payment[] {
  const start = Math.max(
    payments.findIndex((payment) => payment.id === id),
    0,
  );
  return [...payments.slice(start), ...payments.slice(0, start)];
}

export interface NodeSettings {
  url: string;
  environment: 'test' | 'live';
  timeoutMs?: number;
}

export const CALL_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const NETWORK_BELIEVED_MS = 10_000;
const LOOK_MS_MAX = 20_000;

export abstract class NodeChain extends PaymentChain {
  readonly isSandbox = false;
  protected readonly environment: 'test' | 'live';
  protected readonly http: OperatorHttp;
  private believed: { network: string; untilMs: number } | null = null;

  protected constructor(
    private readonly coin: string,
    { url, environment, timeoutMs = CALL_TIMEOUT_MS }: NodeSettings,
  ) {
    super();
    this.environment = environment;
    this.http = new OperatorHttp(url, { timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
  }

  protected abstract askNetwork(signal: AbortSignal): Promise<string>;
  protected abstract look(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation>;

  async network(): Promise<string> {
    const { believed } = this;
    return believed && performance.now() < believed.untilMs
      ? believed.network
      : this.within((signal) => this.askNetwork(signal));
  }

  async observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation> {
    return this.within((bounded) => this.look(payments, bounded), signal);
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  protected get lastNetwork(): string | null {
    return this.believed?.network ?? null;
  }

  protected believe(network: string): string {
    this.believed = { network, untilMs: performance.now() + NETWORK_BELIEVED_MS };
    return network;
  }

  private async within<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<Result> {
    const deadline = AbortSignal.timeout(LOOK_MS_MAX);
    try {
      return await work(outer ? AbortSignal.any([outer, deadline]) : deadline);
    } catch (error) {
      this.believed =
        error instanceof WrongNetwork ? null : this.believed && { ...this.believed, untilMs: 0 };
      outer?.throwIfAborted();
      const fault = faultOfNode(error, deadline.aborted);
      throw fault === null ? error : new ChainUnavailable(`the ${this.coin} node${fault}`, error);
    }
  }
}

/** The node's own words stay in the cause: they may repeat the URL with the operator's key. */
function faultOfNode(error: unknown, isTimeOver: boolean): string | null {
  if (error instanceof RpcError) {
    return `: ${error.method} failed (${error.code})`;
  }
  if (isTimeOver) {
    return ` took more than ${LOOK_MS_MAX} ms`;
  }
  return error instanceof OperatorCallFailed ? `: ${error.message}` : null;
}
