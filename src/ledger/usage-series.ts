import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { asKnownZone } from '../accounts/access-keys';
import { AccountDatabases } from '../database/account-databases';
import { Unprocessable } from '../errors/api-errors';
import { DAY_MS } from '../runtime/clock';
import { inSnakeCase } from '../runtime/json';
import { inOrder, openPeriod, type Period, type PeriodQuery } from './period';
import {
  Question,
  readTotalsSince,
  readUsage,
  USAGE_SUMS,
  type TotalsRow,
  totalsOf,
  totalsRecord,
  type UsageTotals,
} from './period-sums';

const POINTS_MAX = 5_000;
const DAYS_MAX = { hour: 31, day: 366 } as const;
const RECENT_DAYS = 30;

export interface UsagePoint extends UsageTotals {
  start: Date;
  keyId?: string | null | undefined;
  operation?: string | undefined;
  model?: string | null | undefined;
}

export interface SeriesQuestion {
  accountId: string;
  interval: 'hour' | 'day';
  timezone: string;
  by: { key: boolean; operation: boolean; model: boolean };
  keyId: string | null;
  operation: string | null;
}

type Reader = Pick<EntityManager, 'query'>;

/** Usage over time, from hourly sums (UTC) and, for what these lack, from single calls. */
@Injectable()
export class UsageOverTime {
  constructor(private readonly databases: AccountDatabases) {}

  /** @throws Unprocessable for a period that ends before it starts or is too long */
  async series(question: SeriesQuestion, query: PeriodQuery, now: Date) {
    const { start, end } = openPeriod(query);
    const until = end ?? now;
    const database = this.databases.of(question.accountId);
    const { first } = await this.daysBefore(database, until, question.timezone, RECENT_DAYS);
    const period = inOrder({ start: start ?? first, end: until });
    const daysMax = DAYS_MAX[question.interval];
    if (period.end.getTime() - period.start.getTime() > daysMax * DAY_MS + 2 * DAY_MS) {
      throw new Unprocessable(`The period is longer than ${daysMax} days.`);
    }
    // What happens at this moment counts.
    const read = end ? period : { ...period, end: new Date(now.getTime() + 1) };
    return { period, ...(await this.read(database, question, read)) };
  }

  /** @param days number of days in the zone, today included */
  async ofAccount(accountId: string, timezone: string, days: number, now: Date) {
    return this.databases.of(accountId).transaction('REPEATABLE READ', async (reader) => {
      const { today, month, first } = await this.daysBefore(reader, now, timezone, days);
      const period = { start: first, end: new Date(now.getTime() + 1) };
      const by = { key: false, operation: false, model: false };
      const question = { accountId, interval: 'day' as const, timezone, by, keyId: null, operation: null };
      const { points } = await this.read(reader, question, period);
      const parts = await readUsage(reader, { accountId, period, by: ['operation', 'key', 'model'] });
      const week = { start: new Date(now.getTime() - 7 * DAY_MS), end: period.end };
      const lately = await readUsage(reader, { accountId, period: week, by: ['key'] });
      const [ofToday, ofMonth] = await readTotalsSince(reader, accountId, [today, month]);
      if (!ofToday || !ofMonth) {
        throw new Error('an aggregate gave no row');
      }
      return {
        period: { start: first, end: now },
        today: ofToday,
        month: ofMonth,
        days: points,
        parts,
        lately,
      };
    });
  }

  private async read(
    reader: Reader,
    { accountId, interval, timezone, by, keyId, operation }: SeriesQuestion,
    period: Period,
  ) {
    const question = new Question(accountId, keyId);
    const calls = question.callsByHour(period);
    const ofOperation = operation === null ? 'true' : `operation = ${question.bind(operation)}`;
    const start =
      interval === 'hour'
        ? `date_bin('1 hour', moment, '2000-01-01T00:00Z')`
        : `day_starts_at((moment AT TIME ZONE ${question.bind(timezone)})::date, ${question.bind(timezone)})`;
    const dimensions = [
      by.key ? 'key_id' : [],
      by.operation ? 'operation' : [],
      by.model ? 'model' : [],
    ].flat();
    const columns = [`${start} AS start`, ...dimensions];
    const groups = columns.map((_, index) => index + 1).join(', ');
    // Keeps the newest points; the extra row tells whether there are more.
    const rows: PointRow[] = await reader.query(
      `WITH point AS MATERIALIZED (
         SELECT ${columns.join(', ')}, ${USAGE_SUMS} FROM (${calls}) AS part WHERE ${ofOperation} GROUP BY ${groups}
       )
       SELECT *, sum(requests) OVER () AS all_requests, sum(successful) OVER () AS all_successful,
         sum(tokens) OVER () AS all_tokens, sum(cost_nano) OVER () AS all_cost_nano
       FROM point ORDER BY start DESC, cost_nano, ${dimensions.join(', ') || 'requests'}
       LIMIT ${POINTS_MAX + 1}`,
      question.values,
    );
    const totals = totalsOf({
      requests: rows[0]?.all_requests ?? '0',
      successful: rows[0]?.all_successful ?? '0',
      tokens: rows[0]?.all_tokens ?? '0',
      cost_nano: rows[0]?.all_cost_nano ?? '0',
    });
    const points = rows.slice(0, POINTS_MAX).reverse().map(pointOf);
    return { totals, points, isTruncated: rows.length > POINTS_MAX };
  }

  private async daysBefore(reader: Reader, moment: Date, timezone: string, days: number): Promise<DaysRow> {
    const [row] = await reader.query<DaysRow[]>(DAYS, [moment, timezone, days]).catch(asKnownZone);
    if (!row) {
      throw new Error('a moment has no day');
    }
    return row;
  }
}

const DAYS = `
  SELECT day_starts_at(day, $2) AS today, day_starts_at(date_trunc('month', day)::date, $2) AS month,
    day_starts_at(day - ($3::integer - 1), $2) AS first
  FROM (SELECT ($1::timestamptz AT TIME ZONE $2)::date AS day) AS local`;

interface DaysRow {
  today: Date;
  month: Date;
  first: Date;
}

interface PointRow extends TotalsRow {
  start: Date;
  key_id?: string | null;
  operation?: string;
  model?: string | null;
  all_requests: string;
  all_successful: string;
  all_tokens: string;
  all_cost_nano: string;
}

function pointOf({ start, key_id: keyId, operation, model, ...sums }: PointRow): UsagePoint {
  return { start, keyId, operation, model, ...totalsOf(sums) };
}

export function usagePoint(point: UsagePoint) {
  return {
    ...inSnakeCase(point, 'start', 'keyId', 'operation', 'model', 'successful'),
    ...totalsRecord(point),
  };
}
