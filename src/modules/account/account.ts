import { Injectable, Module } from '@nestjs/common';
import { accountApi, type AccountApi, type Call } from '../../../generated/contract';
import type { AccountLimits, Overview, RunsOut } from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { Accounts } from '../../accounts/accounts';
import { RATE_MULTIPLIERS, type RateClass, type RateTier, TierRates } from '../../accounts/rate-limiter';
import { type KeySpendingLimits, SpendingLimitsRepository } from '../../accounts/spending-limits';
import { Serves } from '../../contract/operation';
import { Ledger } from '../../ledger/ledger';
import { nanoToUsd } from '../../ledger/money';
import { modelRecord, operationRecord, totalsRecord } from '../../ledger/period-sums';
import { UsageLog } from '../../ledger/usage-log';
import { usagePoint, UsageOverTime } from '../../ledger/usage-series';
import { Clock, DAY_MS } from '../../runtime/clock';

const CATEGORIES = Object.keys(RATE_MULTIPLIERS) as RateClass[];

type LimitsInForce = Record<'rates' | 'console', RateTier> & { tier: string };

export function toAccountLimits({ tier, rates, console }: LimitsInForce): AccountLimits {
  return {
    tier: tier as AccountLimits['tier'],
    ...toNumbers(rates, 1),
    categories: CATEGORIES.map((category) => {
      const multiplier = RATE_MULTIPLIERS[category];
      return { category, multiplier, ...toNumbers(rates, multiplier) };
    }),
    console: toNumbers(console, 1),
  };
}

function toNumbers(rates: RateTier, multiplier: number | null) {
  return {
    requests_per_second: scaled(rates.requests_per_second, multiplier),
    requests_per_minute: scaled(rates.requests_per_minute, multiplier),
    requests_per_hour: scaled(rates.requests_per_hour, multiplier),
    requests_per_day: scaled(rates.requests_per_day, multiplier),
  };
}

/** Rounds to twelve digits, because 3 × 0.1 is 0.30000000000000004 in binary. */
function scaled(rate: number | null, multiplier: number | null): number | null {
  return rate === null || multiplier === null ? null : Number((rate * multiplier).toPrecision(12));
}

const LATELY_DAYS = 7n;
const LIMITED_KEYS_MAX = 20;
const FORETOLD_DAYS_MAX = 36_500n;

interface LimitedKey {
  id: string;
  name: string;
  limits: KeySpendingLimits;
}

@Injectable()
export class AccountOverview {
  constructor(
    private readonly ledger: Ledger,
    private readonly usage: UsageOverTime,
    private readonly usageLog: UsageLog,
    private readonly keys: AccessKeys,
    private readonly limits: SpendingLimitsRepository,
    private readonly clock: Clock,
  ) {}

  async of(accountId: string, timezone: string, days: number): Promise<Overview> {
    const now = this.clock.now();
    const usage = await this.usage.ofAccount(accountId, timezone, days, now);
    const { parts, lately } = usage;
    const balance = await this.ledger.balance(accountId);
    const availableNano = balance.balanceNanoUsd - balance.reservedNanoUsd;
    const limited = await this.limitedKeys(accountId);
    return {
      balance: nanoToUsd(balance.balanceNanoUsd),
      reserved: nanoToUsd(balance.reservedNanoUsd),
      available: nanoToUsd(availableNano),
      timezone,
      start_date: usage.period.start.toISOString(),
      end_date: usage.period.end.toISOString(),
      today: totalsRecord(usage.today),
      this_month: totalsRecord(usage.month),
      period: totalsRecord(parts.totals),
      by_day: usage.days.map(usagePoint),
      by_key: await this.usageLog.keyRecords(accountId, parts.by.key),
      by_operation: parts.by.operation.map(operationRecord),
      by_model: parts.by.model.map(modelRecord),
      runs_out: [
        ofBalance(availableNano, lately.totals.costNanoUsd, now),
        ...limited.flatMap((key) => {
          const spent = lately.by.key.find(({ name }) => name === key.id)?.costNanoUsd ?? 0n;
          return ofKey(key, spent, now);
        }),
      ].sort(firstToRunOut),
    };
  }

  private async limitedKeys(accountId: string): Promise<LimitedKey[]> {
    const keys = await this.keys.withLeastLeft(accountId, LIMITED_KEYS_MAX);
    const ids = keys.map(({ id }) => id);
    const limits = await this.limits.of(accountId, ids);
    return keys.flatMap(({ id, name }) => {
      const ofKey = limits.get(id);
      return ofKey ? [{ id, name, limits: ofKey }] : [];
    });
  }
}

function ofBalance(availableNano: bigint, weekNano: bigint, now: Date): RunsOut {
  return {
    kind: 'balance',
    key_id: null,
    key_name: null,
    limit: null,
    remaining: nanoToUsd(availableNano),
    resets_at: null,
    daily_spend: nanoToUsd(weekNano / LATELY_DAYS),
    runs_out_at: emptyAt(availableNano, weekNano, now)?.toISOString() ?? null,
  };
}

function ofKey({ id, name, limits }: LimitedKey, weekNano: bigint, now: Date): RunsOut[] {
  const bounds = [
    ['daily_limit', limits.dailyLimitNano, limits.daySpentNano, limits.dayResetsAt],
    ['monthly_limit', limits.monthlyLimitNano, limits.monthSpentNano, limits.monthResetsAt],
  ] as const;
  return bounds.flatMap(([kind, limitNano, spentNano, resetsAt]) => {
    if (limitNano === null) {
      return [];
    }
    const leftNano = limitNano > spentNano ? limitNano - spentNano : 0n;
    const end = emptyAt(leftNano, weekNano, now);
    return [
      {
        kind,
        key_id: id,
        key_name: name,
        limit: nanoToUsd(limitNano),
        remaining: nanoToUsd(leftNano),
        resets_at: resetsAt.toISOString(),
        daily_spend: nanoToUsd(weekNano / LATELY_DAYS),
        runs_out_at: end !== null && end < resetsAt ? end.toISOString() : null,
      },
    ];
  });
}

function emptyAt(leftNano: bigint, weekNano: bigint, now: Date): Date | null {
  if (leftNano <= 0n) {
    return now;
  }
  if (weekNano <= 0n || (leftNano * LATELY_DAYS) / weekNano > FORETOLD_DAYS_MAX) {
    return null;
  }
  const leftMs = (leftNano * LATELY_DAYS * BigInt(DAY_MS)) / weekNano;
  return new Date(now.getTime() + Number(leftMs));
}

function firstToRunOut(a: RunsOut, b: RunsOut): number {
  const [ofA, ofB] = [a.runs_out_at, b.runs_out_at].map((text) =>
    text === null ? Infinity : Date.parse(text),
  );
  return ofA === ofB ? a.remaining - b.remaining : (ofA ?? 0) - (ofB ?? 0);
}

@Serves(accountApi)
class AccountController implements AccountApi {
  constructor(
    private readonly accounts: Accounts,
    private readonly rates: TierRates,
    private readonly overview: AccountOverview,
  ) {}

  async getOverview({ account, query }: Call<'getOverview'>): Promise<Overview> {
    return this.overview.of(account.id, query.timezone, query.days);
  }

  async getAccountLimits({ account }: Call<'getAccountLimits'>): Promise<AccountLimits> {
    const { tier, rateLimits } = await this.accounts.get(account.id);
    const [rates, console] = [this.rates.tier(tier, rateLimits), this.rates.console(tier, rateLimits)];
    return toAccountLimits({ tier, rates, console });
  }
}

@Module({ controllers: [AccountController], providers: [AccountOverview] })
export class AccountModule {}
