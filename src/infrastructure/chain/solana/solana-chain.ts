import { base58 } from '@scure/base';
import { createHash, randomBytes } from 'node:crypto';
import { type RpcOutcome } from '../../operator-http/json-rpc';
import { OperatorCallFailed } from '../../operator-http/operator-http';
import { ChainUnavailable, NoPlaceLeft } from '../chain-errors';
import {
  type ChainTip,
  type Observation,
  PaymentChain,
  type PaymentPlace,
  type WatchedPayment,
} from '../payment-chain';
import { readPool } from './address-pool';
import { CLOCK_ACCOUNT, tipOf } from './cluster-clock';
import { solanaAddress } from './solana-address';
import { SolanaLook } from './solana-look';
import { solanaNetwork } from './solana-network';
import { SolanaRpc, type SolanaSession } from './solana-rpc';
import { TransactionMemory } from './transaction-memory';

const LOOK_MS_MAX = 20_000;
const NETWORK_BELIEVED_MS = 10_000;
const REFERENCE_BYTES = 32;

export interface SolanaSettings {
  /** The address that all payments share, or a pool of single-use addresses as readPool() takes it. */
  places: { merchantAddress: string } | { pool: string };
  /** Of the node's JSON-RPC; may hold user, password or a key. */
  url: string;
  environment: 'test' | 'live';
}

/**
 * Solana, by the JSON-RPC of a node. A look costs one call for each payment, 100 in one request where the node takes batches,
 * and one for each new transaction; 1,100 requests at most list payments, and the next look begins with those that are left.
 */
export class SolanaChain extends PaymentChain {
  readonly currency = 'SOL';
  readonly isSandbox = false;
  readonly placesId: string;
  private readonly pool: readonly string[] | null;
  private readonly merchantAddress: string;
  private readonly rpc: SolanaRpc;
  private readonly environment: 'test' | 'live';
  private readonly memory = new TransactionMemory();
  private resumeAt: string | null = null;
  private believed: { network: string; untilMs: number } | null = null;

  /** @throws InvalidKey */
  constructor({ places, url, environment }: SolanaSettings) {
    super();
    this.environment = environment;
    if ('pool' in places) {
      this.pool = readPool(places.pool);
      this.merchantAddress = '';
      this.placesId = 'sol:pool';
    } else {
      this.pool = null;
      this.merchantAddress = solanaAddress(places.merchantAddress.trim());
      const digest = createHash('sha256').update(this.merchantAddress).digest('hex');
      this.placesId = `sol:${digest.slice(0, 16)}`;
    }
    this.rpc = new SolanaRpc(url);
  }

  async network(): Promise<string> {
    if (this.believed && performance.now() < this.believed.untilMs) {
      return this.believed.network;
    }
    return this.within(new AbortController().signal, async (session) => {
      const [genesis] = await session.many([{ method: 'getGenesisHash', params: [] }]);
      return this.believe(genesis);
    });
  }

  /** With a shared address, the reference is what a payer's transfer has to name: random, so that nobody guesses one. */
  placeOf(index: number): PaymentPlace {
    if (this.pool === null) {
      return { address: this.merchantAddress, reference: base58.encode(randomBytes(REFERENCE_BYTES)) };
    }
    const address = this.pool[index];
    if (address === undefined) {
      throw new NoPlaceLeft();
    }
    return { address, reference: null };
  }

  async observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation> {
    return this.within(signal, async (session) => {
      const tip = await this.tip(session);
      const look = new SolanaLook(session, this.memory, tip);
      const { transfers, reviews } = await look.at(this.inTurn(payments)).finally(() => {
        // A check of one payment by itself says nothing about whose turn it is among all.
        if (payments.length > 1 && look.resumeAt !== undefined) {
          this.resumeAt = look.resumeAt;
        }
      });
      return { tip, transfers, reviews, requests: session.requests };
    });
  }

  async close(): Promise<void> {
    await this.rpc.close();
  }

  private async tip(session: SolanaSession): Promise<ChainTip> {
    const clock = { encoding: 'base64', commitment: 'confirmed' };
    const [genesis, account] = await session.many([
      { method: 'getGenesisHash', params: [] },
      { method: 'getAccountInfo', params: [CLOCK_ACCOUNT, clock] },
    ]);
    this.believe(genesis);
    return tipOf(resultOf(account));
  }

  private believe(genesis: RpcOutcome | undefined): string {
    this.believed = null;
    const network = solanaNetwork(resultOf(genesis), this.environment);
    this.believed = { network, untilMs: performance.now() + NETWORK_BELIEVED_MS };
    return network;
  }

  /** Begins with the payment that the last look had nothing left for. */
  private inTurn(payments: readonly WatchedPayment[]): WatchedPayment[] {
    const start = payments.findIndex(({ paymentId }) => paymentId === this.resumeAt);
    return start < 1 ? [...payments] : [...payments.slice(start), ...payments.slice(0, start)];
  }

  /** @throws ChainUnavailable for every fault of the node; the reason of a signal of the caller's */
  private async within<Result>(
    signal: AbortSignal,
    work: (session: SolanaSession) => Promise<Result>,
  ): Promise<Result> {
    const deadline = AbortSignal.timeout(LOOK_MS_MAX);
    try {
      return await work(this.rpc.session(AbortSignal.any([signal, deadline])));
    } catch (error) {
      this.believed = null;
      signal.throwIfAborted();
      if (deadline.aborted) {
        throw new ChainUnavailable(`the Solana node took more than ${LOOK_MS_MAX} ms`, error);
      }
      if (error instanceof OperatorCallFailed) {
        throw new ChainUnavailable(`the Solana node can't be asked: ${error.message}`, error);
      }
      throw error;
    }
  }
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome === undefined || 'error' in outcome) {
    throw new ChainUnavailable('the Solana node refuses a call', outcome?.error);
  }
  return outcome.result;
}
