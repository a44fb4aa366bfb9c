import { Module } from '@nestjs/common';
import { type Call, reportsApi, type ReportsApi } from '../../../generated/contract';
import type {
  AllRequestList,
  OperatorOverview,
  Money as MoneyView,
  Revenue as RevenueView,
  ServiceHealth,
  TierList,
} from '../../../generated/types';
import { Accounts } from '../../accounts/accounts';
import { DEFAULT_RATE_TIERS, TierRates } from '../../accounts/rate-limiter';
import { Configuration } from '../../config/configuration';
import { Serves } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { CallList } from '../../ledger/call-list';
import { nanoToUsd } from '../../ledger/money';
import {
  type OpenPeriod,
  openPeriod,
  type Period,
  type PeriodQuery,
  recentPeriod,
} from '../../ledger/period';
import { type Money, RevenueReport } from '../../ledger/revenue';
import { modelRecord, operationRecord, totalsRecord } from '../../ledger/period-sums';
import { Upstreams } from '../../models/upstream/upstream-provider';
import { RecentLatencies } from '../../observability/metrics';
import { Clock, DAY_MS } from '../../runtime/clock';
import { inSnakeCase } from '../../runtime/json';
import { BillingModule } from '../billing/billing';
import { PaymentChains } from '../billing/payment-chains';
import { ChainWatches } from '../billing/payment-watch';
import { Payments } from '../billing/payments.repository';
import { callFilter, receiptRecord } from '../monitoring/monitoring';
import { HealthModule, HealthService, latencyRecord } from '../system/system';
import { WebhooksModule } from '../webhooks/webhooks';
import { Deliveries } from '../webhooks/deliveries.repository';
import { AdminModule } from './admin';
import { UpgradeDecisions } from './admin-users';

const REVENUE_DAYS_MAX = 366;
const CALLS_DAYS_MAX = 31;
const NEVER_WATCHED = { tipHeight: null, tipTime: null, succeededAt: null, failedAt: null, fault: null };

