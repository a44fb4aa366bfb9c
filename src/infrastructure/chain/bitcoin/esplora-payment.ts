import { LRUCache } from 'lru-cache';
import type { ChainTip, KnownTransfer, TransferSighting, WatchedPayment } from '../payment-chain';
import { TooMuchVanished, type EsploraApi } from './esplora-api';
import type { EsploraTransaction, Outpoint } from './esplora-transaction';
import { EARLIER_MS, ofItsTime } from './payment-age';
import { isVoid, REWARD_CONFIRMATIONS, txidOf, unchanged } from './known-transfers';

const TRANSACTIONS_KEPT_MAX = 10_000;
/** Of a transaction that has vanished: to find what spends the same coins, one request for each. */
const INPUTS_MAX = 20;
/** Of one payment: whoever lets more transactions vanish must not use up the time of a look. */
const VANISHED_MAX = 25;

/**
 * What each vanished transaction has spent, as long as this process remembers it: the server does not know a transaction any
 * more that was replaced, and only a coin tells what else spends it. What is forgotten is taken for missing.
 */
export class SpentCoins {
  private readonly byTransaction = new LRUCache<string, Outpoint[]>({ max: TRANSACTIONS_KEPT_MAX });

  remember({ txid, inputs }: EsploraTransaction): void {
    if (inputs.length <= INPUTS_MAX) {
      this.byTransaction.set(txid, inputs);
    }
  }

  /** Whether another transaction, in a block or not, spends a coin of this one. */
  async areSpentByAnother(api: EsploraApi, txid: string): Promise<boolean> {
    for (const input of this.byTransaction.get(txid) ?? []) {
      const spender = await api.spender(input.txid, input.vout);
      if (spender !== null && spender !== txid) {
        return true;
      }
    }
    return false;
  }
}

/**
 * All transfers to a payment's address, those of earlier looks included. One request for a payment of up to ten transactions;
 * and some for each transfer that the server has dropped.
 * @throws TooLongHistory, TooMuchVanished, ChainUnavailable, OperatorCallFailed
 */
export async function esploraSightings(
  api: EsploraApi,
  coins: SpentCoins,
  payment: WatchedPayment,
  tip: ChainTip,
): Promise<TransferSighting[]> {
  const sightings = new Map<string, TransferSighting>();
  const known = new Set(payment.transfers.map(({ id }) => id));
  const since = new Date(payment.createdAt.getTime() - EARLIER_MS);
  for (const transaction of await api.history(payment.address, since)) {
    coins.remember(transaction);
    // What the operator pays from the address itself and gets back as change has been counted.
    const isOwn = transaction.inputs.some(({ address }) => address === payment.address);
    for (const sighting of transfersTo(payment.address, transaction, tip)) {
      if (!isOwn || known.has(sighting.id)) {
        sightings.set(sighting.id, ofItsTime(sighting, payment));
      }
    }
  }
  const unseen = payment.transfers.filter(({ id }) => !sightings.has(id));
  const asked = new Set(unseen.filter((transfer) => !isVoid(transfer)).map(({ id }) => txidOf(id)));
  if (asked.size > VANISHED_MAX) {
    throw new TooMuchVanished();
  }
  for (const transfer of unseen) {
    sightings.set(transfer.id, await vanished(api, coins, transfer, payment.address, tip));
  }
  return [...sightings.values()];
}

async function vanished(
  api: EsploraApi,
  coins: SpentCoins,
  transfer: KnownTransfer,
  address: string,
  tip: ChainTip,
): Promise<TransferSighting> {
  if (isVoid(transfer)) {
    return unchanged(transfer);
  }
  const txid = txidOf(transfer.id);
  const transaction = await api.transaction(txid);
  const found = transaction && transfersTo(address, transaction, tip).find(({ id }) => id === transfer.id);
  if (found) {
    return found;
  }
  const state = (await coins.areSpentByAnother(api, txid)) ? 'replaced' : 'missing';
  return { ...unchanged(transfer), state, confirmations: 0, isFinal: false, blockTime: null };
}

function transfersTo(
  address: string,
  { txid, block, inputs, outputs }: EsploraTransaction,
  tip: ChainTip,
): TransferSighting[] {
  // A block that came after the tip was asked for counts as the newest.
  const confirmations = block === null ? 0 : Math.max(1, tip.height - block.height + 1);
  const isReward = inputs.length === 0;
  const isIncluded = block !== null && (!isReward || confirmations >= REWARD_CONFIRMATIONS);
  return outputs.flatMap((output, vout) =>
    output.address === address && output.amountBase > 0n
      ? {
          id: `${txid}:${vout}`,
          txHash: txid,
          amountBase: output.amountBase,
          state: isIncluded ? ('included' as const) : ('pending' as const),
          confirmations: isIncluded ? confirmations : 0,
          isFinal: false,
          blockTime: isIncluded ? block.time : null,
        }
      : [],
  );
}
