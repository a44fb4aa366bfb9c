import { JsonRpc, type OperatorHttp, RpcError, type RpcRequest } from '../../../http/operator-http';
import { chunksOf } from '../../../runtime/collections';
import { AnswerFields } from './bitcoin-answer';

/** Source: src/rpc/protocol.h of Bitcoin Core. */
export const CORE_ERRORS = {
  walletFault: -4,
  unknownTransaction: -5,
  unknownWallet: -18,
  alreadyLoaded: -35,
} as const;

export class CoreRpc {
  readonly wallet: JsonRpc;
  readonly nodeForSlowCalls: JsonRpc;
  readonly walletForSlowCalls: JsonRpc;

  constructor(
    http: OperatorHttp,
    httpForSlowCalls: OperatorHttp,
    readonly walletName: string,
    signal: AbortSignal,
  ) {
    const path = `/wallet/${walletName}`;
    this.wallet = new JsonRpc(http, signal, path);
    this.nodeForSlowCalls = new JsonRpc(httpForSlowCalls, signal);
    this.walletForSlowCalls = new JsonRpc(httpForSlowCalls, signal, path);
  }

  get requests(): number {
    return this.wallet.requests + this.nodeForSlowCalls.requests + this.walletForSlowCalls.requests;
  }
}

/** Null where the answer was an error with the code `expected`. @throws RpcError for any other, OperatorCallFailed */
export async function inBatches(
  rpc: JsonRpc,
  calls: readonly RpcRequest[],
  sizeMax: number,
  expected?: number,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const some of chunksOf(calls, sizeMax)) {
    for (const outcome of await rpc.batch(some)) {
      if ('error' in outcome && outcome.error.code !== expected) {
        throw outcome.error;
      }
      results.push('error' in outcome ? null : outcome.result);
    }
  }
  return results;
}

export function isCoreError(error: unknown, code: number): error is RpcError {
  return error instanceof RpcError && error.code === code;
}

export interface BlockBefore {
  height: number;
  hash: string;
  medianTime: Date;
}

/** With both rounds of probes a week is met to within a few hours. */
const FINE_PROBES = 24;
const BLOCKS_PER_HOUR = 6;

/** A block certainly but not much older than `time`; the genesis block where there is none. */
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
  const hashes = await inBatches(
    rpc.wallet,
    heights.map((height) => ({ method: 'getblockhash', params: [height] })),
    heights.length,
  );
  const headers = await inBatches(
    rpc.wallet,
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
