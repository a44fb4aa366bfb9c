import type { KnownTransfer, WatchedPayment } from '../payment-chain';

/**
 * Part of what an address ever received. Its id names both sums in wei, so that its amount never changes, and increases
 * that do not overlap never add up to more than was received.
 */
export interface Increase {
  id: string;
  start: bigint;
  end: bigint;
  known: KnownTransfer | null;
}

export function increaseId(address: string, start: bigint, end: bigint): string {
  return `${address}:${start}-${end}`;
}

export function knownIncrease(address: string, known: KnownTransfer): Increase | null {
  const match = /^([^:]+):(\d{1,40})-(\d{1,40})$/.exec(known.id);
  const [start, end] = [BigInt(match?.[2] ?? 0), BigInt(match?.[3] ?? 0)];
  const isOfAddress = match?.[1] === address && start < end && known.amountBase === end - start;
  return isOfAddress ? { id: known.id, start, end, known } : null;
}

/**
 * Missing increases return before new ones form of the same ether: a node's older state must make no second transfer.
 * @param received null where balances do not show it any more
 */
export function keptIncreases(known: readonly Increase[], received: bigint | null): Increase[] {
  const fixed = known.filter(isFixed);
  const candidates = known
    .filter((increase) => holds(increase, received) && !fixed.some((other) => yieldsTo(increase, other)))
    .sort(byWeight);
  const kept: Increase[] = [];
  for (let position = 0n; ;) {
    const next = candidates.find(({ start }) => start === position);
    if (!next) {
      return kept;
    }
    kept.push(next);
    position = next.end;
  }
}

/**
 * None overlaps a fixed one, even if that is gone: its ether would be credited twice once it is back.
 * @param steps sums received at blocks, rising, all above the end of the kept increases
 */
export function furtherIncreases(
  address: string,
  known: readonly Increase[],
  from: bigint,
  steps: readonly bigint[],
): Increase[] {
  const fixed = known.filter(isFixed);
  const top = steps.at(-1) ?? from;
  const bounds = [...new Set([...steps, ...fixed.flatMap(({ start, end }) => [start, end])])]
    .filter((bound) => bound > from && bound <= top)
    .filter((bound) => !fixed.some(({ start, end }) => start < bound && bound < end))
    .sort((one, other) => (one < other ? -1 : 1));
  return bounds.map((end, index) => {
    const start = bounds[index - 1] ?? from;
    const id = increaseId(address, start, end);
    return { id, start, end, known: known.find((increase) => increase.id === id)?.known ?? null };
  });
}

/** Its ether was credited, or was in the address before the payment. */
function isFixed({ known }: Increase): boolean {
  return isCredited(known) || known?.state === 'failed';
}

function isCredited(known: KnownTransfer | null): boolean {
  return typeof known?.creditedNanoUsd === 'bigint';
}

function holds({ known, end }: Increase, received: bigint | null): boolean {
  const isBack = known?.state === 'missing' && received !== null;
  const isHeld = known?.state === 'included' || known?.state === 'failed' || isCredited(known) || isBack;
  return isHeld && (received === null || end <= received);
}

function yieldsTo(one: Increase, fixed: Increase): boolean {
  const isOverlapping = one.id !== fixed.id && one.start < fixed.end && fixed.start < one.end;
  return isOverlapping && (!isFixed(one) || byWeight(fixed, one) < 0);
}

function byWeight({ known: one, end: oneEnd }: Increase, { known: other, end: otherEnd }: Increase): number {
  return (
    Number(isCredited(other)) - Number(isCredited(one)) ||
    Number(other?.state === 'failed') - Number(one?.state === 'failed') ||
    Number(one?.state === 'missing') - Number(other?.state === 'missing') ||
    Number(other?.isFinal) - Number(one?.isFinal) ||
    (other?.confirmations ?? 0) - (one?.confirmations ?? 0) ||
    (one?.firstSeenAt.getTime() ?? 0) - (other?.firstSeenAt.getTime() ?? 0) ||
    (oneEnd < otherEnd ? -1 : 1)
  );
}

/** Null where the node could not tell, as for blocks whose state it has pruned. */
export type BlockReadings = Map<number, bigint | null>;

export interface FirstBlock {
  block: number;
  /** The block before has less; otherwise the amount may have been reached earlier. */
  isExact: boolean;
}

interface Gap {
  lower: number;
  upper: number;
}

/** A number that never falls from block to block; it decides which blocks to read. */
export class MonotonicHistory {
  /** @param top the highest block that counts; it has been read */
  constructor(
    private readonly readings: BlockReadings,
    private readonly floor: number,
    private readonly top: number,
  ) {}

  get value(): bigint | null {
    return this.readings.get(this.top) ?? null;
  }

  /** Null where the highest block has less. An unreadable block counts as having less. */
  firstWith(amount: bigint): FirstBlock | null {
    let first: number | null = null;
    for (const [block, value] of this.downward()) {
      if (value === null || value < amount) {
        return first === null ? null : { block: first, isExact: value !== null && block === first - 1 };
      }
      first = block;
    }
    return first === null ? null : { block: first, isExact: false };
  }

