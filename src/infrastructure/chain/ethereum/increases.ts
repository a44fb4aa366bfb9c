import type { KnownTransfer } from '../payment-chain';

/**
 * Something that has arrived at an address: the part of all it ever received between two sums, in wei. Its id names both,
 * so that an id has one amount for ever, whoever gives it, and increases that don't overlap never add up to more than was
 * received.
 */
export interface Increase {
  id: string;
  start: bigint;
  end: bigint;
  /** As an earlier look found it. */
  known: KnownTransfer | null;
}

export interface IncreasesOfPayment {
  /** One after another, without gaps and overlaps. */
  live: Increase[];
  /** Those that earlier looks found and that are in no block now. */
  lost: Increase[];
  /** Whether some are left out because there are too many. */
  isCutOff: boolean;
}

export function increaseId(address: string, start: bigint, end: bigint): string {
  return `${address}:${start}-${end}`;
}

/** Null for a transfer that is not an increase of this address. */
export function knownIncrease(address: string, known: KnownTransfer): Increase | null {
  const match = /^([^:]+):(\d{1,40})-(\d{1,40})$/.exec(known.id);
  const [start, end] = [BigInt(match?.[2] ?? 0), BigInt(match?.[3] ?? 0)];
  const isOfAddress = match?.[1] === address && start < end && known.amountBase === end - start;
  return isOfAddress ? { id: known.id, start, end, known } : null;
}

/**
 * The increases that hold on: one after another from zero up to what was received. Those that end above are lost to a
 * reorganisation, the newest first. Where two overlap (two replicas have stored what they saw on both sides of a
 * reorganisation), the one stays that more has been built upon. What was missing comes back, before anything new is formed
 * of the same ether: a node that once answered from an older state must not make it a second transfer.
 * @param received null where balances do not tell any more
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
 * The increases that come after the kept ones. None takes a part of one that is fixed, even where that one is gone: its
 * ether would be credited again as soon as it is back.
 * @param steps the sums received at blocks, rising, all above the end of the kept ones
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

/** Settled for ever: its ether was credited, or was in the address before the payment. */
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

/** Of two fixed ones that overlap only the weightier stays. */
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
