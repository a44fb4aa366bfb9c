import { type Place, placeOf, withoutOverlaps } from './places';

const NAMES: readonly string[] = [
  'january jan januar jänner janvier enero ene',
  'february feb februar février fevrier febrero',
  'march mar märz mär mars marzo',
  'april apr avril abril abr',
  'may mai mayo',
  'june jun juni juin junio',
  'july jul juli juillet julio',
  'august aug août aout agosto ago',
  'september sep sept septembre septiembre setiembre',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez décembre decembre diciembre dic',
];

const NUMBERS = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** Alternatives of a regular expression, the longest first: English, German, French and Spanish. */
export const MONTH_NAMES = [...NUMBERS.keys()].sort((one, other) => other.length - one.length).join('|');

function monthNumber(name: string): number | undefined {
  return NUMBERS.get(name.toLowerCase());
}

export interface FoundDate extends Place {
  /** ISO 8601, as exact as the text is: 2026-03-01 or 2026-03. Null where a part is missing or its order is unclear. */
  readonly date: string | null;
}

/** All gaps are bounded, so that no run of spaces is read twice. A date may be wrapped at the end of a line. */
const GAP = String.raw`[ \t\u00a0\u202f]{0,3}(?:\r?\n[ \t]{0,8})?`;
const NOT_WITHIN = String.raw`(?<![\p{L}\p{N}/\-]|\d\.)`;
const ENDS = String.raw`(?![\p{L}\p{N}])(?![./\-]\d)`;
const YEAR = String.raw`(?<year>1[5-9]\d\d|2[01]\d\d)`;
const DAY = String.raw`(?<day>[12]\d|3[01]|0?[1-9])`;
const MONTH = `(?<month>${MONTH_NAMES})`;
const ORDINAL = '(?:st|nd|rd|th|er|º|ª)?';
const OF = `(?:(?:day[ ]of|of|de|del|d[’'])${GAP})?`;

const ISO = new RegExp(
  String.raw`${NOT_WITHIN}${YEAR}-(?<month>0[1-9]|1[0-2])(?:-(?<day>0[1-9]|[12]\d|3[01]))?(?=T\d\d:|${ENDS})${'(?!-)'}`,
  'gu',
);
const YEAR_FIRST = new RegExp(
  String.raw`${NOT_WITHIN}${YEAR}[/.](?<month>0?[1-9]|1[0-2])[/.]${DAY}${ENDS}`,
  'gu',
);
/** Day and month are told apart by dots, which mean that the day is first, or by a number above twelve. */
const NUMERIC = new RegExp(
  String.raw`${NOT_WITHIN}(?<first>\d{1,2})(?<mark>[./\-])[ ]?(?<second>\d{1,2})\k<mark>[ ]?${YEAR}${ENDS}`,
  'gu',
);
const DAY_FIRST = new RegExp(
  `${NOT_WITHIN}${DAY}${ORDINAL}[.]?${GAP}${OF}${MONTH}(?![\\p{L}])[.]?,?(?:${GAP}${OF}${YEAR}${ENDS})?`,
  'giu',
);
const MONTH_FIRST = new RegExp(
  `${NOT_WITHIN}${MONTH}[.]?(?=\\s)${GAP}${DAY}(?:st|nd|rd|th)?(?![\\p{L}\\p{N}%:])(?![.,/\\-]\\d)(?:,?${GAP}${YEAR}${ENDS})?`,
  'giu',
);
const MONTH_AND_YEAR = new RegExp(`${NOT_WITHIN}${MONTH}[.]?,?(?=\\s)${GAP}${OF}${YEAR}${ENDS}`, 'giu');

/** In order, numeric or with names of months. Impossible days, words such as "tomorrow" and bare years are none. */
export function datesIn(text: string): FoundDate[] {
  const found = [
    ...matches(text, ISO),
    ...matches(text, YEAR_FIRST),
    ...numericDates(text),
    ...matches(text, DAY_FIRST).filter(isWritten),
    ...matches(text, MONTH_FIRST).filter(isWritten),
    ...matches(text, MONTH_AND_YEAR).filter(isWritten),
  ];
  const longestFirst = found.sort((one, other) => other.end - other.start - (one.end - one.start));
  // Removed last, so that no part of an impossible date is taken for one.
  return withoutOverlaps(longestFirst)
    .filter(({ isReal }) => isReal)
    .map(({ text: written, start, end, date }) => ({ text: written, start, end, date }));
}

interface ReadDate extends FoundDate {
  readonly isReal: boolean;
}

function matches(text: string, pattern: RegExp): ReadDate[] {
  return [...text.matchAll(pattern)].map((match) => {
    const { year, month, day } = match.groups ?? {};
    const number = monthNumber(month ?? '') ?? Number(month);
    return dated(placeOf(match), year === undefined ? null : Number(year), number, day ? Number(day) : null);
  });
}

function numericDates(text: string): ReadDate[] {
  return [...text.matchAll(NUMERIC)].map((match) => {
    const { first, second, year, mark } = match.groups ?? {};
    const [one, other] = [Number(first), Number(second)];
    if (mark === '.' || one > 12 || one === other) {
      return dated(placeOf(match), Number(year), other, one);
    }
    if (other > 12) {
      return dated(placeOf(match), Number(year), one, other);
    }
    return { ...dated(placeOf(match), Number(year), one, other), date: null };
  });
}

function dated(found: Place, year: number | null, month: number, day: number | null): ReadDate {
  const place = trimmed(found);
  const isReal = month >= 1 && month <= 12 && (day === null || day <= daysOf(year ?? 2000, month));
  const digits = (part: number) => String(part).padStart(2, '0');
  const parts = [year, digits(month), ...(day === null ? [] : [digits(day)])];
  return { ...place, date: year === null ? null : parts.join('-'), isReal };
}

/** An abbreviation's stop and a comma belong to a date only where the year follows. */
function trimmed({ text, start }: Place): Place {
  const kept = text.replace(/[.,\s]{1,8}$/u, '');
  return { text: kept, start, end: start + kept.length };
}

/** "may 5" and "mar 3" are no dates: without a year the month has to be a whole word with a capital. */
function isWritten({ text, date }: FoundDate): boolean {
  const name = /\p{L}{3,}/u.exec(text.replace(/^\d{1,2}(?:st|nd|rd|th|er)/u, ''))?.[0] ?? '';
  const isCapital = /^\p{Lu}/u.test(name);
  return isCapital || date !== null || (/^\d/u.test(text) && name.length > 3);
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
