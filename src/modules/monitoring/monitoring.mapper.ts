import type {
  Costs,
  DailyUsage,
  AccessKeyUsage,
  OperationUsage,
  Usage,
  UsageSummary,
} from '../../../generated/types';
import type { UsageGroup, UsageTotals } from '../../core/money/usage/usage-log.repository';
import { nanoToUsd } from '../../core/money/pricing/usd';
import type { CostReport, KeyUsageReport, UsageReport, UsageSummaryReport } from './monitoring.service';

export function toUsage({ today, period, usage }: UsageReport): Usage {
  return {
    requests_today: today.requests,
    cost_today: nanoToUsd(today.costNanoUsd),
    tokens_today: today.tokens,
    period: {
      start_date: period.start.toISOString(),
      end_date: period.end.toISOString(),
      successful: usage.totals.successful,
      failed: usage.totals.requests - usage.totals.successful,
      ...toTotals(usage.totals),
    },
    by_operation: usage.by.operation.map(toOperationUsage),
    daily: usage.by.day.map(toDailyUsage),
  };
}

export function toUsageSummary(report: UsageSummaryReport): UsageSummary {
  return {
    today: toTotals(report.today),
    this_month: toTotals(report.month),
    all_time: toTotals(report.allTime),
    balance: nanoToUsd(report.balanceNanoUsd),
  };
}

/** Free calls have no price, so they count under their operation and key but are left out of `by_price`. */
export function toCosts({ costs, keyNames }: CostReport): Costs {
  return {
    total: nanoToUsd(costs.totals.costNanoUsd),
    by_operation: costs.by.operation.map(toOperationUsage),
    by_key: costs.by.key.map(({ name: keyId, requests, costNanoUsd }) => ({
      key_id: keyId,
      name: keyId === null ? null : (keyNames.get(keyId) ?? null),
      requests,
      cost: nanoToUsd(costNanoUsd),
    })),
    by_price: costs.by.price.flatMap(({ name: price, requests, costNanoUsd }) =>
      price === null ? [] : [{ price, requests, cost: nanoToUsd(costNanoUsd) }],
    ),
  };
}

export function toKeyUsage({ key, usage }: KeyUsageReport): AccessKeyUsage {
  return {
    key_id: key.id,
    name: key.name,
    ...toTotals(usage.totals),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    by_operation: usage.by.operation.map(toOperationUsage),
    daily: usage.by.day.map(toDailyUsage),
  };
}

function toTotals({ requests, tokens, costNanoUsd }: UsageTotals) {
  return { requests, tokens, cost: nanoToUsd(costNanoUsd) };
}

function toOperationUsage(group: UsageGroup): OperationUsage {
  return { operation: nameOf(group), ...toTotals(group) };
}

function toDailyUsage(group: UsageGroup): DailyUsage {
  return { date: `${nameOf(group)}T00:00:00.000Z`, ...toTotals(group) };
}

/** Every call has an operation and a day. */
function nameOf({ name }: UsageGroup): string {
  if (name === null) {
    throw new Error('a call has no operation or no day');
  }
  return name;
}
