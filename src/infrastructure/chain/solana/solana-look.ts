import { ChainUnavailable } from '../chain-errors';
import { type ChainTip, type TransferSighting, type WatchedPayment } from '../payment-chain';
import { naturalOf, timeOf } from './answers';
import { listPlaces, type PlaceListing } from './place-listing';
import {
  changedAmount,
  type GoneForGood,
  signatureOf,
  sightingsOf,
  unreadableIn,
  type Whereabouts,
} from './sightings';
import { type SolanaSession } from './solana-rpc';
import { type TransactionFor, type TransactionMemory } from './transaction-memory';
import { TransactionsOfLook } from './transactions-of-look';

/** Transactions that are read for the first time, by one look for one payment and for all. */
const NEW_PER_PAYMENT_MAX = 50;
const NEW_MAX = 300;

/** Its blockhash serves a transaction for 150 blocks, about a minute; nothing but a durable nonce brings it back after that. */
const COMES_BACK_WITHIN_MS = 5 * 60_000;

const CUT = 'Very many transactions name its place; the oldest of them are not looked at.';

/** What a look has found, by payment id. */
export interface LookResult {
  transfers: ReadonlyMap<string, readonly TransferSighting[]>;
  reviews: ReadonlyMap<string, string>;
}

/** A payment whose transactions are listed, and those of them that are not settled. */
interface OpenPayment extends PlaceListing {
  unsettled: string[];
  /** Whether it has more than this look reads. */
  isPart: boolean;
  /** Whether that is because those before it have used up what all may read. */
  isCutShort: boolean;
}

/** One look at the places of payments. */
export class SolanaLook {
  private readonly transfers = new Map<string, readonly TransferSighting[]>();
  private readonly reviews = new Map<string, string>();
  private readonly transactions: TransactionsOfLook;
  private newLeft = NEW_MAX;
  /** The first payment that the look had nothing left for; null where it had for all, undefined where it could list none. */
  resumeAt: string | null | undefined;

  constructor(
    private readonly session: SolanaSession,
    private readonly memory: TransactionMemory,
    private readonly tip: ChainTip,
  ) {
    this.transactions = new TransactionsOfLook(session, memory);
  }

  /** @throws ChainUnavailable and OperatorCallFailed where no payment could be looked at */
  async at(payments: readonly WatchedPayment[]): Promise<LookResult> {
    const { listings, leftOut, fault } = await listPlaces(this.session, payments);
    const opens = listings.map((listing) => this.opened(listing));
    await this.transactions.ask(
      opens.flatMap(({ payment, unsettled }) => unsettled.map((signature) => whichOf(payment, signature))),
    );
    const goneForGood = await this.goneForGood(opens);
    for (const open of opens) {
      this.conclude(open, goneForGood);
    }
    this.resumeAt = this.next(payments, new Set(leftOut), opens);
    if (payments.length > 0 && this.transfers.size === 0 && this.reviews.size === 0) {
      throw new ChainUnavailable('the node shows no payment in full', this.transactions.fault ?? fault);
    }
    return { transfers: this.transfers, reviews: this.reviews };
  }

  /** Whoever uses up what all may have is first for one look only. */
  private next(
    payments: readonly WatchedPayment[],
    leftOut: Set<string>,
    opens: readonly OpenPayment[],
  ): string | null {
    for (const { payment, isCutShort } of opens) {
      if (isCutShort) {
        leftOut.add(payment.paymentId);
      }
    }
    const undelivered = opens.find(({ payment, unsettled }) =>
      unsettled.some((signature) => this.transactions.isUndelivered(whichOf(payment, signature))),
    );
    const first = payments.findIndex(
      (payment) => leftOut.has(payment.paymentId) || payment === undelivered?.payment,
    );
    // The one behind it, so that a payment whose transactions the node can't deliver does not keep out the others.
    const isPassedBy = payments[first] === undelivered?.payment && first >= 0;
    const next = isPassedBy ? (payments[first + 1] ?? payments[0]) : payments[first];
    return next?.paymentId ?? null;
  }

