import { type RpcError, type RpcOutcome } from '../../operator-http/json-rpc';
import { OperatorCallFailed } from '../../operator-http/operator-http';
import { ChainUnavailable } from '../chain-errors';
import { type SignatureStatus, signatureStatuses } from './node-answers';
import { type Whereabouts } from './sightings';
import { AnswerTooLong, type SolanaSession } from './solana-rpc';
import { readTransaction, receivedBy } from './solana-transaction';
import { type TransactionFor, type TransactionMemory } from './transaction-memory';

/** What getSignatureStatuses takes. */
const STATUSES_MAX = 256;

/** So many are read at once: what was read stays read where the next ones take too long. */
const READ_AT_ONCE = 25;
const READING_MS_MAX = 5_000;

const FINAL: SignatureStatus['commitment'] = 'finalized';

/** What a node answers for a transaction of a later version than it was asked for. */
const UNSUPPORTED_VERSION = -32_015;

/** The transactions that one look asks about: how far they are, and what those that are new have moved. */
export class TransactionsOfLook {
  private readonly statuses = new Map<string, SignatureStatus | null>();
  private readonly unreadable = new Set<string>();
  /** Those that the node did not deliver, or not in time. */
  private readonly undelivered = new Set<string>();
  /** Why the last of those that could not be read could not. */
  fault: Error | null = null;

  constructor(
    private readonly session: SolanaSession,
    private readonly memory: TransactionMemory,
  ) {}

  /** @throws ChainUnavailable and OperatorCallFailed where the node says nothing about them */
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

  /** @returns null where the look could not find out */
  whereIs(which: TransactionFor): Whereabouts | null {
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

  /** Whether the look ended before this one was read. */
  isUndelivered({ signature }: TransactionFor): boolean {
    return this.undelivered.has(signature);
  }

  private async askStatuses(transactions: readonly TransactionFor[]): Promise<void> {
    const signatures = [...new Set(transactions.map(({ signature }) => signature))];
    const chunks = Array.from({ length: Math.ceil(signatures.length / STATUSES_MAX) }, (_, index) =>
      signatures.slice(index * STATUSES_MAX, (index + 1) * STATUSES_MAX),
    );
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
    // One transaction can pay several payments.
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

  /** Those that the node has failed at come last, and by themselves, so that one of them keeps out no other for long. */
  private inTurn(signatures: readonly string[]): string[][] {
    const wanted = new Set(signatures);
    const late = this.memory.late.filter((signature) => wanted.has(signature));
    const others = signatures.filter((signature) => !late.includes(signature));
    const groups = Array.from({ length: Math.ceil(others.length / READ_AT_ONCE) }, (_, index) =>
      others.slice(index * READ_AT_ONCE, (index + 1) * READ_AT_ONCE),
    );
    return [...groups, ...late.map((signature) => [signature])];
  }

  /** @returns null where the node fails: what is known without these transactions is still worth telling */
  private async delivered(signatures: readonly string[]): Promise<RpcOutcome[] | null> {
    const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    try {
      return await this.session.many(
        signatures.map((signature) => ({ method: 'getTransaction', params: [signature, options] })),
      );
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
      if (outcome && 'error' in outcome && isUnreadable(outcome.error)) {
        this.unreadable.add(which.signature);
        continue;
      }
      try {
        const transaction = readTransaction(resultOf(outcome), which.signature, which.address);
        this.memory.keep(which, { transaction: receivedBy(which.reference, transaction), isFinal: false });
      } catch (error) {
        // One transaction that makes no sense must not hide all others: anybody can send one.
        if (!(error instanceof ChainUnavailable)) {
          throw error;
        }
        this.fault = error;
      }
    }
  }
}

function isUnreadable(error: RpcError): boolean {
  return error instanceof AnswerTooLong || error.code === UNSUPPORTED_VERSION;
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome === undefined || 'error' in outcome) {
    throw new ChainUnavailable('the node refuses a call', outcome?.error);
  }
  return outcome.result;
}
