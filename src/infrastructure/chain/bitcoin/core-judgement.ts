import type { TransferSighting, TransferState } from '../payment-chain';
import type { OwnPayment } from './bitcoin-places';
import { inMempool, knownToWallet, type CoreArrival, type CoreTransaction } from './core-listing';
import type { CoreRpc } from './core-rpc';
import { ofItsTime } from './payment-age';
import { isVoid, REWARD_CONFIRMATIONS, txidOf, unchanged } from './known-transfers';

interface Seen {
  payment: OwnPayment;
  id: string;
  amountBase: bigint;
  /** Null when the wallet does not know it any more. */
  transaction: CoreTransaction | null;
}

/**
 * What has become of all that was paid to these payments, now or at an earlier look. The wallet lists what it has ever seen:
 * only the node's memory says whether a transaction that is in no block still waits for one.
 */
export async function judged(
  rpc: CoreRpc,
  payments: readonly OwnPayment[],
  arrivals: readonly CoreArrival[],
): Promise<Map<string, TransferSighting[]>> {
  const sightings = new Map(payments.map(({ paymentId }) => [paymentId, [] as TransferSighting[]]));
  const seen = await everSeen(rpc, payments, arrivals, sightings);
  const unconfirmed = [...new Set(seen.filter(isUnconfirmed).map(({ id }) => txidOf(id)))];
  const waiting = await inMempool(rpc, unconfirmed);
  const live = new Set([...waiting, ...arrivals.filter(isInBlock).map(({ txid }) => txid)]);
  for (const { payment, id, amountBase, transaction } of seen) {
    const state = stateOf(txidOf(id), transaction, waiting, live);
    const isIncluded = state === 'included';
    const sighting = {
      id,
      txHash: txidOf(id),
      amountBase,
      state,
      confirmations: isIncluded ? (transaction?.confirmations ?? 0) : 0,
      isFinal: false,
      blockTime: isIncluded ? (transaction?.blockTime ?? null) : null,
    };
    sightings.get(payment.paymentId)?.push(ofItsTime(sighting, payment));
  }
  return sightings;
}

/** All that is listed, and what earlier looks found and is not. What was replaced and is not listed stays replaced. */
async function everSeen(
  rpc: CoreRpc,
  payments: readonly OwnPayment[],
  arrivals: readonly CoreArrival[],
  sightings: Map<string, TransferSighting[]>,
): Promise<Seen[]> {
  const byAddress = new Map(payments.map((payment) => [payment.address, payment]));
  const seen = new Map<string, Seen>();
  for (const arrival of arrivals) {
    const payment = byAddress.get(arrival.address);
    if (payment !== undefined) {
      seen.set(arrival.id, { payment, id: arrival.id, amountBase: arrival.amountBase, transaction: arrival });
    }
  }
  const unlisted: Omit<Seen, 'transaction'>[] = [];
  for (const payment of payments) {
    for (const transfer of payment.transfers) {
      if (seen.has(transfer.id)) {
        continue;
      }
      if (isVoid(transfer)) {
        sightings.get(payment.paymentId)?.push(unchanged(transfer));
      } else {
        unlisted.push({ payment, id: transfer.id, amountBase: transfer.amountBase });
      }
    }
  }
  const known = await knownToWallet(rpc, [...new Set(unlisted.map(({ id }) => txidOf(id)))]);
  return [
    ...seen.values(),
    ...unlisted.map((transfer) => ({ ...transfer, transaction: known.get(txidOf(transfer.id)) ?? null })),
  ];
}

function stateOf(
  txid: string,
  transaction: CoreTransaction | null,
  waiting: ReadonlySet<string>,
  live: ReadonlySet<string>,
): TransferState {
  if (transaction !== null && transaction.confirmations > 0) {
    const isLocked = transaction.isReward && transaction.confirmations < REWARD_CONFIRMATIONS;
    return isLocked ? 'pending' : 'included';
  }
  if (waiting.has(txid)) {
    return 'pending';
  }
  if (transaction === null) {
    return 'missing';
  }
  const { confirmations, mempoolConflicts, walletConflicts } = transaction;
  const isConflicted =
    confirmations < 0 || mempoolConflicts.length > 0 || walletConflicts.some((id) => live.has(id));
  return isConflicted ? 'replaced' : 'missing';
}

function isInBlock({ confirmations }: CoreTransaction): boolean {
  return confirmations > 0;
}

function isUnconfirmed({ transaction }: Seen): boolean {
  return transaction === null || transaction.confirmations === 0;
}
