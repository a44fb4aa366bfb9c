import { Unprocessable } from '../errors/api-errors';
import { DAY_MS, EARLIEST_MS, LATEST_MS, readIsoTime, type WrittenTime } from '../runtime/clock';

const RECENT_DAYS = 30;

export interface Period {
  start: Date;
  end: Date;
}

export interface OpenPeriod {
  start: Date | null;
  end: Date | null;
}

export interface PeriodQuery {
  start_date?: string;
  end_date?: string;
}

/** A date without a time is a whole UTC day. @throws as inOrder */
export function openPeriod(query: PeriodQuery): OpenPeriod {
  return inOrder({ start: startOf(query), end: endOf(query) });
}

/** By default the 30 days before its end, which is now by default. @throws as inOrder */
export function recentPeriod(query: PeriodQuery, now: Date): Period {
  const end = endOf(query) ?? now;
  const start = startOf(query) ?? timeOf(end.getTime() - RECENT_DAYS * DAY_MS);
  return inOrder({ start, end });
}

function startOf({ start_date: text }: PeriodQuery): Date | null {
  return text === undefined ? null : written(text).time;
}

function endOf({ end_date: text }: PeriodQuery): Date | null {
  if (text === undefined) {
    return null;
  }
  const { time, isDate } = written(text);
  return isDate ? timeOf(time.getTime() + DAY_MS) : time;
}

function written(text: string): WrittenTime {
  const found = readIsoTime(text);
  if (!found) {
    throw new Error('a time reached the period without having been validated');
  }
  return found;
}

function timeOf(milliseconds: number): Date {
  return new Date(Math.min(Math.max(milliseconds, EARLIEST_MS), LATEST_MS));
}

/** @throws Unprocessable for an end before the start */
export function inOrder<Bounds extends OpenPeriod>(period: Bounds): Bounds {
  if (period.start && period.end && period.start > period.end) {
    throw new Unprocessable('The period would end before it starts.');
  }
  return period;
}
