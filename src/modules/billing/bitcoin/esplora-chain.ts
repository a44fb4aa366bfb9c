import { LRUCache } from 'lru-cache';
import { OperatorCallFailed, type OperatorHttp } from '../../../http/operator-http';
import {
  type ChainTip,
  ChainUnavailable,
  type Findings,
  type KnownTransfer,
  type Observation,
  startingAt,
  type TransferSighting,
  unchanged,
  type WatchedPayment,
} from '../payment-chain';
import { AnswerFields, answerObjects } from './bitcoin-answer';
import {
  BEFORE_PAYMENT,
  BitcoinChain,
  type BitcoinNetwork,
  BLOCK_TIME_ERROR_MS_MAX,
  hasNewOldCoins,
  isAddressOf,
  isVoid,
  ofItsTime,
  REWARD_CONFIRMATIONS,
  txidOf,
} from './bitcoin-places';

interface Outpoint {
  txid: string;
  vout: number;
  address: string | null;
}

interface EsploraTransaction {
  txid: string;
  block: { height: number; time: Date } | null;
  inputs: Outpoint[];
  outputs: { address: string | null; amountBase: bigint }[];
}

const OUTPUTS_MAX = 1_000_000;

function esploraTransaction(fields: AnswerFields): EsploraTransaction {
  const status = fields.object('status');
  const inputs = fields.objects('vin');
  return {
    txid: fields.hash('txid'),
    block: status.flag('confirmed')
      ? { height: status.height('block_height'), time: status.time('block_time') }
      : null,
    inputs: inputs
      .filter((input) => input.raw('is_coinbase') !== true)
      .map((input) => ({
        txid: input.hash('txid'),
        vout: input.integer('vout', 0, OUTPUTS_MAX),
        address: input.optional('prevout', (of) => addressOf(of.object('prevout'))) ?? null,
      })),
    outputs: fields.objects('vout').map((output) => ({
      address: addressOf(output),
      amountBase: output.satoshis('value'),
    })),
  };
}

function addressOf(output: AnswerFields): string | null {
  return output.optional('scriptpubkey_address', (of) => of.text('scriptpubkey_address')) ?? null;
}

const GENESIS_HASHES: Record<string, BitcoinNetwork> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': 'main',
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': 'test',
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': 'testnet4',
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6': 'signet',
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206': 'regtest',
};
/** A page has 25 transactions that are in blocks, or 10 with mempool's fork. */
const PAGE_MIN = 10;
const PAGES_MAX = 20;

/** The message is a sentence for the person who reviews the payment. */
class ReviewNeeded extends Error {}

const TOO_LONG_HISTORY = 'The address has received more transactions than are looked at.';

/** Esplora's REST API (github.com/Blockstream/esplora, API.md). Routes of a single block's hash answer no JSON. */
class EsploraApi {
  requests = 0;
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(
    private readonly http: OperatorHttp,
    private readonly signal: AbortSignal,
  ) {}

  async network(): Promise<string> {
    const [genesis] = answerObjects(await this.get('/blocks/0'), 'blocks');
    if (genesis === undefined) {
      throw new ChainUnavailable('blocks: the Esplora server answered no block');
    }
    const hash = genesis.height('height') === 0 ? genesis.hash('id') : genesis.refuse('height');
    return GENESIS_HASHES[hash] ?? hash;
  }

  async tip(): Promise<ChainTip> {
    const blocks = answerObjects(await this.get('/blocks'), 'blocks');
    const tips = blocks.map((block) => ({ height: block.height('height'), time: block.time('timestamp') }));
    const [tip, ...older] = tips;
    if (tip === undefined || older.some(({ height }) => height >= tip.height)) {
      throw new ChainUnavailable('blocks: the Esplora server answered no list of blocks');
    }
    return tip;
  }

  /** Back to the first block older than `since`; a server gives only 10 to 50 that are in no block. */
  async history(address: string, since: Date): Promise<EsploraTransaction[]> {
    const history = await this.list(`/address/${address}/txs`);
    let included = history.filter(({ block }) => block !== null);
    for (let page = 1; included.length >= PAGE_MIN; page += 1) {
      const last = included.at(-1);
      if (last === undefined || (last.block !== null && last.block.time < since)) {
        break;
      }
      if (page === PAGES_MAX) {
        throw new ReviewNeeded(TOO_LONG_HISTORY);
      }
      included = await this.list(`/address/${address}/txs/chain/${last.txid}`);
      history.push(...included);
    }
    return history;
  }

  async transaction(txid: string): Promise<EsploraTransaction | null> {
    const answer = await this.getKnown(`/tx/${txid}`);
    const transaction = answer === null ? null : esploraTransaction(new AnswerFields(answer, 'tx'));
    if (transaction !== null && transaction.txid !== txid) {
      throw new ChainUnavailable('tx: the Esplora server answered another transaction');
    }
    return transaction;
  }

