import { type Place, placeOf, withoutOverlaps } from './places';
import { unmarkedText } from './unmarked-text';

/** The languages whose names of months are read, as Node's ICU writes them alone and behind a day. */
const LOCALES =
  'en de de-AT fr es it pt nl pl ru uk be bg mk sr sr-Latn sl cs sk sv da nb fi et lv lt ro hu tr el ca hr ar hi bn ur fa id fil vi th ka'.split(
    ' ',
  );
const FURTHER_NAMES = { feber: 2, fevrier: 2, aout: 8, decembre: 12, setiembre: 9 };

/** The number of each name of a month, in lower case and without a full stop. */
const MONTH_NUMBERS = new Map<string, number>(Object.entries(FURTHER_NAMES));
const NAMED = LOCALES.flatMap((locale) =>
  (['long', 'short'] as const).flatMap((style) =>
    [{ month: style }, { month: style, day: 'numeric' } as const].map((form) => namesOf(locale, form)),
  ),
);
for (const names of NAMED) {
  learn(names, (name) => [name]);
}
const WHOLE_NAMES = new Set(MONTH_NUMBERS.keys());
// Abbreviations: three letters or more with which no other month of the language begins.
for (const names of NAMED) {
  learn(names, (name) =>
    Array.from({ length: Math.max(0, Math.min(name.length, 8) - 3) }, (_, index) =>
      name.slice(0, index + 3),
    ).filter((beginning) => names.filter((other) => other.startsWith(beginning)).length === 1),
  );
}

function namesOf(locale: string, form: Intl.DateTimeFormatOptions): string[] {
  const names = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { ...form, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = names.formatToParts(Date.UTC(2024, month, 3));
    return plainMonth(parts.find(({ type }) => type === 'month')?.value ?? '');
  });
}

/** What is known already stays as it is. */
function learn(names: readonly string[], formsOf: (name: string) => string[]): void {
  for (const [index, name] of names.entries()) {
    for (const form of formsOf(name)) {
      if (/^\p{L}[\p{L}\p{M}]/u.test(form) && !MONTH_NUMBERS.has(form)) {
        MONTH_NUMBERS.set(form, index + 1);
      }
    }
  }
}

function plainMonth(name: string): string {
  return name.toLowerCase().normalize('NFC').replace(/\.$/u, '');
}

/** What stands for a month's name in a text that is searched: a sign for each month, and fillers up to the name's length. */
const JANUARY_SIGN = 0xe001;
const FILLER = '\ue0ff';
const SIGNS = /[\ue000-\ue0ff]/gu;
const MONTH_SIGN = String.raw`[\ue001-\ue00c]`;
/** Names that are no single words, the longest first. */
const COMPOUNDS = [...MONTH_NUMBERS.keys()]
  .filter((name) => !/^[\p{L}\p{M}]+$/u.test(name))
  .sort((one, other) => other.length - one.length)
  .map((name) => name.replaceAll('.', String.raw`\.`));
