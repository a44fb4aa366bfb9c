import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-errors';
import { given } from '../runtime/json';
import { formatUsd, nanoToUsd } from './money';

export interface ReserveOrder {
  /** A UUIDv7. The settlement has the same id. */
  callId: string;
  accountId: string;
  /** Null for a call that was made with an account token, which has no spending limits. */
  keyId: string | null;
  amountNanoUsd: bigint;
  now: Date;
  leaseUntil: Date;
  operation: string;
  requestId: string;
  clientRequestId?: string | null;
  price: string;
  priceVersion: string;
  /** SHA-256 of the secret that the caller showed: one that was rotated away is refused. */
  secretHash?: Buffer | null;
}

/** `roomNanoUsd` is the most that a call could reserve within balance and limits. It may be negative. */
export type ReserveVerdict =
  | { verdict: 'reserved' }
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
  /** Below 0 is charged as 0; what goes beyond the reservation, as far as balance and limits have room at this moment. */
  chargeNanoUsd: bigint;
  status: number | null;
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** The model that answered; absent where none did. */
  model?: string;
  now: Date;
  /** The JSON text for a retry with the same Idempotency-Key. Null keeps no answer, and frees the key. */
  answer: string | null;
  /** Has to be said only of a settled call: the keys of all others are looked for anyway. */
  holdsClaim?: boolean;
}

export interface Settlement {
  /**
   * `gone`: the call was ended before, by the sweeper, or by a retry that took over its Idempotency-Key. It cost nothing and
   * must not be answered with success.
   */
  verdict: 'settled' | 'gone';
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
}

export interface CreditOrder {
  accountId: string;
  type: 'deposit' | 'adjustment' | 'bonus';
  amountNanoUsd: bigint;
  description: string;
  referenceId: string | null;
  requestId: string | null;
  now: Date;
  operation?: string | null;
}

/** `reservedNanoUsd` is what calls in flight hold, not what processes were lent for the next. */
export interface Balance {
  balanceNanoUsd: bigint;
  reservedNanoUsd: bigint;
}

/**
 * The money of all accounts: entries that are never changed, and reservations that never let a call exceed a balance or a
 * spending limit. What a settlement or a credit has done is durable when its promise resolves. A reservation is this
 * process's own: only here can its call be settled, and when the process dies, so does the call, without a charge.
 */
export abstract class Ledger {
  /**
   * @returns no promise where the process has been lent enough to decide by itself
   * @throws NothingReserved when the ledger is overloaded or away
   */
  abstract reserve(order: ReserveOrder): ReserveVerdict | Promise<ReserveVerdict>;

  /**
   * Charges a call's cost, frees the rest of its reservation and writes its receipt. Of several ends of one call only the
   * first counts; the same one again is answered as the first was. What is released is so in any case, sooner or later.
   * @throws NothingCharged where the database could not be reached at all; after any other error the outcome is unknown
   */
  abstract settle(order: SettleOrder): Promise<Settlement>;

  /** Once for each reference. Gives the id of the entry, whichever call wrote it; null where the account does not exist. */
  abstract credit(order: CreditOrder): Promise<string | null>;

  /** The same in a transaction of the caller's, whose last other lock has to be taken before it. */
  abstract creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null>;

  /** Ends calls whose lease is over, and those of processes that are gone, without a charge. @returns how many */
  abstract sweep(now: Date): Promise<number>;

  /**
   * Ends the processes that hold something of an account and were not heard of in time. For calls that ended by themselves when
   * their key or account did, there is nothing left to do; this is for those of processes that do not answer.
   */
  abstract endSilent(accountId: string): Promise<void>;

  /** Lets whoever reads the database see the calls of this process that are in flight; of all accounts where it is null. */
  abstract show(accountId: string | null): Promise<void>;

  /** @throws NotFound for an unknown account */
  abstract balance(accountId: string): Promise<Balance>;
}

interface Refusal {
  requiredNanoUsd: bigint;
  availableNanoUsd: bigint;
  /** Null where the price does not depend on max_tokens or even 1 costs too much. */
  affordableMaxTokens: number | null;
  /** Null where the call has no max_input_tokens or even 1 costs too much. */
  affordableMaxInputTokens: number | null;
}

/** 402: the call may cost more than the balance less what calls in flight have reserved. */
export class InsufficientCredits extends ApiError {
  /**
   * @param refusal `isLeast`: nothing of the call was counted, so what is required is the least that it costs;
   * `sandboxCurrencies`: those in which a payment arrives as soon as it is confirmed
   */
  constructor(refusal: Refusal & { isLeast?: boolean; sandboxCurrencies: readonly string[] }) {
    const bound = refusal.isLeast ? 'at least' : 'up to';
    const available = `${formatUsd(refusal.availableNanoUsd)} USD are available.${cureOf(refusal)}`;
    super(
      402,
      'Insufficient credits',
      `This call needs ${bound} ${formatUsd(refusal.requiredNanoUsd)} USD; ${available} ${waysToCredit(refusal.sandboxCurrencies)}`,
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

function waysToCredit([currency]: readonly string[]): string {
  const atOnce =
    currency === undefined
      ? ''
      : ` In this test environment one in ${currency} needs no coins: POST /api/payments/payments/{payment_id}/confirm credits it at once.`;
  return `Credit is bought by POST /api/payments/payments, or added by the operator.${atOnce}`;
}

function refusalFields(refusal: Refusal): Record<string, unknown> {
  return {
    required: nanoToUsd(refusal.requiredNanoUsd),
    available: nanoToUsd(refusal.availableNanoUsd),
    ...given({
      affordable_max_tokens: refusal.affordableMaxTokens,
      affordable_max_input_tokens: refusal.affordableMaxInputTokens,
    }),
  };
}

/** A caller who named no bound does not expect that files reserve for as many tokens as they may have. */
function cureOf({ affordableMaxInputTokens: tokens }: Refusal): string {
  return tokens === null ? '' : ` With max_input_tokens of at most ${tokens} it fits.`;
}
