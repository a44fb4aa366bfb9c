import { OperatorCallFailed, type RpcOutcome, type RpcRequest } from '../../../http/operator-http';
import { chunksOf } from '../../../runtime/collections';
import {
  ChainUnavailable,
  type KnownTransfer,
  type TransferSighting,
  type WatchedPayment,
} from '../payment-chain';
import {
  AnswerTooLong,
  resultOf,
  type SignatureStatus,
  signatureStatuses,
  type SolanaSession,
} from './solana-rpc';
import {
  readTransaction,
  receivedBy,
  type ReceivedTransaction,
  type TransactionFor,
  type TransactionMemory,
} from './solana-transaction';

/** By one look, in whole transactions: a bound on what anybody can make the service store at once. */
const ADDED_MAX = 100;

/** `unreadable`: too long, or of an unknown version. `unconfirmed`: in a block that the network has not voted for. */
export type TransactionState =
  | { kind: 'read'; transaction: ReceivedTransaction; status: SignatureStatus }
  | { kind: 'unreadable' }
  | { kind: 'unconfirmed' }
  | { kind: 'gone' };

/** A transaction first seen between these times and gone cannot come back. */
export interface FinallyGone {
  /** The node may have dropped older ones from its history. */
  after: Date;
  before: Date;
}

/**
 * Of very many new transfers the largest; the next looks add the others.
 * @param found by signature; a known transfer whose transaction is missing is settled and stays
 */
export function sightingsOf(
  payment: WatchedPayment,
  found: ReadonlyMap<string, TransactionState>,
  blockTimes: ReadonlyMap<string, Date | null>,
  goneForGood: FinallyGone,
): TransferSighting[] {
  const stored = new Map(payment.transfers.map((transfer) => [transfer.id, transfer]));
  const arrived = [...found].map(([signature, where]) =>
    where.kind === 'read' ? arrivedIn(where, blockTimes.get(signature) ?? null, stored) : [],
  );
  const arrivedIds = new Set(arrived.flat().map(({ id }) => id));
  const others = payment.transfers
    .filter(({ id }) => !arrivedIds.has(id))
    .map((transfer) => withoutArrival(transfer, found.get(signatureOf(transfer)), goneForGood));
  return [...others, ...added(arrived, stored)];
}

export function unreadableIn(found: ReadonlyMap<string, TransactionState>): string | null {
  const unreadable = [...found].find(([, { kind }]) => kind === 'unreadable');
  return unreadable ? `The transaction ${unreadable[0]} can't be read here.` : null;
}

/** On another fork a transfer may have another amount. */
export function changedAmount(
  payment: WatchedPayment,
  transfers: readonly TransferSighting[],
): string | null {
  const stored = new Map(payment.transfers.map(({ id, amountBase }) => [id, amountBase]));
  const changed = transfers.find(({ id, amountBase }) => (stored.get(id) ?? amountBase) !== amountBase);
  return changed ? `The transfer ${changed.id} has another amount than when it was first seen.` : null;
}

export function signatureOf({ id, txHash }: TransferSighting): string {
  return txHash ?? id.split(':')[0] ?? id;
}

/** A transaction's transfers stay together: once one is stored as final, it is not read again. */
function added(
  arrived: readonly TransferSighting[][],
  stored: ReadonlyMap<string, KnownTransfer>,
): TransferSighting[] {
  const newOf = (transfers: readonly TransferSighting[]): TransferSighting[] =>
    transfers.filter(({ id }) => !stored.has(id));
  const known = arrived.filter((transfers) => newOf(transfers).length < transfers.length);
  const fresh = arrived.filter((transfers) => transfers.length > 0 && !known.includes(transfers));
  if (fresh.flat().length <= ADDED_MAX) {
    return arrived.flat();
  }
  // Dust is cheap, so it must not come before real payments.
  const largest = [...fresh].sort((one, other) => (worthOf(one) < worthOf(other) ? 1 : -1));
  let count = 0;
  const taken = largest.filter((transfers, index) => {
    count += transfers.length;
    return index === 0 || count <= ADDED_MAX;
  });
  return [...known.flat(), ...taken.flat()];
}

