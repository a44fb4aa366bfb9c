import { Unprocessable } from '../../errors/request-errors';

const DAY_MS = 24 * 60 * 60 * 1000;
const RECENT_DAYS = 30;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

// RFC 3339 writes a year with four digits; a later or earlier time could be computed but not be answered.
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** From `start` up to but without `end`. */
export interface Period {
  start: Date;
  end: Date;
}

/** A period that has no bound where one is null. */
export interface OpenPeriod {
  start: Date | null;
  end: Date | null;
}

/** The document's parameters StartDate and EndDate, each a date or a date-time that the validator has accepted. */
export interface PeriodQuery {
  start_date?: string;
  end_date?: string;
}

/**
 * The period that a query asks for. A date without a time is a UTC day: a start begins with it, an end includes it.
 * @throws Unprocessable when the period would end before it starts
 */
export function openPeriod(query: PeriodQuery): OpenPeriod {
  return inOrder({ start: startOf(query), end: endOf(query) });
}

/**
 * The same, bounded on both sides: by `now` where no end is given, by 30 days where no start is.
 * @throws Unprocessable when the period would end before it starts
 */
export function recentPeriod(query: PeriodQuery, now: Date): Period {
  const end = endOf(query) ?? now;
  const start = startOf(query) ?? timeOf(end.getTime() - RECENT_DAYS * DAY_MS);
  return inOrder({ start, end });
}

function startOf({ start_date: text }: PeriodQuery): Date | null {
  return text === undefined ? null : timeOf(Date.parse(text));
}

function endOf({ end_date: text }: PeriodQuery): Date | null {
  if (text === undefined) {
    return null;
  }
  return timeOf(Date.parse(text) + (text.length === DATE_LENGTH ? DAY_MS : 0));
}

function timeOf(milliseconds: number): Date {
  return new Date(Math.min(Math.max(milliseconds, EARLIEST_MS), LATEST_MS));
}

function inOrder<Bounds extends OpenPeriod>(period: Bounds): Bounds {
  if (period.start && period.end && period.start > period.end) {
    throw new Unprocessable('The period would end before it starts.');
  }
  return period;
}
