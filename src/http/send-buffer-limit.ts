/** One account may hold this part of what a process may. */
const ACCOUNT_SHARE = 8;

/** What one connection of an account has unsent, as a part of all that is. */
export interface UnsentShare {
  /** @param bytes how many they are now; 0 once the connection has closed */
  count(bytes: number): void;
  /** Whether those of the account or of the process exceed their bound. */
  isFull(): boolean;
}

/**
 * The bytes of answers that have been made and not yet been sent, because their clients read slowly or not at all.
 * What sockets have not sent counts too. They stay in the memory of the process, in the end about three times over: as text, and as what the system was given.
 * No new work begins for an account, or for anybody, while those of the account or of the process exceed their bound.
 */
export class UnsentBytes {
  private readonly ofAccounts = new Map<string, number>();
  private total = 0;

  /** @param processBytesMax the bound for all answers of this process together; one account may have an eighth of it */
  constructor(private readonly processBytesMax: number) {}

  /** The bytes of all answers together. */
  get bytes(): number {
    return this.total;
  }

  /** Whether nobody's work may begin. */
  get isProcessFull(): boolean {
    return this.total > this.processBytesMax;
  }

  /** Whether the account's work may not begin. */
  isAccountFull(accountId: string): boolean {
    return (this.ofAccounts.get(accountId) ?? 0) > this.processBytesMax / ACCOUNT_SHARE;
  }

  /**
   * Counts the bytes of an answer.
   * @param accountId whose answer it is; null where nobody is known
   * @returns what ends the counting, once the bytes are sent or lost; only its first call has an effect
   */
  hold(accountId: string | null, bytes: number): () => void {
    let held = bytes;
    this.add(accountId, held);
    return () => {
      this.add(accountId, -held);
      held = 0;
    };
  }

  /** Counts what one connection of an account has unsent, which changes. */
  shareOf(accountId: string): UnsentShare {
    let counted = 0;
    return {
      count: (bytes) => {
        if (bytes !== counted) {
          this.add(accountId, bytes - counted);
          counted = bytes;
        }
      },
      isFull: () => this.isProcessFull || this.isAccountFull(accountId),
    };
  }

  private add(accountId: string | null, bytes: number): void {
    this.total += bytes;
    if (accountId !== null) {
      const sum = (this.ofAccounts.get(accountId) ?? 0) + bytes;
      if (sum === 0) {
        this.ofAccounts.delete(accountId);
      } else {
        this.ofAccounts.set(accountId, sum);
      }
    }
  }
}
