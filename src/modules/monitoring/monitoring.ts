import { Injectable, Module } from '@nestjs/common';
import { type Call, monitoringApi, type MonitoringApi } from '../../../generated/contract';
import type {
  AccessKeyUsage,
  Costs,
  DailyUsage,
  OperationUsage,
  ListRequestsQuery,
  Receipt,
  RequestList,
  UsageSeries as UsageSeriesView,
  Usage,
  UsageSummary,
} from '../../../generated/types';
import { type AccessKeyEntity, AccessKeys } from '../../accounts/access-keys';
import { Serves } from '../../contract/operation';
import { NotFound } from '../../errors/api-errors';
import { type CallFilter, CallList, type CallPage } from '../../ledger/call-list';
import { Ledger } from '../../ledger/ledger';
import { openPeriod, type Period, type PeriodQuery, recentPeriod } from '../../ledger/period';
import {
  type Breakdown,
  type CallReceipt,
  totalsRecord,
  type UsageGroup,
  UsageLog,
  type UsageTotals,
} from '../../ledger/usage-log';
import { usagePoint, UsageOverTime } from '../../ledger/usage-series';
import { exactUsdToNano, nanoToUsd } from '../../ledger/money';
import { Clock } from '../../runtime/clock';

/** A receipt as the account that made the call and operators see it. */
export function receiptRecord(receipt: CallReceipt) {
  const isEnded = receipt.completedAt !== null;
  return {
    request_id: receipt.requestId,
    client_request_id: receipt.clientRequestId,
    operation: receipt.operation,
    key_id: receipt.keyId,
    status: receipt.status,
    outcome: receipt.outcome,
    model: receipt.model,
    price: receipt.price,
    price_version: receipt.priceVersion,
    input_tokens: receipt.inputTokens,
    output_tokens: receipt.outputTokens,
    cached_tokens: receipt.cachedTokens,
    cache_write_tokens: receipt.cacheWriteTokens,
    reserved: nanoToUsd(receipt.reservedNanoUsd),
    charged: nanoToUsd(receipt.chargedNanoUsd),
    released: isEnded ? nanoToUsd(releasedNanoUsd(receipt)) : 0,
    latency_ms: receipt.latencyMs,
    transaction_id: receipt.transactionId,
    created_at: receipt.createdAt.toISOString(),
    completed_at: receipt.completedAt?.toISOString() ?? null,
  };
}

/** Nothing goes back where the call cost more than was reserved. */
function releasedNanoUsd({ reservedNanoUsd, chargedNanoUsd }: CallReceipt): bigint {
  return reservedNanoUsd > chargedNanoUsd ? reservedNanoUsd - chargedNanoUsd : 0n;
}

/** Which calls a list is asked for. @throws Unprocessable when the period would end before it starts */
export function callFilter(
  query: Omit<ListRequestsQuery, 'limit' | 'cursor'>,
): Omit<CallFilter, 'accountId'> {
  const { key_id: keyId, operation, model, outcome, status, min_cost: minCost } = query;
  return {
    period: openPeriod(query),
    keyId: keyId ?? null,
    operation: operation ?? null,
    model: model ?? null,
    outcome: outcome ?? null,
    status: status ?? null,
    minCostNanoUsd: minCost === undefined ? null : exactUsdToNano(minCost, 'min_cost'),
  };
}

/** A time before the first call of any account. */
const BEGINNING = new Date(0);

interface UsageReport {
  today: UsageTotals;
  period: Period;
  usage: Breakdown<'operation' | 'day'>;
}

interface UsageSummaryReport {
  today: UsageTotals;
  month: UsageTotals;
  allTime: UsageTotals;
  balanceNanoUsd: bigint;
}

interface CostReport {
  costs: Breakdown<'operation' | 'key' | 'price'>;
  /** Names by key id; a deleted key has none. */
  keyNames: Map<string, string>;
}

interface KeyUsageReport {
  key: AccessKeyEntity;
  usage: Breakdown<'operation' | 'day'>;
}

/** What an account's calls used and cost. Days and months begin at midnight UTC. */
@Injectable()
class MonitoringService {
  constructor(
    private readonly usageLog: UsageLog,
    private readonly keys: AccessKeys,
    private readonly ledger: Ledger,
    private readonly calls: CallList,
    private readonly clock: Clock,
  ) {}

  /** @throws Unprocessable when the period would end before it starts */
  async usage(accountId: string, query: PeriodQuery): Promise<UsageReport> {
    const now = this.clock.now();
    const period = recentPeriod(query, now);
    const [today] = await this.since(accountId, [dayOf(now)]);
    const usage = await this.usageLog.usage({ accountId, period, by: ['operation', 'day'] });
    return { today, period, usage };
  }

  async summary(accountId: string): Promise<UsageSummaryReport> {
    const now = this.clock.now();
    const [today, month, allTime] = await this.since(accountId, [dayOf(now), monthOf(now), BEGINNING]);
    const { balanceNanoUsd } = await this.ledger.balance(accountId);
    return { today, month, allTime, balanceNanoUsd };
  }

  /** @throws Unprocessable when the period would end before it starts */
  async costs(accountId: string, query: PeriodQuery): Promise<CostReport> {
    const period = recentPeriod(query, this.clock.now());
    const costs = await this.usageLog.usage({ accountId, period, by: ['operation', 'key', 'price'] });
    const keyIds = costs.by.key.map(({ name }) => name).filter((id) => id !== null);
    return { costs, keyNames: await this.usageLog.keyNames(accountId, keyIds) };
  }

