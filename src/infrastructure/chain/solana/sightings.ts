import { type KnownTransfer, type TransferSighting, type WatchedPayment } from '../payment-chain';
import { type SignatureStatus } from './node-answers';
import { type ReceivedTransaction } from './solana-transaction';

/** What one look adds to a payment, so that nobody makes the service keep very many at once; whole transactions. */
const ADDED_MAX = 100;

/**
 * Where the node has a transaction. `read`: in a block. `unreadable`: in a block, of an unknown version or too long.
 * `unconfirmed`: in a block that the network has not voted for. `gone`: nowhere.
 */
export type Whereabouts =
  | { kind: 'read'; transaction: ReceivedTransaction; status: SignatureStatus }
  | { kind: 'unreadable' }
  | { kind: 'unconfirmed' }
  | { kind: 'gone' };

/** What was first seen between these times and is gone can't come back. */
export interface GoneForGood {
  /** What is older the node may have dropped from its history. */
  after: Date;
  before: Date;
}

/**
 * Every transfer to a payment that is known now. Where very many are new, the largest of them; the next looks add the others.
 * @param found by signature; a known transfer whose transaction is not in it is settled and stays as it is
 * @param blockTimes by signature, as the node lists them
 */
export function sightingsOf(
  payment: WatchedPayment,
  found: ReadonlyMap<string, Whereabouts>,
  blockTimes: ReadonlyMap<string, Date | null>,
  goneForGood: GoneForGood,
): TransferSighting[] {
  const stored = new Map(payment.transfers.map((transfer) => [transfer.id, transfer]));
  const arrived = [...found].map(([signature, where]) =>
    where.kind === 'read' ? arrivedIn(where, blockTimes.get(signature) ?? null, stored) : [],
  );
  const arrivedIds = new Set(arrived.flat().map(({ id }) => id));
  const others = payment.transfers
    .filter(({ id }) => !arrivedIds.has(id))
    .map((transfer) => withoutArrival(transfer, found.get(signatureOf(transfer)), goneForGood));
  return [...others, ...added(arrived, stored)];
}

/** Why a person has to look at a payment with a transaction that can't be read; null where it has none. */
export function unreadableIn(found: ReadonlyMap<string, Whereabouts>): string | null {
  const unreadable = [...found].find(([, { kind }]) => kind === 'unreadable');
  return unreadable ? `The transaction ${unreadable[0]} can't be read here.` : null;
}

/** Why a person has to look at a payment where one of its transfers, on another fork, has another amount; else null. */
export function changedAmount(
  payment: WatchedPayment,
  transfers: readonly TransferSighting[],
): string | null {
  const stored = new Map(payment.transfers.map(({ id, amountBase }) => [id, amountBase]));
  const changed = transfers.find(({ id, amountBase }) => (stored.get(id) ?? amountBase) !== amountBase);
  return changed ? `The transfer ${changed.id} has another amount than when it was first seen.` : null;
}

/** The signature of the transaction that made a transfer. */
export function signatureOf({ id, txHash }: TransferSighting): string {
  return txHash ?? id.split(':')[0] ?? id;
}

/** A transaction's transfers stay together: where one of them is stored as final, the transaction is not read again. */
function added(
  arrived: readonly TransferSighting[][],
  stored: ReadonlyMap<string, KnownTransfer>,
): TransferSighting[] {
  const newOf = (transfers: readonly TransferSighting[]): TransferSighting[] =>
    transfers.filter(({ id }) => !stored.has(id));
  const known = arrived.filter((transfers) => newOf(transfers).length < transfers.length);
  const fresh = arrived.filter((transfers) => transfers.length > 0 && !known.includes(transfers));
  if (fresh.flat().length <= ADDED_MAX) {
    return arrived.flat();
  }
  // Dust costs next to nothing, so it must not go before what somebody has paid.
  const largest = [...fresh].sort((one, other) => (worthOf(one) < worthOf(other) ? 1 : -1));
  let count = 0;
  const taken = largest.filter((transfers, index) => {
    count += transfers.length;
    return index === 0 || count <= ADDED_MAX;
  });
  return [...known.flat(), ...taken.flat()];
}

/** A transaction that failed can name any amount. */
function worthOf(transfers: readonly TransferSighting[]): bigint {
  return transfers
    .filter(({ state }) => state === 'included')
    .reduce((sum, { amountBase }) => sum + amountBase, 0n);
}

function arrivedIn(
  { transaction, status }: Whereabouts & { kind: 'read' },
  listedTime: Date | null,
  stored: ReadonlyMap<string, KnownTransfer>,
): TransferSighting[] {
  const isFinal = status.commitment === 'finalized';
  return transaction.arrivals.map(({ id, lamports }) => {
    const arrival = { id, txHash: transaction.signature, amountBase: lamports, isFinal };
    const blockTime = listedTime ?? stored.get(id)?.blockTime ?? transaction.blockTime;
    return transaction.isFailed
      ? { ...arrival, state: 'failed', confirmations: 0, blockTime: null }
      : { ...arrival, state: 'included', confirmations: status.confirmations, blockTime };
  });
}

/** What has become of a transfer that the look has found in no block. */
function withoutArrival(
  { firstSeenAt, ...transfer }: KnownTransfer,
  where: Whereabouts | undefined,
  goneForGood: GoneForGood,
): TransferSighting {
  const nowhere = { ...transfer, confirmations: 0, isFinal: false, blockTime: null };
  switch (where?.kind) {
    case undefined:
    case 'unreadable':
      return transfer;
    case 'read':
      // On another fork the same transaction has done something else.
      return { ...nowhere, state: 'failed', isFinal: where.status.commitment === 'finalized' };
    case 'unconfirmed':
      return { ...nowhere, state: 'pending' };
    case 'gone': {
      const isForGood = firstSeenAt > goneForGood.after && firstSeenAt < goneForGood.before;
      return { ...nowhere, state: isForGood ? 'replaced' : 'missing' };
    }
  }
}
