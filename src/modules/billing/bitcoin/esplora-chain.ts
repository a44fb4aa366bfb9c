import { LRUCache } from 'lru-cache';
import { OperatorCallFailed, OperatorHttp } from '../../../http/operator-http';
import {
  type ChainTip,
  ChainUnavailable,
  type KnownTransfer,
  type Observation,
  startingAt,
  type TransferSighting,
  unchanged,
  type WatchedPayment,
} from '../payment-chain';
import type { EsploraTransaction, Outpoint } from './bitcoin-answer';
import { EsploraApi, TooLongHistory, TooMuchVanished } from './bitcoin-nodes';
import {
  ANSWER_BYTES_MAX,
  BEFORE_PAYMENT,
  BitcoinChain,
  type BitcoinSettings,
  CALL_TIMEOUT_MS,
  EARLIER_MS,
  hasNewOldCoins,
  isAddressOf,
  isVoid,
  ofItsTime,
  REWARD_CONFIRMATIONS,
  txidOf,
} from './bitcoin-places';

const TRANSACTIONS_KEPT_MAX = 10_000;
const INPUTS_MAX = 20;
/** Whoever lets more transactions of one payment vanish must not use up the time of a look. */
const VANISHED_MAX = 25;

/** A server forgets a replaced transaction: only a coin tells what else spends it. What is forgotten is missing. */
class SpentCoins {
  private readonly byTransaction = new LRUCache<string, Outpoint[]>({ max: TRANSACTIONS_KEPT_MAX });

  remember({ txid, inputs }: EsploraTransaction): void {
    if (inputs.length <= INPUTS_MAX) {
      this.byTransaction.set(txid, inputs);
    }
  }

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

/** Of earlier looks too. @throws TooLongHistory, TooMuchVanished, ChainUnavailable, OperatorCallFailed */
async function esploraSightings(
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

const CONCURRENT_MAX = 8;
/** What is left of a look is done at the next one, so that its result comes in time. */
const ASKING_MS_MAX = 14_000;
const TOO_MANY_REQUESTS = 429;

/** Who runs the Esplora server learns which addresses belong together, so it had best be the operator's own. */
export class EsploraChain extends BitcoinChain {
  private readonly http: OperatorHttp;
  private readonly coins = new SpentCoins();
  private next: string | null = null;

  constructor({ xpub, url, environment, timeoutMs = CALL_TIMEOUT_MS }: BitcoinSettings) {
    super(xpub, environment);
    this.http = new OperatorHttp(url, { timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
  }

  protected override askNetwork(signal: AbortSignal): Promise<string> {
    return new EsploraApi(this.http, signal).network();
  }

  protected override async look(
    payments: readonly WatchedPayment[],
    signal: AbortSignal,
  ): Promise<Observation> {
    const failed = new AbortController();
    const api = new EsploraApi(this.http, AbortSignal.any([signal, failed.signal]));
    const network = this.places.accept(await api.network());
    const tip = await api.tip();
    const inTurn = startingAt(
      payments.filter(({ address }) => isAddressOf(network, address)),
      this.next,
    );
    const observation = { tip, transfers: new Map(), reviews: new Map() } satisfies Partial<Observation>;
    const endMs = performance.now() + ASKING_MS_MAX;
    let asked = 0;
    const askInTurn = async (): Promise<void> => {
      for (
        let payment = inTurn[asked];
        payment !== undefined && performance.now() < endMs;
        payment = inTurn[asked]
      ) {
        asked += 1;
        await this.lookAt(api, payment, observation);
      }
    };
    try {
      await Promise.all(Array.from({ length: CONCURRENT_MAX }, askInTurn));
    } finally {
      failed.abort();
    }
    if (asked > 0 && observation.transfers.size + observation.reviews.size === 0) {
      // One such as this refuses whoever asks, and knows nothing of any address.
      throw new ChainUnavailable('the Esplora server refused to tell of any address');
    }
    this.endTurn(payments, inTurn[asked]?.paymentId ?? null);
    return { ...observation, requests: api.requests };
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  /** A look at other payments than the one whose turn it is keeps that turn unless it takes one itself. */
  private endTurn(payments: readonly WatchedPayment[], next: string | null): void {
    const isPass = payments.length > 1 && payments.some(({ paymentId }) => paymentId === this.next);
    if (next !== null || isPass) {
      this.next = next;
    }
  }

  /** An address that the server refuses to tell of would keep all others from being looked at. */
  private async lookAt(
    api: EsploraApi,
    payment: WatchedPayment,
    { tip, transfers, reviews }: EsploraFindings,
  ): Promise<void> {
    try {
      const sightings = await esploraSightings(api, this.coins, payment, tip);
      transfers.set(payment.paymentId, sightings);
      if (hasNewOldCoins(payment, sightings)) {
        reviews.set(payment.paymentId, BEFORE_PAYMENT);
      }
    } catch (error) {
      if (error instanceof TooLongHistory || (error instanceof OperatorCallFailed && error.isTooLong)) {
        reviews.set(payment.paymentId, 'The address has received more transactions than are looked at.');
      } else if (error instanceof TooMuchVanished) {
        reviews.set(
          payment.paymentId,
          'More transactions to the address have vanished than are asked about.',
        );
      } else if (!isRefusal(error)) {
        throw error;
      }
    }
  }
}

type EsploraFindings = Pick<Observation, 'tip'> & {
  transfers: Map<string, Awaited<ReturnType<typeof esploraSightings>>>;
  reviews: Map<string, string>;
};

function isRefusal(error: unknown): boolean {
  const status = error instanceof OperatorCallFailed ? error.status : null;
  return status !== null && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}
