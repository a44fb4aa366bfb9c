import type { TransferSighting, WatchedPayment } from '../payment-chain';

/** Blocks may carry a time that is two hours wrong, and clocks may differ. */
export const EARLIER_MS = 2 * 3_600_000;

export const BEFORE_PAYMENT =
  'Coins came to the address before the payment was made: the address is in use elsewhere, and these coins are not credited.';

/**
 * What is found for a payment, without believing coins that are older than the payment itself: they were meant for something
 * else, such as a payment that a restored database has forgotten. What an earlier look saw arrive is no such coin.
 */
export function ofItsTime(
  sighting: TransferSighting,
  { createdAt, transfers }: WatchedPayment,
): TransferSighting {
  const { blockTime } = sighting;
  if (blockTime === null || blockTime.getTime() >= createdAt.getTime() - EARLIER_MS) {
    return sighting;
  }
  const known = transfers.find(({ id }) => id === sighting.id);
  return known === undefined || known.state === 'failed'
    ? { ...sighting, state: 'failed', confirmations: 0, isFinal: false, blockTime: null }
    : sighting;
}

/** Whether coins that are older than the payment are found for the first time: a person has to be called once only. */
export function hasNewOldCoins(
  { transfers }: WatchedPayment,
  sightings: readonly TransferSighting[],
): boolean {
  const known = new Set(transfers.filter(({ state }) => state === 'failed').map(({ id }) => id));
  return sightings.some(({ id, state }) => state === 'failed' && !known.has(id));
}
