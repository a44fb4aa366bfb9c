import { OperatorHttp } from '../../../http/operator-http';
import {
  CALL_TIMEOUT_MS,
  type Observation,
  type TransferSighting,
  type TransferState,
  unchanged,
  type WatchedPayment,
} from '../payment-chain';
import { AnswerFields } from './bitcoin-answer';
import { blockBefore, type BlockBefore, CORE_ERRORS, CoreRpc, inBatches } from './core-rpc';
import {
  BEFORE_PAYMENT,
  BitcoinChain,
  type BitcoinSettings,
  BLOCK_TIME_ERROR_MS_MAX,
  hasNewOldCoins,
  isVoid,
  ofItsTime,
  type OwnPayment,
  REWARD_CONFIRMATIONS,
  txidOf,
} from './bitcoin-places';
import { CoreImport, coreStatus } from './core-wallet';

interface CoreTransaction {
  txid: string;
  /** Negative when a transaction in a block spends the same coins; 0 when it is in no block. */
  confirmations: number;
  blockTime: Date | null;
  isReward: boolean;
  /** Transactions that spend the same coins: of the wallet, dead or alive, and in the mempool. */
  walletConflicts: string[];
  mempoolConflicts: string[];
}

interface CoreArrival extends CoreTransaction {
  address: string;
  id: string;
  amountBase: bigint;
}

const CONFIRMATIONS_BOUND = 2 ** 31;
const OUTPUTS_MAX = 1_000_000;
/** An answer has the whole transaction, up to 800 kB in hexadecimal digits, and as much again for what it pays. */
const TRANSACTIONS_PER_BATCH = 20;
const ENTRIES_PER_BATCH = 500;
const RECEIVED = new Set(['receive', 'generate', 'immature', 'orphan']);
const REWARDS = new Set(['generate', 'immature', 'orphan']);

