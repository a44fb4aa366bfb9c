import { LRUCache } from 'lru-cache';
import { type TransferSighting, unchanged, type WatchedPayment } from '../payment-chain';
import { type FirstBlock, type Increase, INCREASES_MAX, isSettled, type PaymentLook } from './payment-look';

/** Two epochs: taken for final where the node does not say what is. */
const FINAL_CONFIRMATIONS = 64;
const CLOCK_ERROR_MS_MAX = 5 * 60_000;

export interface UntoldTransfer {
  id: string;
  block: number;
  amountBase: bigint;
}

export interface LookOutcome {
  sightings: TransferSighting[];
  review: string | null;
  untold: UntoldTransfer[];
  firstBlocks: Map<string, number>;
}

export function blocksToTime(look: PaymentLook): number[] {
  return look.increases().live.flatMap((increase) => {
    const first = look.received?.firstWith(increase.end);
    return first && !isSettled(increase.known) && !isTimeKnown(look, increase, first) ? [first.block] : [];
  });
}

export function outcomeOf(look: PaymentLook, timeOf: (block: number) => Date | undefined): LookOutcome {
  const { live, lost, isCutOff } = look.increases();
  const outcome: LookOutcome = { sightings: [], review: null, untold: [], firstBlocks: new Map() };
  const reasons: string[] = isCutOff ? [`More than ${INCREASES_MAX} transfers have arrived.`] : [];
  for (const increase of live) {
    const { known } = increase;
    const first = isSettled(increase.known) ? null : look.received?.firstWith(increase.end);
    if (first) {
      const sighting = included(look, increase, first, timeOf(first.block));
      outcome.sightings.push(sighting);
      reasons.push(...(sighting.state === 'failed' ? [BEFORE_PAYMENT] : []));
      noteBlock(outcome, increase, first, sighting);
    } else if (known) {
      outcome.sightings.push(unchanged(known));
      reasons.push(...(isSettled(increase.known) ? [] : [SPENT_UNCONFIRMED]));
    }
  }
  const finals = live.filter(({ id }) => outcome.sightings.some((found) => found.id === id && found.isFinal));
  for (const { known, start, end } of lost) {
    const isExcluded = finals.some((final) => final.start < end && final.end > start);
    outcome.sightings.push(...(known ? [vanished(known, isExcluded)] : []));
  }
  outcome.sightings.push(...foreign(look));
  outcome.review = [...reasons, ...reasonsOfSpent(look, live)][0] ?? null;
  return outcome;
}

const BEFORE_PAYMENT =
  'The address had a balance before the payment was made: its key is in use elsewhere, and that balance is not credited.';
const SPENT_UNCONFIRMED =
  'The address was spent from before the payment was confirmed, so that its balance proves nothing any more.';
const SPENT_UNSEEN = 'The address was spent from, and nothing was seen to arrive there before.';
const ARRIVED_AFTER_SPENT =
  'Something has arrived at the address after it was spent from, and is not credited.';

function reasonsOfSpent(look: PaymentLook, live: readonly Increase[]): string[] {
  if (!look.isSpentFrom) {
    return [];
  }
  return [
    ...(live.length === 0 ? [SPENT_UNSEEN] : []),
    ...(look.hasArrivedSinceSpent ? [ARRIVED_AFTER_SPENT] : []),
  ];
}

function included(
  look: PaymentLook,
  { id, start, end, known }: Increase,
  first: FirstBlock,
  time: Date | undefined,
): TransferSighting {
  const amountBase = end - start;
  const base = { id, txHash: known?.txHash ?? null, amountBase };
  if (known === null && time && time.getTime() < look.payment.createdAt.getTime() - CLOCK_ERROR_MS_MAX) {
    return { ...base, state: 'failed', confirmations: 0, isFinal: false, blockTime: null };
  }
  const { head, finalized } = look.chain;
  const confirmations = head - first.block + 1;
  return {
    ...base,
    state: 'included',
    confirmations,
    isFinal: finalized === null ? confirmations >= FINAL_CONFIRMATIONS : first.block <= finalized,
    blockTime: (first.isExact ? time : null) ?? (known?.state === 'included' ? known.blockTime : null),
  };
}

function noteBlock(
  { firstBlocks, untold }: LookOutcome,
  { id, known }: Increase,
  first: FirstBlock,
  { amountBase, state }: TransferSighting,
): void {
  if (!first.isExact || state !== 'included') {
    return;
  }
  firstBlocks.set(id, first.block);
  if (known?.state !== 'included' || known.txHash === null) {
    untold.push({ id, block: first.block, amountBase });
  }
}

/** It may come back until something final has taken its place. */
function vanished(known: NonNullable<Increase['known']>, isExcluded: boolean): TransferSighting {
  if (known.state === 'failed' || known.state === 'replaced') {
    return unchanged(known);
  }
  const state = isExcluded ? 'replaced' : 'missing';
  return { ...unchanged(known), state, confirmations: 0, isFinal: false, blockTime: null };
}

function foreign(look: PaymentLook): TransferSighting[] {
  const { live, lost } = look.increases();
  const own = new Set([...live, ...lost].map(({ id }) => id));
  return look.payment.transfers.filter(({ id }) => !own.has(id)).map(unchanged);
}

function isTimeKnown(look: PaymentLook, { id, known }: Increase, { block }: FirstBlock): boolean {
  return known?.state === 'included' && known.blockTime !== null && look.expectedBlock(id) === block;
}

const ADDRESSES_MAX = 20_000;
/** Ten minutes: how late it may be noticed that an address was spent from without anything seen to arrive. */
const RESTING_BLOCKS = 50;
/** A contract's transfers have no hash to be found. */
const HASH_SEARCHES_MAX = 3;

/** What earlier looks of this process found. It only spares requests: without it a look finds the same. */
export class LookMemory {
  private readonly firstBlocks = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly searches = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  private readonly resting = new LRUCache<string, { balance: bigint; transfers: number; untilBlock: number }>(
    { max: ADDRESSES_MAX },
  );

  firstBlockOf(id: string): number | undefined {
    return this.firstBlocks.get(id);
  }

  isResting(payment: WatchedPayment, balance: bigint, block: number): boolean {
    const rest = this.resting.get(payment.address);
    return (
      rest !== undefined &&
      rest.balance === balance &&
      rest.transfers === payment.transfers.length &&
      block < rest.untilBlock &&
      payment.transfers.every(({ state, isFinal }) => state !== 'included' || isFinal)
    );
  }

  remember(payment: WatchedPayment, balance: bigint, block: number, outcome: LookOutcome): void {
    for (const [id, first] of outcome.firstBlocks) {
      this.firstBlocks.set(id, first);
    }
    const { sightings, review } = outcome;
    if (review === null && sightings.every(({ state, isFinal }) => state !== 'included' || isFinal)) {
      const transfers = sightings.length;
      this.resting.set(payment.address, { balance, transfers, untilBlock: block + RESTING_BLOCKS });
    } else {
      this.resting.delete(payment.address);
    }
  }

  isWorthSearching(id: string, block: number): boolean {
    return (this.searches.get(`${id} ${block}`) ?? 0) < HASH_SEARCHES_MAX;
  }

  noteSearch(id: string, block: number): void {
    this.searches.set(`${id} ${block}`, (this.searches.get(`${id} ${block}`) ?? 0) + 1);
  }
}
