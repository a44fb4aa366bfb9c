import {
  JsonRpc,
  OperatorCallFailed,
  type OperatorHttp,
  RpcError,
  type RpcRequest,
} from '../../../http/operator-http';
import { type ChainTip, ChainUnavailable } from '../payment-chain';
import { AnswerFields, answerObjects, esploraTransaction, type EsploraTransaction } from './bitcoin-answer';
import type { BitcoinNetwork } from './bitcoin-places';

/** What bitcoind's errors mean (src/rpc/protocol.h of Bitcoin Core). */
export const CORE_ERRORS = {
  walletFault: -4,
  unknownTransaction: -5,
  unknownWallet: -18,
  alreadyLoaded: -35,
} as const;

export class CoreRpc {
  private readonly wallet: JsonRpc;
  private readonly patientNode: JsonRpc;
  private readonly patientWallet: JsonRpc;

  constructor(
    http: OperatorHttp,
    patientHttp: OperatorHttp,
    readonly walletName: string,
    readonly signal: AbortSignal,
  ) {
    const path = `/wallet/${walletName}`;
    this.wallet = new JsonRpc(http, path);
    this.patientNode = new JsonRpc(patientHttp);
    this.patientWallet = new JsonRpc(patientHttp, path);
  }

  get requests(): number {
    return [this.wallet, this.patientNode, this.patientWallet].reduce(
      (sum, { requests }) => sum + requests,
      0,
    );
  }

  call(method: string, ...params: unknown[]): Promise<unknown> {
    return this.wallet.call(method, params, this.signal);
  }

  callPatiently(method: string, ...params: unknown[]): Promise<unknown> {
    return this.patientWallet.call(method, params, this.signal);
  }

  callNodePatiently(method: string, ...params: unknown[]): Promise<unknown> {
    return this.patientNode.call(method, params, this.signal);
  }

  /** Null where the answer was an error with the code `expected`. @throws RpcError for any other, OperatorCallFailed */
  batch(calls: readonly RpcRequest[], sizeMax: number, expected?: number): Promise<unknown[]> {
    return this.inBatches(this.wallet, calls, sizeMax, expected);
  }

  batchPatiently(calls: readonly RpcRequest[], sizeMax: number, expected?: number): Promise<unknown[]> {
    return this.inBatches(this.patientWallet, calls, sizeMax, expected);
  }

  private async inBatches(
    wallet: JsonRpc,
    calls: readonly RpcRequest[],
    sizeMax: number,
    expected: number | undefined,
  ): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let start = 0; start < calls.length; start += sizeMax) {
      for (const outcome of await wallet.batch(calls.slice(start, start + sizeMax), this.signal)) {
        if ('error' in outcome && outcome.error.code !== expected) {
          throw outcome.error;
        }
        results.push('error' in outcome ? null : outcome.result);
      }
    }
    return results;
  }
}

export function isCoreError(error: unknown, code: number): error is RpcError {
  return error instanceof RpcError && error.code === code;
}

export interface BlockBefore {
  height: number;
  hash: string;
  medianTime: Date;
}

/** With both rounds of probes, a week is met to within a few hours. */
const FINE_PROBES = 24;
const BLOCKS_PER_HOUR = 6;

/** A block that is certainly older than a time, and not by much; the genesis block where no other is. */
export async function blockBefore(rpc: CoreRpc, tipHeight: number, time: Date): Promise<BlockBefore> {
  const coarse = await probe(rpc, coarseHeights(tipHeight));
  const older = lastBefore(coarse, time);
  const next = coarse.find(({ height }) => height > older.height);
  if (next === undefined) {
    return older;
  }
  const step = Math.ceil((next.height - older.height) / FINE_PROBES);
  const fine: number[] = [];
  for (let height = older.height; height < next.height; height += step) {
    fine.push(height);
  }
  return lastBefore(await probe(rpc, fine), time);
}

export async function medianTimeAt(rpc: CoreRpc, height: number): Promise<Date> {
  const [block] = await probe(rpc, [height]);
  if (block === undefined) {
    throw new Error('no block was probed');
  }
  return block.medianTime;
}

function coarseHeights(tipHeight: number): number[] {
  const heights = [tipHeight];
  for (let back = BLOCKS_PER_HOUR; back < tipHeight; back *= 2) {
    heights.push(tipHeight - back);
  }
  return [...new Set([...heights, 0])].sort((one, other) => one - other);
}

function lastBefore(blocks: readonly BlockBefore[], time: Date): BlockBefore {
  const [first, ...others] = blocks;
  if (first === undefined) {
    throw new Error('no block was probed');
  }
  return others.findLast(({ medianTime }) => medianTime < time) ?? first;
}

async function probe(rpc: CoreRpc, heights: readonly number[]): Promise<BlockBefore[]> {
  const hashes = await rpc.batch(
    heights.map((height) => ({ method: 'getblockhash', params: [height] })),
    heights.length,
  );
  const headers = await rpc.batch(
    hashes.map((hash) => ({ method: 'getblockheader', params: [hash] })),
    heights.length,
  );
  return headers.map((header) => {
    const fields = new AnswerFields(header, 'getblockheader');
    return {
      height: fields.height('height'),
      hash: fields.hash('hash'),
      medianTime: fields.time('mediantime'),
    };
  });
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

export class TooLongHistory extends Error {}

export class TooMuchVanished extends Error {}

/** Esplora's REST API (github.com/Blockstream/esplora, API.md). Routes of a single block's hash answer no JSON. */
export class EsploraApi {
  requests = 0;
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(
    private readonly http: OperatorHttp,
    private readonly signal: AbortSignal,
  ) {}

  /** An unknown network by its first block's hash. */
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

  /** In blocks down to the first that is older than `since`; a server gives only 10 to 50 that are in no block. */
  async history(address: string, since: Date): Promise<EsploraTransaction[]> {
    const history = (await this.list(`/address/${address}/txs`)) ?? [];
    let included = history.filter(({ block }) => block !== null);
    for (let page = 1; included.length >= PAGE_MIN; page += 1) {
      const last = included.at(-1);
      if (last === undefined || (last.block !== null && last.block.time < since)) {
        break;
      }
      if (page === PAGES_MAX) {
        throw new TooLongHistory();
      }
      included = (await this.list(`/address/${address}/txs/chain/${last.txid}`)) ?? [];
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
    const answer = this.known.get(path) ?? this.getOrNull(path);
    this.known.set(path, answer);
    return answer;
  }

  private async getOrNull(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof OperatorCallFailed && error.status === 404) {
        return null;
      }
      throw error;
    }
  }
}
