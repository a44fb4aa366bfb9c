import type {
  AccessKey as AccessKeyView,
  AccessKeySecret,
  SpendingLimits as SpendingLimitsView,
  SpendingLimitsRequest,
} from '../../../generated/types';
import type { AccessKey } from '../../core/access/access-keys/access-key.entity';
import type { KeyWithSecret } from '../../core/access/access-keys/access-keys.repository';
import type { LimitChange, SpendingLimits } from '../../core/access/access-keys/spending-limits.repository';
import { exactUsdToNano, nanoToUsd } from '../../core/money/pricing/usd';

export function toAccessKey(key: AccessKey): AccessKeyView {
  return {
    id: key.id,
    name: key.name,
    key_value_preview: key.preview,
    is_active: key.isActive,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}

export function toAccessKeySecret({ key, secret }: KeyWithSecret): AccessKeySecret {
  return {
    id: key.id,
    name: key.name,
    key_value: secret,
    is_active: key.isActive,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}

/** @throws Unprocessable for a limit that is finer than the ledger counts */
export function toLimitChange(body: SpendingLimitsRequest): LimitChange {
  return {
    dailyLimitNano: toNano(body, 'daily_limit'),
    monthlyLimitNano: toNano(body, 'monthly_limit'),
    perRequestLimitNano: toNano(body, 'per_request_limit'),
    timezone: body.timezone,
  };
}

export function toSpendingLimits(limits: SpendingLimits): SpendingLimitsView {
  return {
    daily_limit: toUsd(limits.dailyLimitNano),
    monthly_limit: toUsd(limits.monthlyLimitNano),
    per_request_limit: toUsd(limits.perRequestLimitNano),
    timezone: limits.timezone,
    daily_spent: nanoToUsd(limits.daySpentNano),
    monthly_spent: nanoToUsd(limits.monthSpentNano),
    daily_remaining: remaining(limits.dailyLimitNano, limits.daySpentNano),
    monthly_remaining: remaining(limits.monthlyLimitNano, limits.monthSpentNano),
    daily_resets_at: limits.dayResetsAt.toISOString(),
    monthly_resets_at: limits.monthResetsAt.toISOString(),
  };
}

function toNano(
  body: SpendingLimitsRequest,
  field: 'daily_limit' | 'monthly_limit' | 'per_request_limit',
): bigint | null | undefined {
  const usd = body[field];
  return typeof usd === 'number' ? exactUsdToNano(usd, field) : usd;
}

function toUsd(nanoUsd: bigint | null): number | null {
  return nanoUsd === null ? null : nanoToUsd(nanoUsd);
}

/** A limit that was lowered below what is spent has nothing left, not less than nothing. */
function remaining(limitNanoUsd: bigint | null, spentNanoUsd: bigint): number | null {
  if (limitNanoUsd === null) {
    return null;
  }
  return limitNanoUsd > spentNanoUsd ? nanoToUsd(limitNanoUsd - spentNanoUsd) : 0;
}
