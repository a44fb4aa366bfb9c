import { Injectable } from '@nestjs/common';
import type { AccessKey } from '../../core/access/access-keys/access-key.entity';
import { AccessKeys } from '../../core/access/access-keys/access-keys.repository';
import {
  UsageLog,
  type Breakdown,
  type Receipt,
  type UsageTotals,
} from '../../core/money/usage/usage-log.repository';
import { recentPeriod, type Period, type PeriodQuery } from '../../core/money/usage/period';
import { NotFound } from '../../core/errors/request-errors';
import { Ledger } from '../../core/money/ledger/ledger';
import { Clock } from '../../infrastructure/clock/clock';

/** A time before the first call of any account. */
const BEGINNING = new Date(0);

export interface UsageReport {
  today: UsageTotals;
  period: Period;
  usage: Breakdown<'operation' | 'day'>;
}

export interface UsageSummaryReport {
  today: UsageTotals;
  month: UsageTotals;
  allTime: UsageTotals;
  balanceNanoUsd: bigint;
}

export interface CostReport {
  costs: Breakdown<'operation' | 'key' | 'price'>;
  /** Names by key id; a deleted key has none. */
  keyNames: Map<string, string>;
}

export interface KeyUsageReport {
  key: AccessKey;
  usage: Breakdown<'operation' | 'day'>;
}

/** What an account's calls used and cost. Days and months begin at midnight UTC. */
@Injectable()
export class MonitoringService {
  constructor(
    private readonly usageLog: UsageLog,
    private readonly keys: AccessKeys,
    private readonly ledger: Ledger,
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
  async receipt(accountId: string, requestId: string): Promise<Receipt> {
    const receipt = await this.usageLog.receipt(accountId, requestId);
    if (!receipt) {
      throw new NotFound('call');
    }
    return receipt;
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
