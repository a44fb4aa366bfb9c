import { Module } from '@nestjs/common';
import { type Call, monitoringApi, type MonitoringApi } from '../../../generated/contract';
import type {
  AccessKeyUsage,
  Costs,
  DailyUsage,
  ListRequestsQuery,
  Receipt,
  RequestList,
  UsageSeries as UsageSeriesView,
  Usage,
  UsageSummary,
} from '../../../generated/types';
import { AccessKeys } from '../../accounts/access-keys';
import { Serves } from '../../contract/operation';
import { NotFound } from '../../errors/api-errors';
import { type CallFilter, CallList, type CallReceipt } from '../../ledger/call-list';
import { Ledger } from '../../ledger/ledger';
import { openPeriod, recentPeriod } from '../../ledger/period';
import { operationRecord, totalsRecord, type UsageGroup, type UsageTotals } from '../../ledger/period-sums';
import { UsageLog } from '../../ledger/usage-log';
import { usagePoint, UsageOverTime } from '../../ledger/usage-series';
import { exactUsdToNano, nanoToUsd } from '../../ledger/money';
import { Clock } from '../../runtime/clock';
import { inSnakeCase } from '../../runtime/json';

export function receiptRecord(receipt: CallReceipt) {
  const isEnded = receipt.completedAt !== null;
  return {
    ...inSnakeCase(receipt, 'requestId', 'clientRequestId', 'operation', 'keyId', 'status', 'outcome'),
    ...inSnakeCase(receipt, 'model', 'price', 'priceVersion'),
    ...inSnakeCase(receipt, 'inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens'),
    reserved: nanoToUsd(receipt.reservedNanoUsd),
    charged: nanoToUsd(receipt.chargedNanoUsd),
    released: isEnded ? nanoToUsd(releasedNanoUsd(receipt)) : 0,
    ...inSnakeCase(receipt, 'latencyMs', 'transactionId', 'createdAt', 'completedAt'),
  };
}

function releasedNanoUsd({ reservedNanoUsd, chargedNanoUsd }: CallReceipt): bigint {
  return reservedNanoUsd > chargedNanoUsd ? reservedNanoUsd - chargedNanoUsd : 0n;
}

export function callFilter(
  query: Omit<ListRequestsQuery, 'limit' | 'cursor'>,
): Omit<CallFilter, 'accountId'> {
  const { key_id: keyId = null, operation = null, model = null, outcome = null, status = null } = query;
  const period = openPeriod(query);
  const minCostNanoUsd = query.min_cost === undefined ? null : exactUsdToNano(query.min_cost, 'min_cost');
  return { period, keyId, operation, model, outcome, status, minCostNanoUsd };
}

const BEGINNING = new Date(0);

function dayOf(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));
}

function monthOf(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1));
}

function toDailyUsage({ name, ...totals }: UsageGroup): DailyUsage {
  return { date: `${name ?? ''}T00:00:00.000Z`, ...totalsRecord(totals) };
}

/** Days and months begin at midnight UTC. */
@Serves(monitoringApi)
class MonitoringController implements MonitoringApi {
  constructor(
    private readonly usageLog: UsageLog,
    private readonly keys: AccessKeys,
    private readonly ledger: Ledger,
    private readonly calls: CallList,
    private readonly usage: UsageOverTime,
    private readonly clock: Clock,
  ) {}

  async getUsage({ account, query }: Call<'getUsage'>): Promise<Usage> {
    const now = this.clock.now();
    const period = recentPeriod(query, now);
    const [today] = await this.since(account.id, [dayOf(now)]);
    const usage = await this.usageLog.usage({ accountId: account.id, period, by: ['operation', 'day'] });
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
      by_operation: usage.by.operation.map(operationRecord),
      daily: usage.by.day.map(toDailyUsage),
    };
  }

  async getUsageSummary({ account }: Call<'getUsageSummary'>): Promise<UsageSummary> {
    const now = this.clock.now();
    const [today, month, allTime] = await this.since(account.id, [dayOf(now), monthOf(now), BEGINNING]);
    const { balanceNanoUsd } = await this.ledger.balance(account.id);
    return {
      today: totalsRecord(today),
      this_month: totalsRecord(month),
      all_time: totalsRecord(allTime),
      balance: nanoToUsd(balanceNanoUsd),
    };
  }

  /** Free calls have no price, so they count under their operation and key but are left out of `by_price`. */
  async getCosts({ account, query }: Call<'getCosts'>): Promise<Costs> {
    const period = recentPeriod(query, this.clock.now());
    const by = ['operation', 'key', 'price'] as const;
    const costs = await this.usageLog.usage({ accountId: account.id, period, by });
    return {
      cost: nanoToUsd(costs.totals.costNanoUsd),
      total: nanoToUsd(costs.totals.costNanoUsd),
      by_operation: costs.by.operation.map(operationRecord),
      by_key: await this.usageLog.keyRecords(account.id, costs.by.key),
      by_price: costs.by.price.flatMap(({ name: price, requests, costNanoUsd }) =>
        price === null ? [] : [{ price, requests, cost: nanoToUsd(costNanoUsd) }],
      ),
    };
  }

  async getKeyUsage({ account, params, query }: Call<'getKeyUsage'>): Promise<AccessKeyUsage> {
    const key = await this.keys.get(account.id, params.key_id);
    const period = recentPeriod(query, this.clock.now());
    const by = ['operation', 'day'] as const;
    const usage = await this.usageLog.usage({ accountId: account.id, period, by, keyId: key.id });
    return {
      key_id: key.id,
      ...inSnakeCase(key, 'name', 'lastUsedAt'),
      ...totalsRecord(usage.totals),
      by_operation: usage.by.operation.map(operationRecord),
      daily: usage.by.day.map(toDailyUsage),
    };
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
    const filter = { accountId: account.id, ...callFilter(query) };
    const { calls, nextCursor } = await this.calls.page(filter, query.limit, query.cursor ?? null);
    return { requests: calls.map(({ receipt }) => receiptRecord(receipt)), next_cursor: nextCursor };
  }

  async getRequestReceipt({ account, params }: Call<'getRequestReceipt'>): Promise<Receipt> {
    await this.ledger.show(account.id);
    const receipt = await this.usageLog.receipt(account.id, params.request_id);
    if (!receipt) {
      throw new NotFound('call');
    }
    return receiptRecord(receipt);
  }

  private async since<Starts extends readonly [Date, ...Date[]]>(
    accountId: string,
    starts: Starts,
  ): Promise<{ [Index in keyof Starts]: UsageTotals }> {
    const totals = await this.usageLog.totalsSince(accountId, starts);
    return totals as { [Index in keyof Starts]: UsageTotals };
  }
}

@Module({ controllers: [MonitoringController] })
export class MonitoringModule {}