/** Payments by the operator from watched addresses are no arrivals, nor is their change: those coins were counted. */
async function arrivalsSince(rpc: CoreRpc, blockHash: string): Promise<CoreArrival[]> {
  // At least 1 confirmation for `lastblock`, watch-only included, undone blocks left out, change included.
  const answer = await rpc.walletForSlowCalls.call('listsinceblock', blockHash, 1, true, false, true);
  const entries = new AnswerFields(answer, 'listsinceblock').objects('transactions');
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

async function knownToWallet(rpc: CoreRpc, txids: readonly string[]): Promise<Map<string, CoreTransaction>> {
  const calls = txids.map((txid) => ({ method: 'gettransaction', params: [txid, true] }));
  const answers = await inBatches(
    rpc.walletForSlowCalls,
    calls,
    TRANSACTIONS_PER_BATCH,
    CORE_ERRORS.unknownTransaction,
  );
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

async function inMempool(rpc: CoreRpc, txids: readonly string[]): Promise<Set<string>> {
  const calls = txids.map((txid) => ({ method: 'getmempoolentry', params: [txid] }));
  const answers = await inBatches(rpc.wallet, calls, ENTRIES_PER_BATCH, CORE_ERRORS.unknownTransaction);
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

interface Seen {
  payment: OwnPayment;
  id: string;
  amountBase: bigint;
  transaction: CoreTransaction | null;
}

/** The wallet lists all it has ever seen: only the mempool shows whether something still waits for a block. */
async function judged(
  rpc: CoreRpc,
  payments: readonly OwnPayment[],
  arrivals: readonly CoreArrival[],
): Promise<Map<string, TransferSighting[]>> {
  const seen = await everSeen(rpc, payments, arrivals);
  const seenIds = new Set(seen.map(({ id }) => id));
  const sightings = new Map(
    payments.map((payment) => [
      payment.id,
      payment.transfers.filter(({ id }) => !seenIds.has(id)).map(unchanged),
    ]),
  );
  const unconfirmed = [...new Set(seen.filter(isUnconfirmed).map(({ id }) => txidOf(id)))];
  const waiting = await inMempool(rpc, unconfirmed);
  const live = new Set([
    ...waiting,
    ...arrivals.filter(({ confirmations }) => confirmations > 0).map(({ txid }) => txid),
  ]);
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
    sightings.get(payment.id)?.push(ofItsTime(sighting, payment));
  }
  return sightings;
}

async function everSeen(
  rpc: CoreRpc,
  payments: readonly OwnPayment[],
  arrivals: readonly CoreArrival[],
): Promise<Seen[]> {
  const byAddress = new Map(payments.map((payment) => [payment.address, payment]));
  const seen = new Map<string, Seen>();
  for (const arrival of arrivals) {
    const payment = byAddress.get(arrival.address);
    if (payment !== undefined) {
      seen.set(arrival.id, { payment, id: arrival.id, amountBase: arrival.amountBase, transaction: arrival });
    }
  }
  const unlisted = payments.flatMap((payment) =>
    payment.transfers
      .filter((transfer) => !seen.has(transfer.id) && !isVoid(transfer))
      .map(({ id, amountBase }) => ({ payment, id, amountBase })),
  );
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

function isUnconfirmed({ transaction }: Seen): boolean {
  return transaction === null || transaction.confirmations === 0;
}

const SLOW_CALL_TIMEOUT_FACTOR = 3;
/** A listing has no pages, and anybody's replacements of transactions make it grow. */
const LISTING_BYTES_MAX = 64 * 1024 * 1024;
/** How much older than needed the listing may begin, which spares a search for its block at every look. */
const STALE_MS = 24 * 3_600_000;

/** For the operator's bitcoind (Bitcoin Core 28 or newer, or Knots), with a wallet without private keys. */
export class BitcoinCoreChain extends BitcoinChain {
  private readonly imports: CoreImport;
  private readonly httpForSlowCalls: OperatorHttp;
  private start: BlockBefore | null = null;

  constructor(settings: BitcoinSettings) {
    super(settings);
    this.imports = new CoreImport(this.places);
    const timeoutMs = SLOW_CALL_TIMEOUT_FACTOR * (settings.timeoutMs ?? CALL_TIMEOUT_MS);
    this.httpForSlowCalls = new OperatorHttp(settings.url, { timeoutMs, answerBytesMax: LISTING_BYTES_MAX });
  }

  protected override async askNetwork(signal: AbortSignal): Promise<string> {
    const answer = await this.rpc(signal).wallet.call('getblockchaininfo');
    return this.accept(new AnswerFields(answer, 'getblockchaininfo').text('chain'));
  }

  protected override async look(
    payments: readonly WatchedPayment[],
    signal: AbortSignal,
  ): Promise<Observation> {
    const rpc = this.rpc(signal);
    const status = await coreStatus(rpc, this.places, (name) => this.accept(name));
    const own = await this.places.own(payments, status.network);
    const reviews = new Map<string, string>();
    const coverage = await this.imports.complete(rpc, status, own, reviews);
    const lookable = own.filter((payment) => coverage.has(payment));
    const transfers = await this.lookAt(rpc, lookable, status.tip.height);
    for (const payment of lookable) {
      if (hasNewOldCoins(payment, transfers.get(payment.id) ?? [])) {
        reviews.set(payment.id, BEFORE_PAYMENT);
      }
    }
    return { tip: status.tip, transfers, reviews, requests: rpc.requests };
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.httpForSlowCalls.close()]);
  }

  private async lookAt(
    rpc: CoreRpc,
    payments: readonly OwnPayment[],
    tipHeight: number,
  ): Promise<Observation['transfers']> {
    if (payments.length === 0) {
      return new Map();
    }
    const oldestMs = payments.reduce((min, { createdAt }) => Math.min(min, createdAt.getTime()), Infinity);
    const start = await this.startOf(rpc, tipHeight, oldestMs - BLOCK_TIME_ERROR_MS_MAX);
    return judged(rpc, payments, await arrivalsSince(rpc, start.hash));
  }

  /** A block that the chain has left serves as well: the node lists from where the chains part. */
  private async startOf(rpc: CoreRpc, tipHeight: number, timeMs: number): Promise<BlockBefore> {
    const keptMs = this.start?.medianTime.getTime() ?? -Infinity;
    const isFitting = keptMs < timeMs && (keptMs > timeMs - STALE_MS || this.start?.height === 0);
    if (this.start === null || !isFitting) {
      this.start = await blockBefore(rpc, tipHeight, new Date(timeMs));
    }
    return this.start;
  }

  private rpc(signal: AbortSignal): CoreRpc {
    return new CoreRpc(this.http, this.httpForSlowCalls, `payments-${this.places.key.id}`, signal);
  }
}
