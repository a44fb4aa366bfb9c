import type { OpenPeriod } from './period';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * From `start`, which belongs to the span, to `end`, which does not. Both are values that Postgres takes for a time.
 */
export interface Span {
  start: Date | 'infinity' | '-infinity';
  end: Date | 'infinity' | '-infinity';
}

/** A period cut into parts that are read from sums and parts that are read from single rows. No span is empty. */
export interface PeriodParts {
  /** What belongs to the period of the hours in which it begins and ends: less than two hours together. */
  rows: Span[];
  /** The whole hours of the days in which the period begins and ends. */
  hours: Span[];
  /** The whole days. */
  days: Span[];
  /** All whole hours, including those of the whole days. */
  allHours: Span[];
}

/**
 * Cuts a period at the first and last whole hour and day (UTC). Towards a missing start or end, all of it is whole
 * days.
 */
export function periodParts(period: OpenPeriod): PeriodParts {
  const start = period.start?.getTime() ?? -Infinity;
  const end = period.end?.getTime() ?? Infinity;
  const [firstHour, lastHour] = wholeWithin(start, end, HOUR_MS);
  const [firstDay, lastDay] = wholeWithin(firstHour, lastHour, DAY_MS);
  return {
    rows: [...span(start, firstHour), ...span(lastHour, end)],
    hours: [...span(firstHour, firstDay), ...span(lastDay, lastHour)],
    days: span(firstDay, lastDay),
    allHours: span(firstHour, lastHour),
  };
}

/** The start and end of the whole units between two times. Both are `endMs` where there is no whole unit. */
function wholeWithin(startMs: number, endMs: number, unitMs: number): [number, number] {
  const [first, last] = [Math.ceil(startMs / unitMs) * unitMs, Math.floor(endMs / unitMs) * unitMs];
  return first < last ? [first, last] : [endMs, endMs];
}

function span(startMs: number, endMs: number): Span[] {
  return startMs < endMs ? [{ start: timeOf(startMs), end: timeOf(endMs) }] : [];
}

function timeOf(timeMs: number): Span['start'] {
  return Number.isFinite(timeMs) ? new Date(timeMs) : timeMs > 0 ? 'infinity' : '-infinity';
}
