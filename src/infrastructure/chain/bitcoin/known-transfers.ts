import type { KnownTransfer, TransferSighting } from '../payment-chain';

/** A miner's reward may be spent in the 101st block; until then, what undoes its block destroys it. */
export const REWARD_CONFIRMATIONS = 100;

/** What an earlier look found, as it was found. */
export function unchanged({ firstSeenAt: _, ...sighting }: KnownTransfer): TransferSighting {
  return sighting;
}

/**
 * Whether the transfer is over and done with, as far as earlier looks knew. It is not asked about any more, but counts again
 * when the node tells of it.
 */
export function isVoid({ state }: TransferSighting): boolean {
  return state === 'replaced' || state === 'failed';
}

/** The transaction of a transfer's id, which is `txid:vout`. */
export function txidOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}