/** A failed transaction can name any amount. */
function worthOf(transfers: readonly TransferSighting[]): bigint {
  return transfers
    .filter(({ state }) => state === 'included')
    .reduce((sum, { amountBase }) => sum + amountBase, 0n);
}

function arrivedIn(
  { transaction, status }: TransactionState & { kind: 'read' },
  listedTime: Date | null,
  stored: ReadonlyMap<string, KnownTransfer>,
): TransferSighting[] {
  const isFinal = status.commitment === 'finalized';
  return transaction.arrivals.map(({ id, lamports }) => {
    const arrival = { id, txHash: transaction.signature, amountBase: lamports, isFinal };
    const blockTime = listedTime ?? stored.get(id)?.blockTime ?? transaction.blockTime;
    return transaction.isFailed
      ? { ...arrival, state: 'failed', confirmations: 0, blockTime: null }
      : { ...arrival, state: 'included', confirmations: status.confirmations, blockTime };
  });
}

function withoutArrival(
  { firstSeenAt, ...transfer }: KnownTransfer,
  where: TransactionState | undefined,
  goneForGood: FinallyGone,
): TransferSighting {
  const nowhere = { ...transfer, confirmations: 0, isFinal: false, blockTime: null };
  switch (where?.kind) {
    case undefined:
    case 'unreadable':
      return transfer;
    case 'read':
      // On another fork the same transaction has done something else.
      return { ...nowhere, state: 'failed', isFinal: where.status.commitment === 'finalized' };
    case 'unconfirmed':
      return { ...nowhere, state: 'pending' };
    case 'gone': {
      const isForGood = firstSeenAt > goneForGood.after && firstSeenAt < goneForGood.before;
      return { ...nowhere, state: isForGood ? 'replaced' : 'missing' };
    }
  }
}

const STATUSES_MAX = 256;

const READ_AT_ONCE = 25;
const READING_MS_MAX = 5_000;

const FINAL: SignatureStatus['commitment'] = 'finalized';

/** Every node takes this version as the latest to answer with, and some take no other. */
const TAKEN_VERSION = 0;

/** The format's maximum, so that no transaction is of a later version. */
const LATEST_VERSION = 255;

const UNSUPPORTED_VERSION = -32_015;
const INVALID_PARAMS = -32_602;

export class TransactionsOfLook {
  private readonly statuses = new Map<string, SignatureStatus | null>();
  private readonly unreadable = new Set<string>();
  private readonly undelivered = new Set<string>();
  fault: Error | null = null;

  constructor(
    private readonly session: SolanaSession,
    private readonly memory: TransactionMemory,
  ) {}

  async ask(all: readonly TransactionFor[]): Promise<void> {
    await this.askStatuses(all.filter((which) => this.memory.find(which)?.isFinal !== true));
    await this.read(all.filter((which) => this.isUnread(which)));
    for (const which of all) {
      const [kept, status] = [this.memory.find(which), this.statuses.get(which.signature)];
      if (kept && status?.commitment === FINAL && status.slot === kept.transaction.slot) {
        this.memory.keep(which, { ...kept, isFinal: true });
      }
    }
  }

  whereIs(which: TransactionFor): TransactionState | null {
    const { signature } = which;
    const kept = this.memory.find(which);
    const status = kept?.isFinal
      ? { slot: kept.transaction.slot, commitment: FINAL, confirmations: 32 }
      : this.statuses.get(signature);
    if (status === null) {
      return { kind: 'gone' };
    }
    if (status?.commitment === 'processed') {
      return { kind: 'unconfirmed' };
    }
    if (this.unreadable.has(signature)) {
      return { kind: 'unreadable' };
    }
    const isRead = status !== undefined && kept?.transaction.slot === status.slot;
    return isRead ? { kind: 'read', transaction: kept.transaction, status } : null;
  }

  isUndelivered({ signature }: TransactionFor): boolean {
    return this.undelivered.has(signature);
  }

  private async askStatuses(transactions: readonly TransactionFor[]): Promise<void> {
    const signatures = [...new Set(transactions.map(({ signature }) => signature))];
    const chunks = chunksOf(signatures, STATUSES_MAX);
    const outcomes = await this.session.many(
      chunks.map((chunk) => ({
        method: 'getSignatureStatuses',
        params: [chunk, { searchTransactionHistory: true }],
      })),
    );
    for (const [index, chunk] of chunks.entries()) {
      const statuses = signatureStatuses(resultOf(outcomes[index]), chunk.length);
      chunk.forEach((signature, at) => this.statuses.set(signature, statuses[at] ?? null));
    }
  }

