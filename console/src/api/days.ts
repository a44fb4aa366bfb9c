/** The reader's own time zone, whose days the console counts. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export interface Day {
  /** Such as "2026-11-27", in the reader's zone. */
  date: string;
  label: string;
}

export function dayOf(at: string | Date): string {
  const moment = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** Every day of a period, those without calls as well. */
export function daysBetween(from: string, to: string): Day[] {
  const days: Day[] = [];
  const day = new Date(from);
  for (const last = Date.parse(to); day.getTime() <= last; day.setDate(day.getDate() + 1)) {
    days.push({ date: dayOf(day), label: SHORT.format(day) });
  }
  return days;
}

/** How far away a moment is, such as "in 3 days". */
export function fromNow(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const) {
    if (Math.abs(seconds) >= length) {
      return relative.format(Math.round(seconds / length), unit);
    }
  }
  return relative.format(Math.round(seconds), 'second');
}
