/** What a call reserves before its work begins. */
export interface ReserveOrder {
  /** The call's id, UUIDv7; the same id settles it. */
  callId: string;
  accountId: string;
  /** Null for calls made with an account token: they have no spending limits. */
  keyId: string | null;
  /** The call's worst case. */
  amountNanoUsd: bigint;
  now: Date;
  /** When the sweeper may release the reservation. */
  leaseUntil: Date;
  operation: string;
  requestId: string;
  price: string;
  priceVersion: string;
  /** SHA-256 of the secret that was shown: one that was rotated away is not charged. Absent for calls without a key. */
  secretHash?: Buffer | null;
}

/** `roomNanoUsd` is the most that the balance and every limit of the key leave; negative when a limit is passed. */
export type ReserveVerdict =
  | { verdict: 'reserved'; balanceNanoUsd: bigint }
  | { verdict: 'insufficient_credits'; availableNanoUsd: bigint; roomNanoUsd: bigint }
  | { verdict: 'key_invalid' | 'key_expired' | 'account_closed' }
  | {
      verdict: 'per_request' | 'daily' | 'monthly';
      limitNanoUsd: bigint;
      spentNanoUsd: bigint;
      resetsAt: Date | null;
      roomNanoUsd: bigint;
    };

export interface SettleOrder {
  callId: string;
  accountId: string;
  outcome: 'settled' | 'released' | 'expired';
  /** What the call really cost; held within what it reserved. */
  chargeNanoUsd: bigint;
  /** The answer's HTTP status; null where there was none. */
  status: number | null;
  inputTokens: number;
  outputTokens: number;
  now: Date;
  /** The serialised answer that a retry with the same Idempotency-Key gets; null where none is kept. */
  answer: string | null;
}

export interface Settlement {
  /** `gone`: the sweeper was first; the call cost nothing and must not be answered with success. */
  verdict: 'settled' | 'gone';
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
}

export interface CreditOrder {
  accountId: string;
  type: 'deposit' | 'adjustment' | 'bonus';
  amountNanoUsd: bigint;
  description: string;
  /** Credits with the same reference are given once per account; null for no such guard. */
  referenceId: string | null;
  requestId: string | null;
  now: Date;
}

export interface Balance {
  balanceNanoUsd: bigint;
  /** Reserved by calls in flight. */
  reservedNanoUsd: bigint;
}

/**
 * The money of all accounts: append-only entries, and reservations that never let a balance or a spending limit
 * be passed (design of reserve and settle). Every method is one atomic step and durable when its promise resolves.
 */
export abstract class Ledger {
  /** Tests balance and limits and reserves the worst case, or says what refused it. */
  abstract reserve(order: ReserveOrder): Promise<ReserveVerdict>;

  /** Ends a call: charges its cost, frees the rest and writes its receipt. Only the first of several ends counts. */
  abstract settle(order: SettleOrder): Promise<Settlement>;

  /** Adds credit and returns the entry's id; null where no such account exists. */
  abstract credit(order: CreditOrder): Promise<string | null>;

  /** Ends all calls whose lease is over without charging them, and returns how many. */
  abstract sweep(now: Date): Promise<number>;

  /** @throws NotFound for an unknown account. */
  abstract balance(accountId: string): Promise<Balance>;
}
