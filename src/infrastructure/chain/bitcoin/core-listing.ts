import { AnswerFields, answerObjects } from './bitcoin-answer';
import { CORE_ERRORS, type CoreRpc } from './core-rpc';

/** What the wallet knows of a transaction, whichever way it was asked. */
export interface CoreTransaction {
  txid: string;
  /** Negative when a transaction in a block spends the same coins; 0 when it is in no block. */
  confirmations: number;
  /** Null unless it is in a block. */
  blockTime: Date | null;
  /** Whether it pays a miner's reward. */
  isReward: boolean;
  /** Transactions of the wallet that spend the same coins, dead or alive. */
  walletConflicts: string[];
  /** Transactions in the node's memory that spend the same coins. */
  mempoolConflicts: string[];
}

/** One output that pays an address of the wallet. */
export interface CoreArrival extends CoreTransaction {
  address: string;
  /** `txid:vout` */
  id: string;
  amountBase: bigint;
}

const CONFIRMATIONS_BOUND = 2 ** 31;
const OUTPUTS_MAX = 1_000_000;
/**
 * An answer has the whole transaction, of which those that nodes pass on take up to 800 kB as hexadecimal digits, and as much
 * again for what it pays to watched addresses.
 */
const TRANSACTIONS_PER_BATCH = 20;
const ENTRIES_PER_BATCH = 500;
const RECEIVED = new Set(['receive', 'generate', 'immature', 'orphan']);
const REWARDS = new Set(['generate', 'immature', 'orphan']);

/**
 * All that was paid to addresses of the wallet after a block, and all that is in no block. Transactions that a block has made
 * impossible are left out by the node. What the operator pays from watched addresses is no arrival, also where it is change
 * that comes back to one: those coins have been counted.
 */
export async function arrivalsSince(rpc: CoreRpc, blockHash: string): Promise<CoreArrival[]> {
  // At least 1 confirmation for `lastblock`, watch-only included, undone blocks left out, change included.
  const answer = await rpc.callPatiently('listsinceblock', blockHash, 1, true, false, true);
  const entries = answerObjects(
    new AnswerFields(answer, 'listsinceblock').raw('transactions'),
    'listsinceblock',
  );
  const ownTxids = new Set(
    entries.filter((entry) => entry.raw('category') === 'send').map((entry) => entry.raw('txid')),
  );
  const arrivals: CoreArrival[] = [];
  for (const entry of entries) {
    const category = entry.text('category');
    const isReceived = RECEIVED.has(category) && !ownTxids.has(entry.raw('txid'));
    if (!isReceived || entry.raw('address') === undefined) {
      continue;
    }
    const transaction = transactionOf(entry, REWARDS.has(category));
    const amountBase = entry.bitcoins('amount');
    if (amountBase > 0n) {
      const id = `${transaction.txid}:${entry.integer('vout', 0, OUTPUTS_MAX)}`;
      arrivals.push({ ...transaction, address: entry.text('address'), id, amountBase });
    }
  }
  return arrivals;
}

/** What the wallet knows of these transactions; those that it does not know are left out. */
export async function knownToWallet(
  rpc: CoreRpc,
  txids: readonly string[],
): Promise<Map<string, CoreTransaction>> {
  const calls = txids.map((txid) => ({ method: 'gettransaction', params: [txid, true] }));
  const answers = await rpc.batchPatiently(calls, TRANSACTIONS_PER_BATCH, CORE_ERRORS.unknownTransaction);
  const known = new Map<string, CoreTransaction>();
  for (const [index, txid] of txids.entries()) {
    if (answers[index] !== null) {
      const fields = new AnswerFields(answers[index], 'gettransaction');
      const transaction = transactionOf(fields, fields.raw('generated') === true);
      known.set(txid, transaction.txid === txid ? transaction : fields.refuse('txid'));
    }
  }
  return known;
}

/** Those of the transactions that wait in the node's memory to be put into a block. */
export async function inMempool(rpc: CoreRpc, txids: readonly string[]): Promise<Set<string>> {
  const calls = txids.map((txid) => ({ method: 'getmempoolentry', params: [txid] }));
  const answers = await rpc.batch(calls, ENTRIES_PER_BATCH, CORE_ERRORS.unknownTransaction);
  return new Set(
    txids.filter((_, index) => {
      const answer = answers[index];
      return answer !== null && new AnswerFields(answer, 'getmempoolentry').time('time') !== null;
    }),
  );
}

function transactionOf(fields: AnswerFields, isReward: boolean): CoreTransaction {
  const confirmations = fields.integer('confirmations', -CONFIRMATIONS_BOUND, CONFIRMATIONS_BOUND);
  return {
    txid: fields.hash('txid'),
    confirmations,
    blockTime: confirmations > 0 ? fields.time('blocktime') : null,
    isReward,
    walletConflicts: fields.texts('walletconflicts'),
    mempoolConflicts: fields.texts('mempoolconflicts'),
  };
}