  /** Rising. Between two of them there is one block, or no way to distinguish. */
  stepsAbove(amount: bigint): bigint[] {
    const steps: bigint[] = [];
    let lowest: bigint | null = null;
    for (const [, value] of this.downward()) {
      if (value === null || value <= amount) {
        break;
      }
      if (lowest === null || value < lowest) {
        steps.unshift(value);
        lowest = value;
      }
    }
    return steps;
  }

  /** @param readsPerGapMax between two blocks that were read; more make fewer rounds */
  wanted(amounts: readonly bigint[], above: bigint, readsPerGapMax: number): number[] {
    const gaps = new Map<number, Gap>();
    for (const gap of [...amounts.map((amount) => this.gapOf(amount)), ...this.stepGaps(above)]) {
      if (gap) {
        gaps.set(gap.upper, gap);
      }
    }
    return [...gaps.values()].flatMap((gap) =>
      gap.upper === this.top ? this.galloping(gap) : spread(gap, readsPerGapMax),
    );
  }

  private gapOf(amount: bigint): Gap | null {
    const upper = this.firstWith(amount)?.block;
    return upper === undefined ? null : this.gapBelow(upper);
  }

  private stepGaps(above: bigint): Gap[] {
    const read = this.downward();
    const gaps: Gap[] = [];
    for (const [index, [block, value]] of read.entries()) {
      if (value === null || value <= above) {
        break;
      }
      const gap = read[index + 1]?.[1] === value ? null : this.gapBelow(block);
      if (gap) {
        gaps.push(gap);
      }
    }
    return gaps;
  }

  private gapBelow(upper: number): Gap | null {
    const lower = this.downward().find(([block]) => block < upper)?.[0] ?? this.floor - 1;
    return upper - lower > 1 ? { lower, upper } : null;
  }

  /** Most changes are in the newest blocks, so the distances double from the top. */
  private galloping({ lower, upper }: Gap): number[] {
    const blocks: number[] = [];
    for (let distance = 1; upper - distance > lower; distance = distance * 2 + 1) {
      blocks.push(upper - distance);
    }
    const end = lower + 1;
    return lower < this.floor && end < upper && !blocks.includes(end) ? [...blocks, end] : blocks;
  }

  private downward(): [number, bigint | null][] {
    return [...this.readings]
      .filter(([block]) => block >= this.floor && block <= this.top)
      .sort(([one], [other]) => other - one);
  }
}

function spread({ lower, upper }: Gap, countMax: number): number[] {
  const inside = upper - lower - 1;
  const count = Math.min(inside, countMax);
  return Array.from({ length: count }, (_, index) =>
    Math.floor(lower + ((index + 1) * (inside + 1)) / (count + 1)),
  );
}

export interface Reading {
  kind: 'balance' | 'nonce';
  block: number;
}

/** Bounds the work when somebody pays in ever smaller parts. */
export const INCREASES_MAX = 100;

/** Until the owner sends something, the balance is what was received; then only up to the last block before. */
export class PaymentLook {
  private readonly readings: Record<Reading['kind'], BlockReadings> = {
    balance: new Map(),
    nonce: new Map(),
  };
  private readonly known: Increase[];

  constructor(
    readonly payment: WatchedPayment,
    readonly chain: { head: number; floor: number; finalized: number | null },
    readonly balance: bigint,
    readonly expectedBlock: (id: string) => number | undefined = () => undefined,
  ) {
    this.readings.balance.set(chain.head, balance);
    this.known = payment.transfers.flatMap((transfer) => knownIncrease(payment.address, transfer) ?? []);
  }

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

  get isComplete(): boolean {
    return this.isSettled || typeof this.readings.nonce.get(this.chain.head) === 'bigint';
  }

  get isSpentFrom(): boolean {
    return this.nonceAtHead > 0n;
  }

  /** Balances do not show what arrived after the owner sent something. */
  get hasArrivedSinceSpent(): boolean {
    const { block } = this.firstSpending ?? { block: this.chain.floor };
    return this.balance > (this.readings.balance.get(block) ?? this.balance);
  }

  get received(): MonotonicHistory | null {
    if (!this.isSpentFrom) {
      return this.historyTo(this.chain.head);
    }
    const spending = this.firstSpending;
    const history = spending?.isExact ? this.historyTo(spending.block - 1) : null;
    return typeof history?.value === 'bigint' ? history : null;
  }

  increases() {
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

  private historyTo(top: number): MonotonicHistory {
    return this.historyOf('balance', top);
  }

  private historyOf(kind: Reading['kind'], top: number): MonotonicHistory {
    return new MonotonicHistory(this.readings[kind], this.chain.floor, top);
  }
}

export function isSettled(known: Increase['known']): boolean {
  return known?.state === 'failed' || (known?.state === 'included' && known.isFinal);
}
