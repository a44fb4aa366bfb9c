import { OperatorHttp } from '../../operator-http/operator-http';
import { PaymentChain, type Observation, type PaymentPlace, type WatchedPayment } from '../payment-chain';
import { BitcoinPlaces, type OwnPayment } from './bitcoin-places';
import { blockBefore, type BlockBefore } from './core-blocks';
import { CoreImport } from './core-import';
import { judged } from './core-judgement';
import { arrivalsSince } from './core-listing';
import { CoreRpc } from './core-rpc';
import { coreStatus } from './core-wallet';
import { AnswerFields } from './bitcoin-answer';
import { ANSWER_BYTES_MAX, CALL_TIMEOUT_MS, LISTING_BYTES_MAX, withinOneLook } from './look-bounds';
import { BEFORE_PAYMENT, EARLIER_MS, hasNewOldCoins } from './payment-age';

export interface BitcoinSettings {
  /** An account's extended public key. */
  xpub: string;
  /** Of the node's RPC, or of the Esplora server's API; it may contain user and password. */
  url: string;
  environment: 'test' | 'live';
  /** How long one call may take; 5 seconds by default. */
  timeoutMs?: number;
}

/** Importing addresses, looking through blocks, and listing what a wallet received take a node longer than answering. */
const PATIENCE = 3;
/** How much older than needed the block may be that the listing begins at, so that it is not looked for at every look. */
const STALE_MS = 24 * 3_600_000;

/**
 * Bitcoin by the operator's own bitcoind (Bitcoin Core 28 or newer, or Knots), which keeps the addresses in a wallet without
 * private keys that is named after the extended key. One look sends about four requests, and one more for each 500 transfers
 * that are in no block and each 20 that the node has dropped. It reads all that the wallet received since the oldest watched
 * payment was made, some 600 bytes for each: up to about 100,000 transfers in that time.
 */
export class BitcoinCoreChain extends PaymentChain {
  readonly currency = 'BTC';
  readonly isSandbox = false;
  readonly placesId: string;
  private readonly places: BitcoinPlaces;
  private readonly imports: CoreImport;
  private readonly http: OperatorHttp;
  private readonly patientHttp: OperatorHttp;
  private start: BlockBefore | null = null;

  /** @throws InvalidKey, WrongNetwork when the key is not for the environment */
  constructor({ xpub, url, environment, timeoutMs = CALL_TIMEOUT_MS }: BitcoinSettings) {
    super();
    this.places = new BitcoinPlaces(xpub, environment);
    this.placesId = this.places.id;
    this.imports = new CoreImport(this.places);
    this.http = new OperatorHttp(url, { timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
    this.patientHttp = new OperatorHttp(url, {
      timeoutMs: PATIENCE * timeoutMs,
      answerBytesMax: LISTING_BYTES_MAX,
    });
  }

  async network(): Promise<string> {
    return (
      this.places.believedNetwork ??
      (await withinOneLook(async (signal) => {
        const answer = await this.rpc(signal).call('getblockchaininfo');
        return this.places.accept(new AnswerFields(answer, 'getblockchaininfo').text('chain'));
      }))
    );
  }

  placeOf(index: number): PaymentPlace {
    return this.places.placeOf(index);
  }

  async observe(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation> {
    try {
      return await this.look(payments, signal);
    } catch (error) {
      this.places.unanswered();
      throw error;
    }
  }

  private look(payments: readonly WatchedPayment[], signal: AbortSignal): Promise<Observation> {
    return withinOneLook(async (bounded) => {
      const rpc = this.rpc(bounded);
      const status = await coreStatus(rpc, this.places);
      const own = await this.places.own(payments, status.network);
      const reviews = new Map<string, string>();
      const coverage = await this.imports.complete(rpc, status, own, reviews);
      const lookable = own.filter((payment) => coverage.has(payment));
      const transfers = await this.lookAt(rpc, lookable, status.tip.height);
      for (const payment of lookable) {
        if (hasNewOldCoins(payment, transfers.get(payment.paymentId) ?? [])) {
          reviews.set(payment.paymentId, BEFORE_PAYMENT);
        }
      }
      return { tip: status.tip, transfers, reviews, requests: rpc.requests };
    }, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.http.close(), this.patientHttp.close()]);
  }

  private async lookAt(
    rpc: CoreRpc,
    payments: readonly OwnPayment[],
    tipHeight: number,
  ): Promise<Observation['transfers']> {
    if (payments.length === 0) {
      return new Map();
    }
    const oldestMs = payments.reduce((min, { createdAt }) => Math.min(min, createdAt.getTime()), Infinity);
    const start = await this.startOf(rpc, tipHeight, oldestMs - EARLIER_MS);
    return judged(rpc, payments, await arrivalsSince(rpc, start.hash));
  }

  /**
   * The block that the listing begins at. It is as good when the chain has left it: the node lists from where the chains part.
   */
  private async startOf(rpc: CoreRpc, tipHeight: number, timeMs: number): Promise<BlockBefore> {
    const keptMs = this.start?.medianTime.getTime() ?? -Infinity;
    const isFitting = keptMs < timeMs && (keptMs > timeMs - STALE_MS || this.start?.height === 0);
    if (this.start === null || !isFitting) {
      this.start = await blockBefore(rpc, tipHeight, new Date(timeMs));
    }
    return this.start;
  }

  private rpc(signal: AbortSignal): CoreRpc {
    return new CoreRpc(this.http, this.patientHttp, `payments-${this.places.key.id}`, signal);
  }
}
