import { OperatorCallFailed, OperatorHttp } from '../../operator-http/operator-http';
import { PaymentChain, type Observation, type PaymentPlace, type WatchedPayment } from '../payment-chain';
import type { BitcoinSettings } from './bitcoin-core-chain';
import { isAddressOf } from './bitcoin-addresses';
import { BitcoinPlaces } from './bitcoin-places';
import { ChainUnavailable } from '../chain-errors';
import { EsploraApi, TooLongHistory, TooMuchVanished } from './esplora-api';
import { esploraSightings, SpentCoins } from './esplora-payment';
import { ANSWER_BYTES_MAX, CALL_TIMEOUT_MS, withinOneLook } from './look-bounds';
import { BEFORE_PAYMENT, hasNewOldCoins } from './payment-age';

const CONCURRENT_MAX = 8;
/** What is left of a look that has many payments is done at the next one, so that its result comes in time. */
const ASKING_MS_MAX = 14_000;
/** A server answers this when it is asked too much, which says nothing of the address. */
const TOO_MANY_REQUESTS = 429;

/**
 * Bitcoin by an Esplora server's REST API. Whoever runs the server learns which addresses belong together, so it had best be
 * the operator's own. One look sends two requests, and at least one for each payment: what 14 seconds don't suffice for comes
 * first at the next look.
 */
export class EsploraChain extends PaymentChain {
  readonly currency = 'BTC';
  readonly isSandbox = false;
  readonly placesId: string;
  private readonly places: BitcoinPlaces;
  private readonly http: OperatorHttp;
  private readonly coins = new SpentCoins();
  /** The payment that the next look begins with; null for the first one. */
  private next: string | null = null;

  /** @throws InvalidKey, WrongNetwork when the key is not for the environment */
  constructor({ xpub, url, environment, timeoutMs = CALL_TIMEOUT_MS }: BitcoinSettings) {
    super();
    this.places = new BitcoinPlaces(xpub, environment);
    this.placesId = this.places.id;
    this.http = new OperatorHttp(url, { timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
  }

  async network(): Promise<string> {
    return (
      this.places.believedNetwork ??
      (await withinOneLook(async (signal) =>
        this.places.accept(await new EsploraApi(this.http, signal).network()),
      ))
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
      const failed = new AbortController();
      const api = new EsploraApi(this.http, AbortSignal.any([bounded, failed.signal]));
      const network = this.places.accept(await api.network());
      const tip = await api.tip();
      const inTurn = fromPayment(
        payments.filter(({ address }) => isAddressOf(network, address)),
        this.next,
      );
      const observation = { tip, transfers: new Map(), reviews: new Map() } satisfies Partial<Observation>;
      const endMs = performance.now() + ASKING_MS_MAX;
      let asked = 0;
      const askInTurn = async (): Promise<void> => {
        for (
          let payment = inTurn[asked];
          payment !== undefined && performance.now() < endMs;
          payment = inTurn[asked]
        ) {
          asked += 1;
          await this.lookAt(api, payment, observation);
        }
      };
      try {
        await Promise.all(Array.from({ length: CONCURRENT_MAX }, askInTurn));
      } finally {
        failed.abort();
      }
      if (asked > 0 && observation.transfers.size + observation.reviews.size === 0) {
        // One such as this refuses whoever asks, and knows nothing of any address.
        throw new ChainUnavailable('the Esplora server refused to tell of any address');
      }
      this.endTurn(payments, inTurn[asked]?.paymentId ?? null);
      return { ...observation, requests: api.requests };
    }, signal);
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  /** A look at a payment by itself, or at others than the one whose turn it is, keeps that turn unless it takes one itself. */
  private endTurn(payments: readonly WatchedPayment[], next: string | null): void {
    const isPass = payments.length > 1 && payments.some(({ paymentId }) => paymentId === this.next);
    if (next !== null || isPass) {
      this.next = next;
    }
  }

  /** An address that the server refuses to tell of is left out: it would keep all others from being looked at. */
  private async lookAt(
    api: EsploraApi,
    payment: WatchedPayment,
    { tip, transfers, reviews }: EsploraFindings,
  ): Promise<void> {
    try {
      const sightings = await esploraSightings(api, this.coins, payment, tip);
      transfers.set(payment.paymentId, sightings);
      if (hasNewOldCoins(payment, sightings)) {
        reviews.set(payment.paymentId, BEFORE_PAYMENT);
      }
    } catch (error) {
      if (error instanceof TooLongHistory || (error instanceof OperatorCallFailed && error.isTooLong)) {
        reviews.set(payment.paymentId, 'The address has received more transactions than are looked at.');
      } else if (error instanceof TooMuchVanished) {
        reviews.set(
          payment.paymentId,
          'More transactions to the address have vanished than are asked about.',
        );
      } else if (!isRefusal(error)) {
        throw error;
      }
    }
  }
}

type EsploraFindings = Pick<Observation, 'tip'> & {
  transfers: Map<string, Awaited<ReturnType<typeof esploraSightings>>>;
  reviews: Map<string, string>;
};

function isRefusal(error: unknown): boolean {
  const status = error instanceof OperatorCallFailed ? error.status : null;
  return status !== null && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

/** The payments in their order, beginning with the given one. */
function fromPayment<Payment extends WatchedPayment>(
  payments: Payment[],
  paymentId: string | null,
): Payment[] {
  const start = payments.findIndex((payment) => payment.paymentId === paymentId);
  return start > 0 ? [...payments.slice(start), ...payments.slice(0, start)] : payments;
}
