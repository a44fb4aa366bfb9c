import { createHash } from 'node:crypto';
import { type Clock } from '../../runtime/clock';
import {
  type ChainTip,
  type Currency,
  type Observation,
  PaymentChain,
  type PaymentPlace,
  type TransferSighting,
  type WatchedPayment,
} from './payment-chain';

/** A new block each second, so that the height never falls while time goes on. */
const BLOCK_MS = 1_000;

/** More than any policy asks for. */
const FINAL_CONFIRMATIONS = 100;

/** A chain without a node. Nothing arrives by itself: whoever plays it stores what {@link looks} gives. */
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

  /** No wallet takes it, so that nobody loses real coins by trying. */
  placeOf(index: number): PaymentPlace {
    return { address: `sandbox-${this.currency.toLowerCase()}-${index}`, reference: null };
  }

  observe(payments: readonly WatchedPayment[]): Promise<Observation> {
    const transfers = new Map(
      payments.map(({ paymentId, transfers }) => [
        paymentId,
        transfers.map(({ firstSeenAt: _, ...sighting }) => sighting),
      ]),
    );
    return Promise.resolve({ tip: this.tip(), transfers, reviews: new Map(), requests: 0 });
  }

  /** The life of one transfer: seen, in a block, final. It is the same each time, so that playing it twice pays once. */
  looks(payment: WatchedPayment, amountBase: bigint): TransferSighting[][] {
    const seen: TransferSighting = {
      id: `sandbox:${payment.paymentId}`,
      txHash: createHash('sha256').update(payment.paymentId).digest('hex'),
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
