import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-errors';
import { formatUsd, nanoToUsd } from './usd';

/** What a call reserves before its work begins. */
export interface ReserveOrder {
  /** The call's id, a UUIDv7. Its settlement has the same id. */
  callId: string;
  accountId: string;
  /** Null for a call that was made with an account token, which has no spending limits. */
  keyId: string | null;
  /** The most that the call may cost. */
  amountNanoUsd: bigint;
  now: Date;
  /** From then on the sweeper may release the reservation. */
  leaseUntil: Date;
  operation: string;
  requestId: string;
  /** The id that the caller gave its call; absent where it gave none. */
  clientRequestId?: string | null;
  price: string;
  priceVersion: string;
  /** SHA-256 of the secret that the caller showed: a secret that was rotated away is refused. Absent without a key. */
  secretHash?: Buffer | null;
}

/**
 * `roomNanoUsd` is the most that a call could reserve within the balance and all limits of the key. It may be negative.
 */
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
  /**
   * What the call cost. Less than 0 is charged as 0. What goes beyond its reservation is charged as far as the balance
   * and the key's limits have room at this moment.
   */
  chargeNanoUsd: bigint;
  /** Whether the cost goes beyond the reservation: such a call is settled alone. Absent means that it does not. */
  exceedsReservation?: boolean;
  /** The answer's HTTP status; null where there was none. */
  status: number | null;
  inputTokens: number;
  outputTokens: number;
  now: Date;
  /** The JSON text that a retry with the same Idempotency-Key gets. Null keeps no answer, and frees the key. */
  answer: string | null;
  /**
   * Whether the call holds an Idempotency-Key. It only has to be said of a settled call, because the keys of all others
   * are looked for anyway; absent means that it holds none.
   */
  holdsClaim?: boolean;
}

export interface Settlement {
  /**
   * `gone`: the call was ended in another way before, such as by the sweeper, or a retry took over its Idempotency-Key.
   * It cost nothing and must not be answered with success.
   */
  verdict: 'settled' | 'gone';
  /** Less than what the call cost where that went beyond its reservation and all room. */
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
}

export interface CreditOrder {
  accountId: string;
  type: 'deposit' | 'adjustment' | 'bonus';
  amountNanoUsd: bigint;
  description: string;
  /** An account gets only one credit with the same reference. Null for a credit that may be given again. */
  referenceId: string | null;
  requestId: string | null;
  now: Date;
  /** The operation that gave the credit, which its events name; absent where none did. */
  operation?: string | null;
}

export interface Balance {
  balanceNanoUsd: bigint;
  /** Reserved by calls in flight. */
  reservedNanoUsd: bigint;
}

/**
 * The money of all accounts: entries that are never changed, and reservations that never let a call exceed a balance or
 * a spending limit. Every method but the sweep is one atomic step, and durable when its promise resolves.
 */
export abstract class Ledger {
  /**
   * Reserves the most that a call may cost, or says why it is refused.
   * @throws ServiceUnavailable when the ledger is overloaded or cannot be reached in time; any other error is
   * unexpected. The reservation may have been made all the same, unless the error is NothingReserved
   */
  abstract reserve(order: ReserveOrder): Promise<ReserveVerdict>;

  /**
   * Ends a call: charges its cost, frees the rest of its reservation and writes its receipt. Of several ends of one
   * call only the first counts; the same one again is answered as the first was.
   * @throws any error where the outcome is unknown
   */
  abstract settle(order: SettleOrder): Promise<Settlement>;

  /**
   * Adds credit once for each reference.
   * @returns the id of the credit's entry, also where an earlier call wrote it; null where the account does not exist
   */
  abstract credit(order: CreditOrder): Promise<string | null>;

  /**
   * The same in a transaction of the caller's, with which the credit commits or is undone. The caller's last other lock has
   * to be taken before it.
   * @param manager that of the transaction
   */
  abstract creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null>;

  /**
   * Ends calls whose lease is over or whose process is gone, without charging them, and returns how many. What one run
   * leaves, the next ends.
   */
  abstract sweep(now: Date): Promise<number>;

  /** @throws NotFound for an unknown account */
  abstract balance(accountId: string): Promise<Balance>;
}

interface Refusal {
  requiredNanoUsd: bigint;
  availableNanoUsd: bigint;
  /**
   * The largest max_tokens that could be paid for; null where the price does not depend on it or even 1 costs too much.
   */
  affordableMaxTokens: number | null;
  /** The largest max_input_tokens that could be paid for; null where the call has none or even 1 costs too much. */
  affordableMaxInputTokens: number | null;
}

/** 402: the most that the call may cost is more than the balance less what calls in flight have reserved. */
export class InsufficientCredits extends ApiError {
  /** @param refusal `isLeast`: what is required is what the call costs at least, because nothing of it was counted */
  constructor(refusal: Refusal & { isLeast?: boolean }) {
    super(
      402,
      'Insufficient credits',
      `This call needs ${refusal.isLeast ? 'at least' : 'up to'} ${formatUsd(refusal.requiredNanoUsd)} USD; ${formatUsd(refusal.availableNanoUsd)} USD are available.${cureOf(refusal)}`,
      { fields: refusalFields(refusal) },
    );
  }
}

/** 402: the most that the call may cost would exceed a spending limit of its access key. */
export class SpendingLimitExceeded extends ApiError {
  constructor(
    refusal: Refusal & {
      limitType: 'per_request' | 'daily' | 'monthly';
      limitNanoUsd: bigint;
      spentNanoUsd: bigint;
      resetsAt: Date | null;
    },
  ) {
    super(
      402,
      'Spending limit exceeded',
      `This call needs up to ${formatUsd(refusal.requiredNanoUsd)} USD; the key's ${refusal.limitType.replace('_', '-')} limit of ` +
        `${formatUsd(refusal.limitNanoUsd)} USD has ${formatUsd(refusal.availableNanoUsd)} USD left.${cureOf(refusal)}`,
      {
        fields: {
          ...refusalFields(refusal),
          limit_type: refusal.limitType,
          limit: nanoToUsd(refusal.limitNanoUsd),
          spent: nanoToUsd(refusal.spentNanoUsd),
          resets_at: refusal.resetsAt?.toISOString() ?? null,
        },
      },
    );
  }
}

function refusalFields(refusal: Refusal): Record<string, unknown> {
  return {
    required: nanoToUsd(refusal.requiredNanoUsd),
    available: nanoToUsd(refusal.availableNanoUsd),
    ...(refusal.affordableMaxTokens === null ? {} : { affordable_max_tokens: refusal.affordableMaxTokens }),
    ...(refusal.affordableMaxInputTokens === null
      ? {}
      : { affordable_max_input_tokens: refusal.affordableMaxInputTokens }),
  };
}

/** Files reserve for as many tokens as they may have, which a caller who named no bound does not expect. */
function cureOf({ affordableMaxInputTokens: tokens }: Refusal): string {
  return tokens === null ? '' : ` With max_input_tokens of at most ${tokens} it fits.`;
}