  /** @throws NotFound when the account has no such key, Unprocessable when the period would end before it starts */
  async keyUsage(accountId: string, keyId: string, query: PeriodQuery): Promise<KeyUsageReport> {
    const key = await this.keys.get(accountId, keyId);
    const period = recentPeriod(query, this.clock.now());
    const usage = await this.usageLog.usage({ accountId, period, by: ['operation', 'day'], keyId: key.id });
    return { key, usage };
  }

  /**
   * @param requestId the call's own, or the one that its caller gave it
   * @throws NotFound when the account made no call under this id
   */
  async receipt(accountId: string, requestId: string): Promise<CallReceipt> {
    await this.ledger.show(accountId);
    const receipt = await this.usageLog.receipt(accountId, requestId);
    if (!receipt) {
      throw new NotFound('call');
    }
    return receipt;
  }

  async requests(accountId: string, query: ListRequestsQuery): Promise<CallPage> {
    return this.calls.page({ accountId, ...callFilter(query) }, query.limit, query.cursor ?? null);
  }

  private async since<Starts extends readonly [Date, ...Date[]]>(
    accountId: string,
    starts: Starts,
  ): Promise<{ [Index in keyof Starts]: UsageTotals }> {
    const totals = await this.usageLog.totalsSince(accountId, starts);
    return totals as { [Index in keyof Starts]: UsageTotals };
  }
}

function dayOf(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));
}

function monthOf(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1));
}

function toUsage({ today, period, usage }: UsageReport): Usage {
  return {
    requests_today: today.requests,
    cost_today: nanoToUsd(today.costNanoUsd),
    tokens_today: today.tokens,
    period: {
      start_date: period.start.toISOString(),
      end_date: period.end.toISOString(),
      successful: usage.totals.successful,
      failed: usage.totals.requests - usage.totals.successful,
      ...totalsRecord(usage.totals),
    },
    by_operation: usage.by.operation.map(toOperationUsage),
    daily: usage.by.day.map(toDailyUsage),
  };
}

function toUsageSummary(report: UsageSummaryReport): UsageSummary {
  return {
    today: totalsRecord(report.today),
    this_month: totalsRecord(report.month),
    all_time: totalsRecord(report.allTime),
    balance: nanoToUsd(report.balanceNanoUsd),
  };
}

/** Free calls have no price, so they count under their operation and key but are left out of `by_price`. */
function toCosts({ costs, keyNames }: CostReport): Costs {
  return {
    cost: nanoToUsd(costs.totals.costNanoUsd),
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

function toKeyUsage({ key, usage }: KeyUsageReport): AccessKeyUsage {
  return {
    key_id: key.id,
    name: key.name,
    ...totalsRecord(usage.totals),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    by_operation: usage.by.operation.map(toOperationUsage),
    daily: usage.by.day.map(toDailyUsage),
  };
}

function toOperationUsage(group: UsageGroup): OperationUsage {
  return { operation: nameOf(group), ...totalsRecord(group) };
}

function toDailyUsage(group: UsageGroup): DailyUsage {
  return { date: `${nameOf(group)}T00:00:00.000Z`, ...totalsRecord(group) };
}

/** Every call has an operation and a day. */
function nameOf({ name }: UsageGroup): string {
  if (name === null) {
    throw new Error('a call has no operation or no day');
  }
  return name;
}

@Serves(monitoringApi)
class MonitoringController implements MonitoringApi {
  constructor(
    private readonly monitoring: MonitoringService,
    private readonly usage: UsageOverTime,
    private readonly clock: Clock,
  ) {}

  async getUsage({ account, query }: Call<'getUsage'>): Promise<Usage> {
    return toUsage(await this.monitoring.usage(account.id, query));
  }

  async getUsageSummary({ account }: Call<'getUsageSummary'>): Promise<UsageSummary> {
    return toUsageSummary(await this.monitoring.summary(account.id));
  }

  async getCosts({ account, query }: Call<'getCosts'>): Promise<Costs> {
    return toCosts(await this.monitoring.costs(account.id, query));
  }

  async getKeyUsage({ account, params, query }: Call<'getKeyUsage'>): Promise<AccessKeyUsage> {
    return toKeyUsage(await this.monitoring.keyUsage(account.id, params.key_id, query));
  }

  async getUsageSeries({ account, query }: Call<'getUsageSeries'>): Promise<UsageSeriesView> {
    const { interval, timezone, by_key: key, by_operation: operation, by_model: model } = query;
    const by = { key, operation, model };
    const filter = { keyId: query.key_id ?? null, operation: query.operation ?? null };
    const question = { accountId: account.id, interval, timezone, by, ...filter };
    const { period, totals, points, isTruncated } = await this.usage.series(
      question,
      query,
      this.clock.now(),
    );
    return {
      interval,
      timezone,
      start_date: period.start.toISOString(),
      end_date: period.end.toISOString(),
      totals: totalsRecord(totals),
      points: points.map(usagePoint),
      truncated: isTruncated,
    };
  }

  async listRequests({ account, query }: Call<'listRequests'>): Promise<RequestList> {
    const { calls, nextCursor } = await this.monitoring.requests(account.id, query);
    return { requests: calls.map(({ receipt }) => receiptRecord(receipt)), next_cursor: nextCursor };
  }

  async getRequestReceipt({ account, params }: Call<'getRequestReceipt'>): Promise<Receipt> {
    return receiptRecord(await this.monitoring.receipt(account.id, params.request_id));
  }
}

@Module({ controllers: [MonitoringController], providers: [MonitoringService] })
export class MonitoringModule {}
