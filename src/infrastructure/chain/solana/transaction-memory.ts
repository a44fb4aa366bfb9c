import { type ReceivedTransaction } from './solana-transaction';

/** Together; a transaction counts as one more than the transfers that it has brought, of which there are up to 256. */
const KEPT_MAX = 150_000;

/** So many that a node failed at are read after all others. */
const LATE_MAX = 500;

/** A transaction, as far as it concerns a payment. */
export interface TransactionFor {
  signature: string;
  address: string;
  reference: string | null;
}

export interface KeptTransaction {
  transaction: ReceivedTransaction;
  /** Then the node is never asked about it again. */
  isFinal: boolean;
}

/** What was read already, so that a transaction is asked for once, and once more where a fork has put it into another slot. */
export class TransactionMemory {
  private readonly kept = new Map<string, KeptTransaction>();
  private size = 0;
  /** The signatures of transactions that the node has failed at; whichever it failed at last comes last. */
  late: readonly string[] = [];

  find(which: TransactionFor): KeptTransaction | undefined {
    return this.kept.get(keyOf(which));
  }

  /** Forgets the oldest where it is full. */
  keep(which: TransactionFor, kept: KeptTransaction): void {
    this.forget(keyOf(which));
    this.kept.set(keyOf(which), kept);
    this.size += sizeOf(kept);
    for (const oldest of this.kept.keys()) {
      if (this.size <= KEPT_MAX) {
        return;
      }
      this.forget(oldest);
    }
  }

  putOff(signatures: readonly string[]): void {
    const now = new Set(signatures);
    this.late = [...this.late.filter((each) => !now.has(each)), ...now].slice(-LATE_MAX);
  }

  private forget(key: string): void {
    const kept = this.kept.get(key);
    if (kept) {
      this.size -= sizeOf(kept);
      this.kept.delete(key);
    }
  }
}

function keyOf({ signature, address, reference }: TransactionFor): string {
  return `${signature} ${address} ${reference ?? ''}`;
}

function sizeOf({ transaction }: KeptTransaction): number {
  return 1 + transaction.arrivals.length;
}