  async spender(txid: string, vout: number): Promise<string | null> {
    const answer = await this.getKnown(`/tx/${txid}/outspend/${vout}`);
    const spend = answer === null ? null : new AnswerFields(answer, 'outspend');
    return spend?.flag('spent') ? spend.hash('txid') : null;
  }

  private async list(path: string): Promise<EsploraTransaction[]> {
    return answerObjects(await this.get(path), 'txs').map(esploraTransaction);
  }

  private async get(path: string): Promise<unknown> {
    this.requests += 1;
    const { status, json } = await this.http.json({ path, signal: this.signal });
    if (status !== 200) {
      throw new OperatorCallFailed(`the answer is an error (${status})`, status);
    }
    return json;
  }

  private getKnown(path: string): Promise<unknown> {
    const answer = this.known.get(path) ?? this.get(path).catch(nullWhereUnknown);
    this.known.set(path, answer);
    return answer;
  }
}

function nullWhereUnknown(error: unknown): null {
  if (error instanceof OperatorCallFailed && error.status === 404) {
    return null;
  }
  throw error;
}

const TRANSACTIONS_KEPT_MAX = 10_000;
const INPUTS_MAX = 20;
/** Bounds the time of a look when somebody lets many transactions of one payment vanish. */
const VANISHED_MAX = 25;

/** A server forgets a replaced transaction: only its coins show what replaced it. */
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

async function esploraSightings(
  api: EsploraApi,
  coins: SpentCoins,
  payment: WatchedPayment,
  tip: ChainTip,
): Promise<TransferSighting[]> {
  const sightings = new Map<string, TransferSighting>();
  const known = new Set(payment.transfers.map(({ id }) => id));
  const since = new Date(payment.createdAt.getTime() - BLOCK_TIME_ERROR_MS_MAX);
  for (const transaction of await api.history(payment.address, since)) {
    coins.remember(transaction);
    // The operator's payments from the address and their change have been counted.
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
    throw new ReviewNeeded('More transactions to the address have vanished than are asked about.');
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
  // A block newer than the tip counts as the newest.
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
/** Leaves the rest to the next look, so that the result comes in time. */
const ASKING_MS_MAX = 14_000;
const TOO_MANY_REQUESTS = 429;

/** The Esplora server learns which addresses belong together, so it had best be the operator's own. */
export class EsploraChain extends BitcoinChain {
  private readonly coins = new SpentCoins();
  private next: string | null = null;

  protected override async askNetwork(signal: AbortSignal): Promise<string> {
    return this.accept(await new EsploraApi(this.http, signal).network());
  }

  protected override async look(
    payments: readonly WatchedPayment[],
    signal: AbortSignal,
  ): Promise<Observation> {
    const failed = new AbortController();
    const api = new EsploraApi(this.http, AbortSignal.any([signal, failed.signal]));
    const network = this.accept(await api.network());
    const tip = await api.tip();
    const inTurn = startingAt(
      payments.filter(({ address }) => isAddressOf(network, address)),
      this.next,
    );
    const observation: Findings & { tip: ChainTip } = { tip, transfers: new Map(), reviews: new Map() };
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
      // A server that refuses every address knows nothing of any.
      throw new ChainUnavailable('the Esplora server refused to tell of any address');
    }
    this.endTurn(payments, inTurn[asked]?.id ?? null);
    return { ...observation, requests: api.requests };
  }

  /** A look at other payments keeps the turn unless it sets a new one. */
  private endTurn(payments: readonly WatchedPayment[], next: string | null): void {
    const isPass = payments.length > 1 && payments.some(({ id }) => id === this.next);
    if (next !== null || isPass) {
      this.next = next;
    }
  }

  /** One address that the server refuses must not stop the others. */
  private async lookAt(
    api: EsploraApi,
    payment: WatchedPayment,
    { tip, transfers, reviews }: Findings & { tip: ChainTip },
  ): Promise<void> {
    try {
      const sightings = await esploraSightings(api, this.coins, payment, tip);
      transfers.set(payment.id, sightings);
      if (hasNewOldCoins(payment, sightings)) {
        reviews.set(payment.id, BEFORE_PAYMENT);
      }
    } catch (error) {
      if (error instanceof ReviewNeeded) {
        reviews.set(payment.id, error.message);
      } else if (error instanceof OperatorCallFailed && error.isTooLong) {
        reviews.set(payment.id, TOO_LONG_HISTORY);
      } else if (!isRefusal(error)) {
        throw error;
      }
    }
  }
}

function isRefusal(error: unknown): boolean {
  const status = error instanceof OperatorCallFailed ? error.status : null;
  return status !== null && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}