const NAME = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?:${COMPOUNDS.join('|')}|\p{L}[\p{L}\p{M}]{1,19})(?![\p{L}\p{M}])`,
  'giu',
);

/**
 * The text with a sign for each name of a month, of the same length. Expressions with hundreds of names in them would be tried
 * at each place, and an engine with much code of expressions does not optimise them any more.
 */
function withMonthSigns(text: string): string {
  return text.replace(SIGNS, ' ').replace(NAME, (name) => {
    const month = MONTH_NUMBERS.get(plainMonth(name));
    return month === undefined
      ? name
      : String.fromCharCode(JANUARY_SIGN + month - 1) + FILLER.repeat(name.length - 1);
  });
}

const ROMAN_MONTHS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];

const UNITS = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const TEENS =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
/** The days of a month as English ordinals in words, the first at 0. */
const ORDINAL_DAYS = [
  ...UNITS,
  ...TEENS.split(' '),
  ...UNITS.map((unit) => `twenty-${unit}`),
  'thirtieth',
  'thirty-first',
];

export interface FoundDate extends Place {
  /** ISO 8601, as exact as the text is: 2026-03-01 or 2026-03. Null where a part is missing or its order is unclear. */
  readonly date: string | null;
}

/** All gaps are bounded, so that no run of spaces is read twice. A date may be wrapped at the end of a line. */
const GAP = String.raw`[ \t\u00a0\u202f]{0,3}(?:\r?\n[ \t]{0,8})?`;
const NOT_WITHIN = String.raw`(?<![\p{L}\p{N}/\-]|\d\.)`;
/** Russian and Ukrainian write a letter for the word year right behind it. */
const ENDS = String.raw`(?!\p{N}|(?![гр](?!\p{L}))\p{L})(?![./\-]\d)`;
const YEAR = String.raw`(?<year>1[5-9]\d\d|2[01]\d\d)`;
const YEAR_OR_SHORT = String.raw`(?<year>1[5-9]\d\d|2[01]\d\d|['’]\d\d)`;
const DAY = String.raw`(?<day>[12]\d|3[01]|0?[1-9])`;
/** "3 to 9 May" has two days of one month. */
const FIRST_DAY = String.raw`(?:(?<from>[12]\d|3[01]|0?[1-9])(?:\.|st|nd|rd|th|er|º)?${GAP}(?:to|until|bis|au|al|a|até|до|и|and|und|et|y|[–—-])${GAP})?`;
const MONTH = `(?<month>${MONTH_SIGN})${FILLER}{0,30}`;
const ORDINAL = '(?:st|nd|rd|th|er|º|ª)?';
const OF = `(?:(?:day[ ]of|of|de|del|d[’'])${GAP})?`;

const ISO = new RegExp(
  String.raw`${NOT_WITHIN}${YEAR}-(?<month>0[1-9]|1[0-2])(?:-(?<day>0[1-9]|[12]\d|3[01]))?(?=T\d\d:|${ENDS})${'(?!-)'}`,
  'gu',
);
const YEAR_FIRST = new RegExp(
  String.raw`${NOT_WITHIN}${YEAR}(?:[/.](?<month>0?[1-9]|1[0-2])[/.]${DAY}|(?<digits>(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))${ENDS}`,
  'gu',
);
/** Day and month are told apart by dots, which mean that the day is first, by a number above twelve, or by other dates. */
const NUMERIC = new RegExp(
  String.raw`(?<!\b(?:[Vv]ersion|[Rr]elease|[Vv]\.?) )${NOT_WITHIN}(?<first>\d{1,2})(?<mark>[./\-])[ ]?(?<second>\d{1,2})\k<mark>[ ]?(?<year>1[5-9]\d\d|2[01]\d\d|\d\d(?!\d))${ENDS}`,
  'gu',
);
const ROMAN = new RegExp(
  String.raw`${NOT_WITHIN}${DAY}\.[ ]?(?<month>(?:VI{0,3}|I[VX]|I{1,3}|XI{0,2}))\.?[ ]${YEAR}${ENDS}`,
  'gu',
);
const DAY_FIRST = new RegExp(
  `${NOT_WITHIN}${FIRST_DAY}${DAY}${ORDINAL}(?:[.]|-(?=${MONTH_SIGN}))?${GAP}${OF}${MONTH}[.]?(?:,|-(?=\\d))?(?:${GAP}${OF}${YEAR_OR_SHORT}${ENDS})?`,
  'giu',
);
const MONTH_FIRST = new RegExp(
  `${NOT_WITHIN}${MONTH}[.]?(?=\\s)${GAP}${FIRST_DAY}${DAY}(?:st|nd|rd|th)?(?![\\p{L}\\p{N}%:])(?![.,/\\-]\\d)(?:,?${GAP}(?:\\d\\d:\\d\\d(?::\\d\\d)?[ ])?${YEAR}${ENDS})?`,
  'giu',
);
const YEAR_MONTH_DAY = new RegExp(`${NOT_WITHIN}${YEAR}-${MONTH}-${DAY}${ENDS}`, 'giu');
const IN_WORDS = new RegExp(
  `${NOT_WITHIN}(?<ordinal>${[...ORDINAL_DAYS].reverse().join('|')})[ ](?:day[ ])?of[ ]${MONTH},?[ ]${YEAR}${ENDS}`,
  'giu',
);
const MONTH_AND_YEAR = new RegExp(
  `${NOT_WITHIN}${MONTH}[.]?,?(?=\\s)${GAP}${OF}${YEAR_OR_SHORT}${ENDS}`,
  'giu',
);
const EAST_ASIAN =
  /(?<!\d)(?<year>\d{4})[年년][ ]?(?<month>\d{1,2})[月월](?:[ ]?(?<day>\d{1,2})(?:[日일]|(?![\d\p{L}])))?/gu;

/** In order, numeric or with names of months. Impossible days, words such as "tomorrow" and bare years are none. */
export function datesIn(source: string): FoundDate[] {
  const text = unmarkedText(source);
  const signed = withMonthSigns(text);
  const found = [
    ...[ISO, YEAR_FIRST, EAST_ASIAN, ROMAN].flatMap((pattern) => matches(text, text, pattern)),
    ...numericDates(text),
    ...[DAY_FIRST, MONTH_FIRST, YEAR_MONTH_DAY, IN_WORDS, MONTH_AND_YEAR].flatMap((pattern) =>
      matches(text, signed, pattern).filter(isWritten),
    ),
  ];
  const longestFirst = found.sort((one, other) => other.end - other.start - (one.end - one.start));
  // Removed last, so that no part of an impossible date is taken for one.
  return withoutOverlaps(longestFirst)
    .filter(({ isReal }) => isReal)
    .flatMap(({ text: written, start, end, date, from }) => {
      const whole = { text: written, start, end, date };
      return from === null ? [whole] : parted(whole, from);
    })
    .map((date) => ({ ...date, text: source.slice(date.start, date.end) }));
}

interface ReadDate extends FoundDate {
  readonly isReal: boolean;
  /** The first day of a range of days, as it is written. */
  readonly from: string | null;
}

/** @param signed the text, or the text with signs for the names of months */
function matches(text: string, signed: string, pattern: RegExp): ReadDate[] {
  return [...signed.matchAll(pattern)].map((match) => {
    const { year, month = '', day, digits, ordinal, from } = match.groups ?? {};
    const number = monthNumber(month);
    const inWords = ordinal === undefined ? null : ORDINAL_DAYS.indexOf(ordinal.toLowerCase()) + 1;
    const ofDigits = digits === undefined ? null : [Number(digits.slice(0, 2)), Number(digits.slice(2))];
    const { start, end } = placeOf(match);
    const read = dated(
      { text: text.slice(start, end), start, end },
      yearOf(year),
      ofDigits?.[0] ?? number,
      ofDigits?.[1] ?? inWords ?? (day === undefined ? null : Number(day)),
    );
    return { ...read, from: from ?? null };
  });
}

/** Of a sign, a Roman number or digits. */
function monthNumber(written: string): number {
  const sign = written.charCodeAt(0) - JANUARY_SIGN + 1;
  return sign >= 1 && sign <= 12 ? sign : ROMAN_MONTHS.indexOf(written) + 1 || Number(written);
}

/** Two digits of a year are of this century. */
function yearOf(written: string | undefined): number | null {
  const digits = written?.replace(/\D/gu, '');
  return digits === undefined ? null : Number(digits) + (digits.length === 2 ? 2000 : 0);
}

/**
 * Dates of numbers alone. "03/04/2026" has its order from the other dates with slashes or hyphens, if one of them can be read
 * in one order only; its date is null where none tells, or where they tell both.
 */
function numericDates(text: string): ReadDate[] {
  const read = [...text.matchAll(NUMERIC)].map((match) => {
    const { first, second, year, mark } = match.groups ?? {};
    const [one, other] = [Number(first), Number(second)];
    return { place: placeOf(match), year: yearOf(year), one, other, isDotted: mark === '.' };
  });
  const slashed = read.filter(({ isDotted }) => !isDotted);
  const isDayFirst = slashed.some(({ one }) => one > 12);
  const isMonthFirst = slashed.some(({ other }) => other > 12);
  return read.map(({ place, year, one, other, isDotted }) => {
    if (isDotted || one > 12 || one === other || (other <= 12 && isDayFirst && !isMonthFirst)) {
      return dated(place, year, other, one);
    }
    const asMonthFirst = dated(place, year, one, other);
    return other > 12 || (isMonthFirst && !isDayFirst) ? asMonthFirst : { ...asMonthFirst, date: null };
  });
}

function dated(found: Place, year: number | null, month: number, day: number | null): ReadDate {
  const place = trimmed(found);
  const isReal =
    month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= daysOf(year ?? 2000, month)));
  const digits = (part: number) => String(part).padStart(2, '0');
  const parts = [year, digits(month), ...(day === null ? [] : [digits(day)])];
  return { ...place, date: year === null ? null : parts.join('-'), isReal, from: null };
}

