import { formatUsd, nanoToUsd } from './pricing/usd';
import { ApiError } from '../errors/api-error';

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
