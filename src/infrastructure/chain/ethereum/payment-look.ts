import type { WatchedPayment } from '../payment-chain';
import {
  furtherIncreases,
  type Increase,
  keptIncreases,
  knownIncrease,
  type IncreasesOfPayment,
} from './increases';
import { type Readings, RisingHistory } from './rising-history';

/** What is asked of the node: an address's balance in wei, or how many transactions it has sent, at a block. */
export interface Reading {
  kind: 'balance' | 'nonce';
  block: number;
}

export interface LookedAtChain {
  head: number;
  /** The lowest block whose state is asked for. */
  floor: number;
  /** The newest final block; null where the node does not tell. */
  finalized: number | null;
}

/** Somebody who pays in smaller and smaller parts must not make us read and store without end. */
export const INCREASES_MAX = 100;

/**
 * One look at the address of a payment: which readings it takes, and what they show. While the owner has sent nothing, a
 * balance is what was received. From then on balances say so only up to the last block before.
 */
export class PaymentLook {
  private readonly readings: Record<Reading['kind'], Readings> = { balance: new Map(), nonce: new Map() };
  private readonly known: Increase[];

  /**
   * @param balance at the newest block
   * @param expectedBlock where an earlier look found an increase to begin; spares the search when it is still so
   */
  constructor(
    readonly payment: WatchedPayment,
    readonly chain: LookedAtChain,
    private readonly balance: bigint,
    readonly expectedBlock: (id: string) => number | undefined = () => undefined,
  ) {
    this.readings.balance.set(chain.head, balance);
    this.known = payment.transfers.flatMap((transfer) => knownIncrease(payment.address, transfer) ?? []);
  }

  /** What to read next; none when the look is complete. */
  wanted(readsPerGapMax: number): Reading[] {
    const { head } = this.chain;
    const nonce = this.readings.nonce.get(head);
    if (this.isSettled || nonce === null) {
      return [];
    }
    if (nonce === undefined) {
      return [{ kind: 'nonce', block: head }, ...this.wantedBalances(head, readsPerGapMax)];
    }
    if (nonce === 0n) {
      return this.wantedBalances(head, readsPerGapMax);
    }
    return this.wantedOfSpent(readsPerGapMax);
  }

  take({ kind, block }: Reading, value: bigint | null): void {
    this.readings[kind].set(block, value);
  }

  /** False where the node could not answer what everything else depends on. */
  get isComplete(): boolean {
    return this.isSettled || typeof this.readings.nonce.get(this.chain.head) === 'bigint';
  }

  /** Whether the owner of the key has sent something from the address. */
  get isSpentFrom(): boolean {
    return (this.readings.nonce.get(this.chain.head) ?? 0n) > 0n;
  }

  /** Whether something has arrived since the owner sent something; what, is not told by balances. */
  get hasArrivedSinceSpent(): boolean {
    const { block } = this.firstSpending ?? { block: this.chain.floor };
    return this.balance > (this.readings.balance.get(block) ?? this.balance);
  }

  /** What the address received, up to the newest block for which balances say so; null where there is none. */
  get received(): RisingHistory | null {
    if (!this.isSpentFrom) {
      return this.historyTo(this.chain.head);
    }
    const spending = this.firstSpending;
    const history = spending?.isExact ? this.historyTo(spending.block - 1) : null;
    return typeof history?.value === 'bigint' ? history : null;
  }

  increases(): IncreasesOfPayment {
    const kept = this.kept;
    const end = kept.at(-1)?.end ?? 0n;
    const steps = this.received?.stepsAbove(end) ?? [];
    const further = furtherIncreases(this.payment.address, this.known, end, steps);
    let room = INCREASES_MAX - this.known.length;
    const firstTooMany = further.findIndex(({ known }) => known === null && (room -= 1) < 0);
    const isCutOff = firstTooMany >= 0;
    const live = [...kept, ...(isCutOff ? further.slice(0, firstTooMany) : further)];
    const lost = this.known.filter(({ id }) => !live.some((increase) => increase.id === id));
    return { live, lost, isCutOff };
  }

  private get kept(): Increase[] {
    return keptIncreases(this.known, this.isSpentFrom ? null : this.balance);
  }

  /** Nothing has changed, and nothing can: not worth a single further request. */
  private get isSettled(): boolean {
    const kept = keptIncreases(this.known, this.balance);
    return (
      this.known.length > 0 &&
      (kept.at(-1)?.end ?? 0n) === this.balance &&
      kept.every(({ known }) => isSettled(known)) &&
      this.known.every((increase) => kept.includes(increase) || increase.known?.state !== 'included')
    );
  }

  private get firstSpending() {
    return this.historyOf('nonce', this.chain.head).firstWith(1n);
  }

  private wantedOfSpent(readsPerGapMax: number): Reading[] {
    const nonces = this.historyOf('nonce', this.chain.head).wanted([1n], this.nonceAtHead, readsPerGapMax);
    if (nonces.length > 0) {
      return nonces.map((block) => ({ kind: 'nonce', block }));
    }
    const first = this.firstSpending;
    const blocks = first ? [...(first.isExact ? [first.block - 1] : []), first.block] : [];
    const unread = blocks.filter((block) => !this.readings.balance.has(block));
    if (unread.length > 0) {
      return unread.map((block) => ({ kind: 'balance', block }));
    }
    return first?.isExact && this.received ? this.wantedBalances(first.block - 1, readsPerGapMax) : [];
  }

  private wantedBalances(top: number, readsPerGapMax: number): Reading[] {
    const kept = this.kept;
    const open = kept.filter(({ known }) => !isSettled(known));
    const expected = open.flatMap(({ id }) => {
      const block = this.expectedBlock(id);
      return block === undefined ? [] : [block - 1, block];
    });
    const history = this.historyTo(top);
    const unread = expected.filter(
      (block) => block >= this.chain.floor && block <= top && !this.readings.balance.has(block),
    );
    const amounts = open
      .filter(({ id }) => unread.length === 0 || this.expectedBlock(id) === undefined)
      .map(({ end }) => end);
    const above = this.known.length >= INCREASES_MAX ? (history.value ?? 0n) : (kept.at(-1)?.end ?? 0n);
    const blocks = new Set([...unread, ...history.wanted(amounts, above, readsPerGapMax)]);
    return [...blocks].map((block) => ({ kind: 'balance', block }));
  }

  private get nonceAtHead(): bigint {
    return this.readings.nonce.get(this.chain.head) ?? 0n;
  }

  private historyTo(top: number): RisingHistory {
    return this.historyOf('balance', top);
  }

  private historyOf(kind: Reading['kind'], top: number): RisingHistory {
    return new RisingHistory(this.readings[kind], this.chain.floor, top);
  }
}

/** Final, or in the address before its payment was made: not to be looked at again. */
function isSettled(known: Increase['known']): boolean {
  return known?.state === 'failed' || (known?.state === 'included' && known.isFinal);
}