  /** The transfers of one transaction are stored together, so where one of them is final none is left to find. */
  private opened(listing: PlaceListing): OpenPayment {
    const { payment, listed } = listing;
    const stored = payment.transfers.map(signatureOf);
    const settled = new Set(payment.transfers.filter(({ isFinal }) => isFinal).map(signatureOf));
    const all = new Set([...stored, ...listed.map(({ signature }) => signature)]);
    const unsettled = [...all].filter((signature) => !settled.has(signature));
    const isNew = (signature: string): boolean => !this.memory.find(whichOf(payment, signature));
    // The oldest first, so that the next look goes on where this one ends.
    const wanted = unsettled.filter(isNew).slice(0, NEW_PER_PAYMENT_MAX);
    const news = wanted.slice(0, this.newLeft);
    this.newLeft -= news.length;
    const now = new Set(news);
    const taken = unsettled.filter((signature) => now.has(signature) || !isNew(signature));
    const isCutShort = news.length < wanted.length;
    return { ...listing, unsettled: taken, isPart: taken.length < unsettled.length, isCutShort };
  }

  private conclude(
    { payment, listed, isCut, unsettled, isPart }: OpenPayment,
    goneForGood: GoneForGood,
  ): void {
    const { paymentId } = payment;
    const blockTimes = new Map(listed.map(({ signature, blockTime }) => [signature, blockTime]));
    const stored = new Set(payment.transfers.map(signatureOf));
    const found = new Map<string, Whereabouts>();
    for (const signature of unsettled) {
      const where = this.transactions.whereIs(whichOf(payment, signature));
      // What is listed and nowhere, or new and not confirmed, is what nodes answer that are not of one mind.
      const isOdd =
        (where?.kind === 'gone' && blockTimes.has(signature)) ||
        (where?.kind === 'unconfirmed' && !stored.has(signature));
      if (where === null || isOdd) {
        return;
      }
      found.set(signature, where);
    }
    if (isPart) {
      return;
    }
    const transfers = sightingsOf(payment, found, blockTimes, goneForGood);
    const changed = changedAmount(payment, transfers);
    const review = isCut ? CUT : (changed ?? unreadableIn(found));
    if (review !== null) {
      this.reviews.set(paymentId, review);
    }
    if (changed === null) {
      this.transfers.set(paymentId, transfers);
    }
  }

  /** The node is asked for the beginning of its history only where it matters, which is hardly ever. */
  private async goneForGood(opens: readonly OpenPayment[]): Promise<GoneForGood> {
    const before = new Date(this.tip.time.getTime() - COMES_BACK_WITHIN_MS);
    const isAsked = opens.some(({ payment, unsettled }) =>
      payment.transfers.some((transfer) => {
        const signature = signatureOf(transfer);
        const isOpen = transfer.firstSeenAt < before && unsettled.includes(signature);
        return isOpen && this.transactions.whereIs(whichOf(payment, signature))?.kind === 'gone';
      }),
    );
    return { after: isAsked ? await this.beginningOfHistory() : before, before };
  }

  private async beginningOfHistory(): Promise<Date> {
    const [first] = await this.session.many([{ method: 'getFirstAvailableBlock', params: [] }]);
    if (first === undefined || 'error' in first) {
      return this.tip.time;
    }
    const slot = naturalOf(first.result, 'the first block');
    const [time] = await this.session.many([{ method: 'getBlockTime', params: [slot] }]);
    if (time === undefined || 'error' in time) {
      return this.tip.time;
    }
    // A chain's own first block has no time.
    return timeOf(time.result, 'a block time') ?? new Date(0);
  }
}

function whichOf({ address, reference }: WatchedPayment, signature: string): TransactionFor {
  return { signature, address, reference };
}