  private isUnread(which: TransactionFor): boolean {
    const kept = this.memory.find(which);
    const status = this.statuses.get(which.signature);
    return (
      status !== undefined &&
      status !== null &&
      status.commitment !== 'processed' &&
      kept?.isFinal !== true &&
      kept?.transaction.slot !== status.slot
    );
  }

  private async read(transactions: readonly TransactionFor[]): Promise<void> {
    const receivers = new Map<string, TransactionFor[]>();
    for (const which of transactions) {
      receivers.set(which.signature, [...(receivers.get(which.signature) ?? []), which]);
    }
    const signatures = [...receivers.keys()];
    const deadline = performance.now() + READING_MS_MAX;
    signatures.forEach((signature) => this.undelivered.add(signature));
    for (const some of this.inTurn(signatures)) {
      const outcomes = performance.now() > deadline ? null : await this.delivered(some);
      if (outcomes === null) {
        return;
      }
      for (const [index, signature] of some.entries()) {
        this.undelivered.delete(signature);
        this.take(outcomes[index], receivers.get(signature) ?? []);
      }
    }
  }

  /** Previously failed ones come last and one by one, so that none keeps out others for long. */
  private inTurn(signatures: readonly string[]): string[][] {
    const wanted = new Set(signatures);
    const late = this.memory.late.filter((signature) => wanted.has(signature));
    const others = signatures.filter((signature) => !late.includes(signature));
    return [...chunksOf(others, READ_AT_ONCE), ...late.map((signature) => [signature])];
  }

  private async delivered(signatures: readonly string[]): Promise<RpcOutcome[] | null> {
    try {
      const outcomes = await this.session.many(asking(signatures, TAKEN_VERSION));
      const later = signatures.filter((_, index) => hasFailed(outcomes[index], UNSUPPORTED_VERSION));
      const answers = await this.session.many(asking(later, LATEST_VERSION));
      return outcomes.map((outcome, index) => {
        const answer = answers[later.indexOf(signatures[index] ?? '')];
        // A node that refuses the number keeps its first answer, which calls for a person.
        return answer === undefined || hasFailed(answer, INVALID_PARAMS) ? outcome : answer;
      });
    } catch (error) {
      if (!(error instanceof OperatorCallFailed)) {
        throw error;
      }
      this.memory.putOff(signatures);
      this.fault = error;
      return null;
    }
  }

  private take(outcome: RpcOutcome | undefined, receivers: readonly TransactionFor[]): void {
    for (const which of receivers) {
      const isTooLong = outcome && 'error' in outcome && outcome.error instanceof AnswerTooLong;
      if (isTooLong || hasFailed(outcome, UNSUPPORTED_VERSION)) {
        this.unreadable.add(which.signature);
        continue;
      }
      try {
        const transaction = readTransaction(resultOf(outcome), which.signature, which.address);
        this.memory.keep(which, { transaction: receivedBy(which.reference, transaction), isFinal: false });
      } catch (error) {
        // One malformed transaction must not hide all others: anybody can send one.
        if (!(error instanceof ChainUnavailable)) {
          throw error;
        }
        if (isOfLaterVersion(outcome)) {
          this.unreadable.add(which.signature);
        } else {
          this.fault = error;
        }
      }
    }
  }
}

function asking(signatures: readonly string[], maxSupportedTransactionVersion: number): RpcRequest[] {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion };
  return signatures.map((signature) => ({ method: 'getTransaction', params: [signature, options] }));
}

function hasFailed(outcome: RpcOutcome | undefined, code: number): boolean {
  return outcome !== undefined && 'error' in outcome && outcome.error.code === code;
}

function isOfLaterVersion(outcome: RpcOutcome | undefined): boolean {
  const answer = (outcome && 'result' in outcome ? outcome.result : null) as { version?: unknown } | null;
  return Number(answer?.version) > TAKEN_VERSION;
}