/** The two ends of a range: the first day with the month of the last. */
function parted(last: FoundDate, from: string): FoundDate[] {
  const at = last.text.search(new RegExp(`(?<!\\d)${from}(?!\\d)`, 'u'));
  const start = last.start + at;
  const date = last.date === null ? null : `${last.date.slice(0, -2)}${from.padStart(2, '0')}`;
  const first = { text: from, start, end: start + from.length, date };
  return at === 0 ? [first, restOf(last, from)] : [first, last];
}

/** What stands behind the first day and the word between. */
function restOf(last: FoundDate, from: string): FoundDate {
  const gap = /^\D+/u.exec(last.text.slice(from.length))?.[0].length ?? 0;
  const at = from.length + gap;
  return { ...last, text: last.text.slice(at), start: last.start + at };
}

/** An abbreviation's stop and a comma belong to a date only where the year follows. */
function trimmed({ text, start }: Place): Place {
  const kept = text.replace(/[.,\s]{1,8}$/u, '');
  return { text: kept, start, end: start + kept.length };
}

/** "may 5", "mar 3" and "5 list" are no dates: without a year the month has to be a whole word with a capital. */
function isWritten({ text, date }: FoundDate): boolean {
  const name = /\p{L}{3,}/u.exec(text.replace(/^\d{1,2}(?:st|nd|rd|th|er)/u, ''))?.[0] ?? '';
  if (
    date === null &&
    !(text.match(/[\p{L}\p{M}]{3,20}/gu) ?? []).some((word) => WHOLE_NAMES.has(plainMonth(word)))
  ) {
    return false;
  }
  const isCapital = /^\p{Lu}/u.test(name);
  return isCapital || date !== null || (/^\d/u.test(text) && name.length > 3);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}
