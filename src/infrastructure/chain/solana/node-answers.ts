import { ChainUnavailable } from '../chain-errors';
import { listOf, naturalOf, recordOf, textOf, timeOf } from './answers';
import { isSignature } from './solana-address';

/** A transaction that names an address or a reference. */
export interface ListedSignature {
  signature: string;
  /** Null where the node does not say. */
  blockTime: Date | null;
}

/** How far a transaction is. */
export interface SignatureStatus {
  slot: number;
  commitment: 'processed' | 'confirmed' | 'finalized';
  confirmations: number;
}

/** What the network calls rooted: 32 blocks on top. */
const ROOTED_CONFIRMATIONS = 32;

/**
 * The answer of getSignaturesForAddress, newest first.
 * @param countMax how many were asked for
 * @throws ChainUnavailable
 */
export function listedSignatures(answer: unknown, countMax: number): ListedSignature[] {
  return listOf(answer, 'signatures', countMax).map((entry) => {
    const { signature, blockTime } = recordOf(entry, 'a listed signature');
    const text = textOf(signature, 'a signature');
    if (!isSignature(text)) {
      throw new ChainUnavailable("the node's answer makes no sense: a signature");
    }
    return { signature: text, blockTime: timeOf(blockTime, 'a block time') };
  });
}

/**
 * The answer of getSignatureStatuses; null for a transaction that the node does not have.
 * @param count how many were asked for
 * @throws ChainUnavailable
 */
export function signatureStatuses(answer: unknown, count: number): (SignatureStatus | null)[] {
  const statuses = listOf(recordOf(answer, 'statuses').value, 'statuses');
  if (statuses.length !== count) {
    throw new ChainUnavailable("the node's answer makes no sense: as many statuses as signatures");
  }
  return statuses.map((status) => (status === null ? null : statusOf(recordOf(status, 'a status'))));
}

function statusOf({ slot, confirmations, confirmationStatus }: Record<string, unknown>): SignatureStatus {
  const commitment = textOf(confirmationStatus, 'a confirmation status');
  const height = naturalOf(slot, 'a slot');
  switch (commitment) {
    case 'processed':
      return { slot: height, commitment, confirmations: 0 };
    case 'finalized':
      return { slot: height, commitment, confirmations: ROOTED_CONFIRMATIONS };
    case 'confirmed': {
      // Null is rooted for this node alone; whether the network agrees is what the commitment says.
      const count = confirmations === null ? ROOTED_CONFIRMATIONS : naturalOf(confirmations, 'confirmations');
      return {
        slot: height,
        commitment,
        confirmations: Math.min(Math.max(count, 1), ROOTED_CONFIRMATIONS - 1),
      };
    }
    default:
      throw new ChainUnavailable("the node's answer makes no sense: a confirmation status");
  }
}
