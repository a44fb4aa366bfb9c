import { AnswerFields } from './bitcoin-answer';
import type { CoreRpc } from './core-rpc';

export interface BlockBefore {
  height: number;
  hash: string;
  /** The median time of the block and its ten predecessors; it only grows from block to block. */
  medianTime: Date;
}

/** Of the second round of probes. With both rounds, a week is met to within a few hours. */
const FINE_PROBES = 24;
const BLOCKS_PER_HOUR = 6;

/**
 * Finds a block that is certainly older than a time, and not by much. Four requests.
 * @returns the genesis block where no other is older
 */
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

/** The median time of a block and its ten predecessors. */
export async function medianTimeAt(rpc: CoreRpc, height: number): Promise<Date> {
  const [block] = await probe(rpc, [height]);
  if (block === undefined) {
    throw new Error('no block was probed');
  }
  return block.medianTime;
}

/** Ever larger steps back from the tip, down to the first block; ascending. */
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
