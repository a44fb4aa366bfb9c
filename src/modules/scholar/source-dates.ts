import type { SourceDate } from './cited-source';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** As MLA shortens them; May, June and July stay whole. */
const SHORT_MONTHS = [
  'Jan.',
  'Feb.',
  'Mar.',
  'Apr.',
  'May',
  'June',
  'July',
  'Aug.',
  'Sept.',
  'Oct.',
  'Nov.',
  'Dec.',
];

export function monthName(month: number): string {
  return MONTHS[month - 1] ?? '';
}

/** `April`, `Spring`, or null. */
export function monthOrSeason({ month, season }: SourceDate): string | null {
  if (season !== null) {
    return season.charAt(0).toUpperCase() + season.slice(1);
  }
  return month === null ? null : monthName(month);
}

/** `April 17, 2017`, `April 2017`, `2017`. */
export function americanDate({ year, month, day }: SourceDate): string {
  if (month === null) {
    return String(year);
  }
  return day === null ? `${monthName(month)} ${year}` : `${monthName(month)} ${day}, ${year}`;
}

/** `17 Apr. 2017`, `Apr. 2017`, `spring 2017`, `2017`. */
export function mlaDate({ year, month, day, season }: SourceDate): string {
  const named = season ?? (month === null ? null : SHORT_MONTHS[month - 1]);
  return [season === null ? day : null, named, year].filter((part) => part !== null).join(' ');
}
