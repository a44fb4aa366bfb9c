import type { EntityManager } from 'typeorm';
import { ApiError } from '../errors/api-errors';
import { given } from '../runtime/json';
import { formatUsd, nanoToUsd } from './money';

export interface ReserveOrder {
  /** A UUIDv7; the settlement has the same id. */
  callId: string;
  accountId: string;
  /** Null for a call by account token, which has no spending limits. */
  keyId: string | null;
  amountNanoUsd: bigint;
  now: Date;
  leaseUntil: Date;
  operation: string;
  requestId: string;
  clientRequestId?: string | null;
  price: string;
  priceVersion: string;
  /** SHA-256 of the caller's secret, so that a rotated one is refused. */
  secretHash?: Buffer | null;
  /** Whether the caller asks again where a limit refuses, so that this refusal is no event yet. */
  isAskedAgain?: boolean;
}

/** `roomNanoUsd` is the most that a call could reserve within balance and limits; it may be negative. */
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
  /** Below 0 counts as 0. What exceeds the reservation is charged as far as balance and limits have room. */
  chargeNanoUsd: bigint;
  status: number | null;
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  model?: string;
  now: Date;
  /** The JSON text for a retry with the same Idempotency-Key. Null stores none and frees the key. */
  answer: string | null;
  /** Needed only for settled calls: the claims of others are looked for anyway. */
  holdsClaim?: boolean;
}

export interface Settlement {
  /** `gone`: the sweeper or a retry ended the call. It cost nothing and must not be answered with success. */
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

/** `reservedNanoUsd` is held by calls in flight; unused leases are not in it. */
export interface Balance {
  balanceNanoUsd: bigint;
  reservedNanoUsd: bigint;
}

/**
 * The money of all accounts: immutable entries, and reservations that never exceed a balance or limit. A settlement or
 * credit is durable when its promise resolves. Only the reserving process can settle; when it dies, its calls end
 * without a charge.
 */
export abstract class Ledger {
  /** Returns no promise where leases suffice. @throws NothingReserved when the ledger is overloaded or down */
  abstract reserve(order: ReserveOrder): ReserveVerdict | Promise<ReserveVerdict>;

  /**
   * Charges, frees the rest of the reservation and writes the receipt. Of several ends the first counts; the
   * same end again gets the same answer. A release always happens, sooner or later.
   * @throws NothingCharged if the database was unreachable; after any other error the outcome is unknown
   */
  abstract settle(order: SettleOrder): Promise<Settlement>;

  /** Once for each reference. Returns the entry's id, whoever wrote it; null for an unknown account. */
  abstract credit(order: CreditOrder): Promise<string | null>;

  /** Within the caller's transaction, which must take its other locks first. */
  abstract creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null>;

  /** Ends expired calls and those of dead processes, without a charge. @returns how many */
  abstract sweep(now: Date): Promise<number>;

  /** Ends silent processes that hold a lease of the account; others end an ended key's calls themselves. */
  abstract endSilent(accountId: string): Promise<void>;

  /** Makes this process's calls in flight visible in the database; null for all accounts. */
  abstract show(accountId: string | null): Promise<void>;

  /** @throws NotFound for an unknown account */
  abstract balance(accountId: string): Promise<Balance>;
}

interface Refusal {
  requiredNanoUsd: bigint;
  availableNanoUsd: bigint;
  affordableMaxTokens: number | null;
  /** Null where the call has no max_input_tokens or even 1 costs too much. */
  affordableMaxInputTokens: number | null;
}

/** 402: the call may cost more than the balance less what calls in flight have reserved. */
export class InsufficientCredits extends ApiError {
  /** @param refusal `isLeast`: nothing was counted; `sandboxCurrencies`: a payment in these arrives once confirmed */
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

/** 402: the call's highest cost would exceed a spending limit of its access key. */
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

/** Callers without max_input_tokens do not expect files to reserve for their possible maximum. */
function cureOf({ affordableMaxInputTokens: tokens }: Refusal): string {
  return tokens === null ? '' : ` With max_input_tokens of at most ${tokens} it fits.`;
}
