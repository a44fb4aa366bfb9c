import {
  type JsonRpc,
  OperatorCallFailed,
  RpcError,
  type RpcOutcome,
  type RpcRequest,
} from '../../../http/operator-http';
import type { Reading } from './payment-look';

/** More wei than there will ever be: a node that reports more is broken, or lies. */
const WEI_MAX = 10n ** 27n;
const SECONDS_MAX = 8_640_000_000_000;

export interface Block {
  number: number;
  hash: string;
  time: Date;
}

export interface BlockTransaction {
  hash: string;
  to: string | null;
  value: bigint;
}

function quantityOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw nonsense('a quantity');
  }
  return BigInt(value);
}

function weiOf(value: unknown): bigint {
  const wei = quantityOf(value);
  if (wei > WEI_MAX) {
    throw nonsense('an amount');
  }
  return wei;
}

function countOf(value: unknown): number {
  const count = quantityOf(value);
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw nonsense('a count');
  }
  return Number(count);
}

function blockOf(value: unknown): Block {
  const { number, hash, timestamp } = objectOf(value);
  const seconds = countOf(timestamp);
  if (seconds > SECONDS_MAX) {
    throw nonsense('a time');
  }
  return { number: countOf(number), hash: hashOf(hash), time: new Date(seconds * 1000) };
}

function transactionsOf(value: unknown): BlockTransaction[] {
  const { transactions } = objectOf(value);
  if (!Array.isArray(transactions)) {
    throw nonsense('transactions');
  }
  return transactions.map((transaction: unknown) => {
    const { hash, to, value: wei } = objectOf(transaction);
    return {
      hash: hashOf(hash),
      to: typeof to === 'string' ? to.toLowerCase() : null,
      value: quantityOf(wei),
    };
  });
}

function hashOf(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) {
    throw nonsense('a hash');
  }
  return value.toLowerCase();
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    throw nonsense('an object');
  }
  return value as Record<string, unknown>;
}

function nonsense(what: string): OperatorCallFailed {
  return new OperatorCallFailed(`the node answered no ${what.replace(/^an? /, '')} that makes sense`);
}

export const MAIN_CHAIN_ID = 1;
/** Method not found, invalid params, and unknown block: answers of nodes without the tag `finalized`. */
const UNKNOWN_TAG_CODES = [-32_601, -32_602, -39_001];
/** Some nodes take smaller batches: Erigon 100 by default. */
const BATCH_MAX = 500;
const BATCH_MIN = 25;
/** Full blocks are some 400 KB each. */
const FULL_BLOCKS_PER_BATCH = 8;
/** Answers to a batch that is too large; a fault of the node has another status. */
const REFUSING_STATUSES = [200, 400, 413];

export interface AddressReading extends Reading {
  address: string;
}

/** The questions of one look. Every answer is checked. @throws RpcError, OperatorCallFailed */
export class EthereumReader {
  private batchMax = BATCH_MAX;

  constructor(private readonly rpc: JsonRpc) {}

  get requests(): number {
    return this.rpc.requests;
  }

  async head() {
    const [chainId, latest, finalized] = await this.ask([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ]);
    const head = blockOf(resultOf(latest));
    const id = countOf(resultOf(chainId));
    return { chainId: id, head, finalized: finalizedOf(finalized, head.number, id) };
  }

  async chainId(): Promise<number> {
    return countOf(await this.rpc.call('eth_chainId'));
  }

  async read(readings: readonly AddressReading[]): Promise<(bigint | null)[]> {
    const outcomes = await this.ask(
      readings.map(({ kind, address, block }) => ({
        method: kind === 'balance' ? 'eth_getBalance' : 'eth_getTransactionCount',
        params: [address, hex(block)],
      })),
    );
    return outcomes.map((outcome) => ('error' in outcome ? null : weiOf(outcome.result)));
  }

  async blocks(numbers: readonly number[]): Promise<Block[]> {
    const outcomes = await this.ask(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [hex(number), false] })),
    );
    const blocks = outcomes.map((outcome) => blockOf(resultOf(outcome)));
    if (blocks.some(({ number }, index) => number !== numbers[index])) {
      throw new OperatorCallFailed('the node answered other blocks than it was asked for');
    }
    return blocks;
  }

  async transactions(numbers: readonly number[]): Promise<BlockTransaction[][]> {
    const outcomes = await this.ask(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [hex(number), true] })),
      FULL_BLOCKS_PER_BATCH,
    );
    return outcomes.map((outcome) => transactionsOf(resultOf(outcome)));
  }

  async successes(hashes: readonly string[]): Promise<boolean[]> {
    const outcomes = await this.ask(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    // Receipts before 2017 have no status.
    return outcomes.map((outcome) => objectOf(resultOf(outcome)).status === '0x1');
  }

  private async ask(calls: readonly RpcRequest[], countMax = BATCH_MAX): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < calls.length) {
      const count = Math.min(countMax, this.batchMax);
      const part = calls.slice(outcomes.length, outcomes.length + count);
      try {
        outcomes.push(...(await this.rpc.batch(part)));
      } catch (error) {
        if (!isTooMany(error, part.length)) {
          throw error;
        }
        this.batchMax = Math.ceil(part.length / 2);
      }
    }
    return outcomes;
  }
}

function isTooMany(error: unknown, count: number): boolean {
  return (
    error instanceof OperatorCallFailed &&
    error.status !== null &&
    REFUSING_STATUSES.includes(error.status) &&
    count > BATCH_MIN
  );
}

function finalizedOf(outcome: RpcOutcome | undefined, head: number, chainId: number): number | null {
  const block = chainId !== MAIN_CHAIN_ID && isUnknownTag(outcome) ? null : resultOf(outcome);
  if (block === null && chainId === MAIN_CHAIN_ID) {
    throw new OperatorCallFailed('the node does not tell the final block, which the main chain always has');
  }
  if (block === null) {
    return null;
  }
  const { number } = blockOf(block);
  if (number > head) {
    throw new OperatorCallFailed('the node answered a final block that is newer than the newest');
  }
  return number;
}

/** Any other refusal, as for too many calls, must not fall back to counting confirmations. */
function isUnknownTag(outcome: RpcOutcome | undefined): boolean {
  if (outcome === undefined || !('error' in outcome)) {
    return false;
  }
  const { code, text } = outcome.error;
  return (
    UNKNOWN_TAG_CODES.includes(code) || /^(invalid (params|argument)|finalized block not found)/i.test(text)
  );
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome === undefined) {
    throw new OperatorCallFailed('the node has left out an answer');
  }
  if ('error' in outcome) {
    throw outcome.error;
  }
  return outcome.result;
}

function hex(block: number): string {
  return `0x${block.toString(16)}`;
}

const BLOCKS_MAX = 16;
const CANDIDATES_MAX = 200;

export interface UnidentifiedTransfer {
  id: string;
  block: number;
  amountBase: bigint;
}

export interface SoughtTransfer extends UnidentifiedTransfer {
  address: string;
}

interface Candidate extends BlockTransaction {
  sought: SoughtTransfer;
}

/** Searches the blocks they came in; none for a contract's. It credits nothing, so its failure fails nothing. */
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
      const hash = largestTo(transfer, paying);
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

function largestTo(sought: SoughtTransfer, candidates: readonly Candidate[]): string | null {
  const [largest] = candidates
    .filter((candidate) => candidate.sought === sought)
    .sort((one, other) => (one.value < other.value ? 1 : -1));
  return largest?.hash ?? null;
}
