import type { OpenPeriod } from './period';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** From `start` up to but without `end`, as Postgres takes it. */
export interface Span {
  start: Date | 'infinity' | '-infinity';
  end: Date | 'infinity' | '-infinity';
}

/** A period cut into what is read from roll-ups and what only single rows can tell. Spans that would be empty are left out. */
export interface PeriodParts {
  /** Of the hours that the period begins and ends in, what belongs to it: less than an hour each. */
  rows: Span[];
  /** Whole hours of the days that the period begins and ends in. */
  hours: Span[];
  /** Whole days. */
  days: Span[];
  /** All whole hours, those of the whole days included. */
  allHours: Span[];
}

/** Cuts a period at the whole hours and days (UTC) within it; a period without an end or start has whole days there. */
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

/** The bounds of the whole units between two times; both are the end where there is no whole one. */
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
