/** The part of the process's bytes for one account. */
const ACCOUNT_SHARE = 8;

export interface UnsentShare {
  /** @param bytes how many they are now; 0 once the connection has closed */
  count(bytes: number): void;
  /** Whether the account or the process exceeds its bound. */
  isFull(): boolean;
}

/**
 * Answers that were made and not sent, because clients read slowly or not at all, are in memory about three times over.
 * Beyond a bound no new work begins for the account, or for anybody.
 */
export class UnsentBytes {
  private readonly ofAccounts = new Map<string, number>();
  private total = 0;

  /** @param processBytesMax for all answers of this process; one account may have an eighth of it */
  constructor(private readonly processBytesMax: number) {}

  get bytes(): number {
    return this.total;
  }

  get isProcessFull(): boolean {
    return this.total > this.processBytesMax;
  }

  isAccountFull(accountId: string): boolean {
    return (this.ofAccounts.get(accountId) ?? 0) > this.processBytesMax / ACCOUNT_SHARE;
  }

  /** @param accountId null where nobody is known. @returns ends the counting; only the first call has an effect */
  hold(accountId: string | null, bytes: number): () => void {
    let held = bytes;
    this.add(accountId, held);
    return () => {
      this.add(accountId, -held);
      held = 0;
    };
  }

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
