const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of the calendar that a zone's clocks show at a moment, as `2026-01-30`. By the runtime's own zone tables. */
export function dayIn(zone: string, atMs: number): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    formats.set(zone, format);
  }
  return format.format(atMs);
}

/** The same for the month, as `2026-01`. */
export function monthIn(zone: string, atMs: number): string {
  return dayIn(zone, atMs).slice(0, '2026-01'.length);
}

/** The first millisecond at which a zone's clocks show a later day or month than this one: found by halving. */
export function endOfPeriod(zone: string, period: string): number {
  const isMonth = period.length === '2026-01'.length;
  const start = Date.parse(period);
  let [before, after] = [start - 2 * DAY_MS, start + (isMonth ? 34 : 4) * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(zone, middle).slice(0, period.length) > period) {
      after = middle;
    } else {
      before = middle;
    }
  }
  return after;
}