@Serves(reportsApi)
class ReportsController implements ReportsApi {
  constructor(
    private readonly revenue: RevenueReport,
    private readonly calls: CallList,
    private readonly accounts: Accounts,
    private readonly rates: TierRates,
    private readonly payments: Payments,
    private readonly upgrades: UpgradeDecisions,
    private readonly deliveries: Deliveries,
    private readonly health: HealthService,
    private readonly upstreams: Upstreams,
    private readonly chains: PaymentChains,
    private readonly watches: ChainWatches,
    private readonly latencies: RecentLatencies,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  async getOperatorOverview(): Promise<OperatorOverview> {
    const now = this.clock.now();
    const today = wholeDays({ start: now, end: now });
    const month = { start: new Date(today.end.getTime() - 30 * DAY_MS), end: today.end };
    const { sums, balancesNano } = await this.revenue.sums([today, month], now);
    const tiers = await this.accounts.countsByTier(new Date(now.getTime() - 7 * DAY_MS));
    const webhooks = await this.deliveries.health();
    const open = await this.payments.openCounts();
    const sum = (of: (tier: (typeof tiers)[number]) => number) =>
      tiers.reduce((all, tier) => all + of(tier), 0);
    return {
      accounts: {
        total: sum(({ total }) => total),
        active: sum(({ active }) => active),
        new_last_7d: sum(({ recent }) => recent),
      },
      pending_upgrade_requests: await this.upgrades.pendingCount(),
      payments_in_review: await this.payments.reviewCount(),
      open_payments: [...open.values()].reduce((all, count) => all + count, 0),
      switched_off_webhooks: webhooks.switched_off_webhooks,
      abandoned_deliveries_last_24h: webhooks.abandoned_last_24h,
      today: toMoney(sums[0]),
      last_30_days: toMoney(sums[1]),
      balances: nanoToUsd(balancesNano),
      checked_at: now.toISOString(),
    };
  }

  async getRevenue({ query }: Call<'getRevenue'>): Promise<RevenueView> {
    const period = wholeDays(recentPeriod(query, this.clock.now()));
    refuseLonger(period, REVENUE_DAYS_MAX);
    const { totals, byDay, byTier, byOperation, byModel } = await this.revenue.of(period);
    return {
      start_date: period.start.toISOString(),
      end_date: period.end.toISOString(),
      totals: toMoney(totals),
      by_day: byDay.map(({ day, ...money }) => ({ date: day.toISOString(), ...toMoney(money) })),
      by_tier: byTier.map(({ name, accounts, ...sums }) => ({
        tier: name ?? '',
        accounts,
        ...totalsRecord(sums),
      })),
      by_operation: byOperation.map(operationRecord),
      by_model: byModel.map(modelRecord),
    };
  }

  async getServiceHealth(): Promise<ServiceHealth> {
    const { status, version, checks } = await this.health.state();
    const watches = await this.watches.all();
    const open = await this.payments.openCounts();
    const models = new Map(this.configuration.upstreams.map((upstream) => [upstream.name, upstream.models]));
    return {
      status,
      version,
      checks,
      upstreams: this.upstreams.states().map(({ name, status: state, detail }) => ({
        name,
        status: state,
        detail: detail ?? null,
        models: models.get(name)?.map(({ id }) => id) ?? null,
      })),
      chains: await Promise.all(
        this.chains.all().map(async (chain) => {
          const watch = watches.find(({ currency }) => currency === chain.currency) ?? NEVER_WATCHED;
          return {
            currency: chain.currency,
            network: await chain.network().catch(() => null),
            is_sandbox: chain.isSandbox,
            ...inSnakeCase(watch, 'tipHeight', 'tipTime', 'succeededAt', 'failedAt', 'fault'),
            open_payments: open.get(chain.currency) ?? 0,
          };
        }),
      ),
      latencies: this.latencies.all().map(latencyRecord),
      checked_at: this.clock.now().toISOString(),
    };
  }

  async listTiers(): Promise<TierList> {
    const counts = await this.accounts.countsByTier(this.clock.now());
    const tiers = Object.keys(DEFAULT_RATE_TIERS).map((name) => ({
      name,
      ...this.rates.tier(name, null),
      accounts: counts.find(({ tier }) => tier === name)?.total ?? 0,
    }));
    return { tiers };
  }

  async listAllRequests({ query }: Call<'listAllRequests'>): Promise<AllRequestList> {
    const { user_id: accountId = null, limit, cursor = null } = query;
    const filter = callFilter(query);
    const period = accountId === null ? this.boundedPeriod(query) : filter.period;
    const { calls, nextCursor } = await this.calls.page({ ...filter, accountId, period }, limit, cursor);
    return {
      requests: calls.map((call) => ({ user_id: call.accountId, receipt: receiptRecord(call.receipt) })),
      next_cursor: nextCursor,
    };
  }

  private boundedPeriod(query: PeriodQuery): OpenPeriod {
    const { start, end } = openPeriod(query);
    const until = end ?? this.clock.now();
    const from = start ?? new Date(until.getTime() - DAY_MS);
    refuseLonger({ start: from, end: until }, CALLS_DAYS_MAX);
    return { start: from, end };
  }
}

function refuseLonger({ start, end }: Period, daysMax: number): void {
  if (end.getTime() - start.getTime() > daysMax * DAY_MS) {
    throw new Unprocessable(`The period is longer than ${daysMax} days.`);
  }
}

function wholeDays({ start, end }: Period): Period {
  const first = Math.floor(start.getTime() / DAY_MS) * DAY_MS;
  const past = Math.max(Math.ceil(end.getTime() / DAY_MS) * DAY_MS, first + DAY_MS);
  return { start: new Date(first), end: new Date(past) };
}

function toMoney(money: Money | undefined): MoneyView {
  if (!money) {
    throw new Error('a period has no sums');
  }
  return {
    deposited: nanoToUsd(money.depositedNano),
    charged: nanoToUsd(money.chargedNano),
    granted: nanoToUsd(money.grantedNano),
    adjusted: nanoToUsd(money.adjustedNano),
    ...inSnakeCase(money, 'requests', 'tokens', 'activeAccounts'),
  };
}

@Module({
  imports: [AdminModule, BillingModule, HealthModule, WebhooksModule],
  controllers: [ReportsController],
})
export class ReportsModule {}
