import { RpcError } from '../../operator-http/json-rpc';
import { OperatorCallFailed } from '../../operator-http/operator-http';
import type { BlockTransaction } from './ethereum-answers';
import type { EthereumReader } from './ethereum-reader';
import type { UntoldTransfer } from './payment-sightings';

/** Bounds what one look loads; what is left over is looked for at the next. */
const BLOCKS_MAX = 16;
const CANDIDATES_MAX = 200;

export interface SoughtTransfer extends UntoldTransfer {
  address: string;
}

interface Candidate extends BlockTransaction {
  sought: SoughtTransfer;
}

/**
 * Finds the transactions that brought transfers, in the very blocks that they came in. None is found for what a contract
 * has sent. Nothing is credited by it, so that a node which fails here fails nothing.
 * @returns the hashes by the transfers' ids, and what was looked for
 */
export async function transactionHashes(
  sought: readonly SoughtTransfer[],
  reader: EthereumReader,
): Promise<{ hashes: Map<string, string>; lookedFor: string[] }> {
  const blocks = [...new Set(sought.map(({ block }) => block))].sort((one, other) => other - one);
  const scanned = blocks.slice(0, BLOCKS_MAX);
  const inBlocks = sought.filter(({ block }) => scanned.includes(block));
  const lookedFor = inBlocks.map(({ id }) => id);
  try {
    const contents = await reader.transactions(scanned);
    const candidates = inBlocks.flatMap((transfer) =>
      sentTo(transfer, contents[scanned.indexOf(transfer.block)] ?? []),
    );
    const checked = candidates.slice(0, CANDIDATES_MAX);
    const successes = await reader.successes(checked.map(({ hash }) => hash));
    const paying = checked.filter((_, index) => successes[index]);
    const found = inBlocks.flatMap((transfer) => {
      const hash = hashOf(transfer, paying);
      return hash === null ? [] : [[transfer.id, hash] as const];
    });
    return { hashes: new Map(found), lookedFor };
  } catch (error) {
    if (error instanceof RpcError || error instanceof OperatorCallFailed) {
      return { hashes: new Map(), lookedFor };
    }
    throw error;
  }
}

function sentTo(sought: SoughtTransfer, transactions: readonly BlockTransaction[]): Candidate[] {
  const address = sought.address.toLowerCase();
  return transactions
    .filter(({ to, value }) => to === address && value > 0n && value <= sought.amountBase)
    .map((transaction) => ({ ...transaction, sought }));
}

/** Where several transactions of one block make up one transfer, the largest stands for it. */
function hashOf(sought: SoughtTransfer, candidates: readonly Candidate[]): string | null {
  const [largest] = candidates
    .filter((candidate) => candidate.sought === sought)
    .sort((one, other) => (one.value < other.value ? 1 : -1));
  return largest?.hash ?? null;
}
