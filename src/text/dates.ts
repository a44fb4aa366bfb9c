import { matchesIn, type Place, placeOf, unmarkedText, withoutOverlaps } from './places';
import { OTHER_DIGITS, UNSPACED_SCRIPTS, withoutAccents, withPlainDigits } from './searchable-text';

/** Month names of these locales are read, as Node's ICU writes them alone and after a day. */
const LOCALES =
  'en de de-AT fr es it pt nl pl ru uk be bg mk sr sr-Latn sl cs sk sv da nb fi et lv lt ro hu tr el ca hr he ar ar-SY ar-DZ hi bn ur fa id fil vi th ka'.split(
    ' ',
  );

/** Spellings and forms that ICU lacks: short ones, and months as they stand after "in". Each line has twelve months. */
const FURTHER_NAMES = [
  'ян feber mrz - - يونيه يوليه aout setiembre - studenog -',
  'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре',
  'січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні',
  'styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu',
  'lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci',
  'siječnju veljači ožujku travnju svibnju lipnju srpnju kolovozu rujnu listopadu studenom prosincu',
  'januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra',
  'janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī',
  ...['ssa', 'n'].map((ending) =>
    'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu'.replace(/\S+/g, `$&kuu${ending}`),
  ),
];
const VIETNAMESE_NUMBERS =
  'một|01;hai|02;ba|03;tư|bốn|04;năm|05;sáu|06;bảy|07;tám|08;chín|09;mười;mười một;mười hai'.split(';');

const MONTH_NUMBERS = new Map<string, number>();
const NAMED = LOCALES.flatMap((locale) =>
  (['long', 'short'] as const).flatMap((style) =>
    [{ month: style }, { month: style, day: 'numeric' } as const].map((form) => namesOf(locale, form)),
  ),
);
for (const names of NAMED) {
  learn(names, (name) => [name]);
}
for (const names of FURTHER_NAMES) {
  learn(names.split(' ').map(plainMonth), (name) => [name]);
}
learn(VIETNAMESE_NUMBERS, (numbers) => numbers.split('|').map((number) => `tháng ${number}`));
for (const names of NAMED) {
  learn(names, (name) =>
    name.length < 4 ? [] : [plainMonth(withoutAccents(name)), name.replaceAll('ä', 'ae')],
  );
}
const WHOLE_NAMES = new Set(MONTH_NUMBERS.keys());
// Abbreviations: at least three letters with which no other month of the language begins.
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

function learn(names: readonly string[], formsOf: (name: string) => string[]): void {
  for (const [index, name] of names.entries()) {
    for (const form of formsOf(name)) {
      if (/^\p{L}[\p{L}\p{M}.]/u.test(form) && !MONTH_NUMBERS.has(form)) {
        MONTH_NUMBERS.set(form, index + 1);
      }
    }
  }
}

/** Unifies spellings: dots and vowels of Hindi and Bengali, Arabic alefs, the Turkish i. */
function plainMonth(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\u093c\u09bc\u0307]/gu, '')
    .replace(/[\u0901]|म्(?=[पफबभ])|न्(?=[तथदध])/gu, '\u0902')
    .replaceAll('\u0940', '\u093f')
    .replaceAll('\u09c0', '\u09bf')
    .replace(/[أإآ]/gu, 'ا')
    .replaceAll('ı', 'i')
    .replace(/^(?:เดือน|de |d[’']|ב(?=\p{L}{3}))/u, '')
    .replace(/\.$/u, '');
}

/** Private characters that stand for January to December; plus sixteen for an abbreviation. */
const [JANUARY, ABBREVIATED] = [0xe001, 0x10];
const MONTH_MARK = String.raw`[\ue001-\ue01c]`;
const WHOLE_MONTH_MARK = String.raw`[\ue001-\ue00c]`;
const MARK = new RegExp(MONTH_MARK, 'gu');
const IS_WHOLE = new RegExp(`^${WHOLE_MONTH_MARK}`, 'u');
const IN_BRACKETS = new RegExp(String.raw`\[(${MONTH_MARK}){1,20}\]`, 'gu');

const FIRST_WORDS = [
  ...new Set(
    [...MONTH_NUMBERS.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]),
  ),
].join('|');
/** One word, two, or letters with full stops as in Thai. German "des Jahres" has no short December of Croatian. */
const MONTH_WORD = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?!des Jahr)(?:(?:${FIRST_WORDS}) (?:mười (?:một|hai)|\d{1,2}|[\p{L}\p{M}]{1,12})|(?:\p{L}\p{M}?){1,2}\.\p{L}|\p{L}[\p{L}\p{M}]{1,20})(?![\p{L}\p{M}])`,
  'giu',
);

function withMonthsMarked(text: string): string {
  return text
    .replace(MARK, '\ue000')
    .replace(MONTH_WORD, (word) => {
      const name = plainMonth(word);
      const number = MONTH_NUMBERS.get(name);
      const first = JANUARY + (WHOLE_NAMES.has(name) ? 0 : ABBREVIATED);
      return number === undefined ? word : String.fromCharCode(first + number - 1).repeat(word.length);
    })
    .replace(IN_BRACKETS, (bracketed, mark: string) => mark.repeat(bracketed.length));
}

function monthOf(marks: string): number {
  return marks.search(MARK) === 0 ? ((marks.charCodeAt(0) - JANUARY) % ABBREVIATED) + 1 : NaN;
}

const ROMAN_MONTHS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];

const UNITS = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const TEENS =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
const TENS = UNITS.map((unit) => `twenty-${unit}`);
const ORDINAL_DAYS = [...UNITS, ...TEENS.split(' '), ...TENS, 'thirtieth', 'thirty-first'];

export interface FoundDate extends Place {
  /** ISO 8601, as exact as the text: 2026-03-01 or 2026-03. Null where a part is missing or its order is unclear. */
  readonly date: string | null;
}

/** All gaps are bounded, so that no run of spaces is read twice. A date may be wrapped at the end of a line. */
const GAP = String.raw`[ \t\u00a0\u202f]{0,3}(?:\r?\n[ \t]{0,8})?`;
const UNSPACED = `[${UNSPACED_SCRIPTS}]`;
const NOT_WITHIN = String.raw`(?<!(?!${UNSPACED})\p{L}|${MONTH_MARK}|[\p{N}/]|(?<!\p{Script=Hebrew})-|\d\.)`;
/** Russian and Ukrainian write a letter for "year" right after it. A time may follow any mark. */
const ENDS = String.raw`(?!\p{N}|(?!${UNSPACED}|[гр](?!\p{L}))\p{L})(?![./\-]\d(?!\d?:\d\d))`;
const YEAR = String.raw`(?<year>1[5-9]\d\d|2[01]\d\d)`;
/** Not a count: "On 5 May 1200 people came". Two digits need an apostrophe or the mark before the month. */
const YEAR_OR_SHORT = String.raw`(?<year>1[5-9]\d\d|2[01]\d\d|1[0-4]\d\d(?![ ]\p{Script=Latin})|['’]\d\d|(?<=\d-${MONTH_MARK}{2,40}-|\d/${MONTH_MARK}{2,40}/)\d\d(?![\d:]))`;
const DAY = String.raw`(?<day>[12]\d|3[01]|0?[1-9])`;
const ORDINAL_MARKS =
  "st|nd|rd|th|er|ère|ème|ste|de|ten|te|ro|ero|[ºª°]|:?[ae]|-?(?:го|ого|ое|е|й)|লা|রা|ঠা|ই|শে|η|ής|['’]?(?:[iıuü]nc[iıuü]|nc[iıuü])";
const ORDINAL = String.raw`(?:(?:${ORDINAL_MARKS})(?![\p{L}\p{M}]))?`;
const FIRST_DAYS = String.raw`(?<from>(?:(?:[12]\d|3[01]|0?[1-9])(?:\.|${ORDINAL}),${GAP}){0,9}(?:[12]\d|3[01]|0?[1-9])(?:\.|${ORDINAL})(?:,?${GAP}(?:to|until|bis|au|al|a|até|do|tot|tot en met|t/m|til|till|до|по|έως|и|i|and|und|en|et|e|y|[–—-])${GAP})(?:(?:the|den|le|el|il|o)[ ])?)?`;
const MONTH = String.raw`(?<month>${MONTH_MARK}{2,40})(?![\p{L}\p{M}])`;
const OF = `(?:(?:day[ ]of|of|de|del|di|van|u|ng|من)${GAP}|d[’'])?`;
const YEAR_WORDS =
  'year|año|ano|anno|année|jahre?s?|jaar|år|året|rok|roku|року|год|година|năm|yıl|yılı|tahun|vuonna|عام|سنة|सन्|वर्ष|সাল|ปี';
const OF_YEAR = `(?:(?:of|del?|van|من)${GAP}|d[’'])?(?:(?:(?:in|do|im|des|en)[ ])?(?:l[’']an|(?:(?:the|el)[ ]|l[’']|dell[’'])?(?:${YEAR_WORDS}))${GAP})?`;

const ISO = String.raw`${NOT_WITHIN}${YEAR}-(?<month>0[1-9]|1[0-2])(?:-(?<day>0[1-9]|[12]\d|3[01]))?(?=T\d\d:|${ENDS})(?![-年년])`;
const YEAR_FIRST = String.raw`${NOT_WITHIN}${YEAR}(?:(?<mark>[/.\-][ ]?)(?<month>0?[1-9]|1[0-2])\k<mark>${DAY}|(?<digits>(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])))${ENDS}`;
const DOTTED_DAY = String.raw`\d{1,2}\.[ ]?\d{1,2}\.`;
const PARTS = String.raw`[Cc]hap(?:ter|\.)|[Ss]ect(?:ion|\.)|[Cc]lause|[Ff]ig(?:ure|\.)|[Tt]able|[Ii]tem|[Pp]aragraph|[Aa]rt(?:icle|\.)|[Aa]rtikel|[Aa]rtículo|[Kk]ap(?:itel|\.)|[Aa]bschnitt|[Aa]bb(?:ildung|\.)|[Tt]ab(?:elle|leau|ella|la|\.)|[Zz]iff(?:er|\.)|[Pp]unkt|[Pp]unto|[Cc]hapitre|[Cc]apítulo|[Cc]apitolo|[Ss]ección|[Ss]ezione|[Hh]oofdstuk|[Pp]age|[Qq]uestion|[Pp]art|[Nn]os?\.?`;
/** "Section 10.2.24" and "§§ 4.1.20 and 4.1.21", but not "table 1.2.2024". */
const PART_AHEAD = String.raw`(?<!\p{L})(?:(?:${PARTS})s? |§{1,2} ?)(?:\d[\d.]{0,12}(?:,? (?:and|or|to|und|et|y|e) |, |-|–)){0,3}(?=\d{1,2}\.\d{1,2}\.\d\d(?!\d))`;
/** Day and month are told apart by dots (day first), by a number above twelve, or by other dates. */
const NUMERIC = new RegExp(
  String.raw`(?<!${PART_AHEAD}|\b(?:[Vv]ersion|[Rr]elease|[Vv]\.?) |\b(?:[Vv]ersions|[Rr]eleases) (?:\d[\d.]{0,12}(?:,? (?:and|or|to) |, |-|–)){0,3})(?:${NOT_WITHIN}|(?<=(?<![\p{L}\p{N}./\-])${DOTTED_DAY}-))(?<first>\d{1,2})[ ]?(?<mark>[./\-])[ ]?(?<second>\d{1,2})[ ]?\k<mark>[ ]?(?<year>1[5-9]\d\d|2[01]\d\d|(?<![ ][./\-][ ]?)\d\d(?!\d))${ENDS}`,
  'gu',
);
const ROMAN = String.raw`${NOT_WITHIN}${DAY}\.[ ]?(?<month>(?:VI{0,3}|I[VX]|I{1,3}|XI{0,2}))\.?[ ]${YEAR}${ENDS}`;
const DAY_FIRST = `${NOT_WITHIN}${FIRST_DAYS}${DAY}${ORDINAL}(?:[.]|[-/](?=${MONTH_MARK}))?${GAP}${OF}${MONTH}[.]?(?:[,،]|[-/.](?=\\d))?(?:${GAP}${OF_YEAR}${YEAR_OR_SHORT}${ENDS})?`;
const MONTH_FIRST = `${NOT_WITHIN}${MONTH}[.]?(?=\\s)${GAP}(?:the[ ])?${FIRST_DAYS}${DAY}${ORDINAL}(?![\\p{L}\\p{N}%:])(?![.,/\\-]\\d)(?:[,،]?${GAP}(?:\\d\\d:\\d\\d(?::\\d\\d)?[ ](?:[A-Z]{2,4}[ ]|[+-]\\d{4}[ ])?)?${OF_YEAR}${YEAR_OR_SHORT}${ENDS})?`;
const MONTH_DAY_YEAR = `${NOT_WITHIN}${MONTH}(?<mark>[-/.])${DAY}(?:\\k<mark>|,[ ]?)${YEAR}${ENDS}`;
/** Excludes a year that belongs to the month before it, and a day that belongs to the year after it. */
const YEAR_BEFORE = String.raw`(?<!${MONTH_MARK}[^\n]{0,12})${NOT_WITHIN}${YEAR}`;
const BEHIND_YEAR = String.raw`[.,]?(?:[ ]?(?:წლის|წ[.]|m[.]|gada|года|г[.]|року|р[.]))?(?=\s)${GAP}`;
const NO_YEAR_BEHIND = String.raw`(?![.,]?[ ]?\d{4})`;
const YEAR_MONTH_DAY = `${YEAR_BEFORE}(?:[-/]|${BEHIND_YEAR})${MONTH}(?:[-/]|[.]?${GAP})${DAY}${ORDINAL}${ENDS}${NO_YEAR_BEHIND}`;
const YEAR_DAY_MONTH = `${YEAR_BEFORE}${BEHIND_YEAR}${DAY}${ORDINAL}(?:[-.])?${GAP}${OF}${MONTH}${NO_YEAR_BEHIND}`;
const IN_WORDS = `${NOT_WITHIN}(?<ordinal>${[...ORDINAL_DAYS].reverse().join('|')})[ ](?:day[ ])?of[ ]${MONTH},?[ ]${YEAR}${ENDS}`;
const MONTH_AND_YEAR = `${NOT_WITHIN}${MONTH}(?:[.]?[,،]?(?=\\s)${GAP}(?:of|del?|van|من)?${GAP}(?<year>1[5-9]\\d\\d|2[01]\\d\\d|['’]\\d\\d)|[-/](?<joined>1[5-9]\\d\\d|2[01]\\d\\d))${ENDS}`;
/** No abbreviation: "sau năm 1850" is "after the year" in Vietnamese, not a Lithuanian January. */
const MONTH_OF_YEAR = `${NOT_WITHIN}(?=${WHOLE_MONTH_MARK})${MONTH},?(?=\\s)${GAP}${OF_YEAR}${YEAR}${ENDS}`;
const BETWEEN = String.raw`(?:,?\s{0,2}(?:[–—-]|to|until|through|and|or|bis(?: zum)?|und|oder|au|al|y|et)\s{1,2}(?:the )?|[–—-])`;
const MONTH_OF_LIST = `${NOT_WITHIN}(?=${WHOLE_MONTH_MARK})${MONTH}(?=(?:, ${MONTH_MARK}{2,40}){0,9}${BETWEEN}${MONTH_MARK}{2,40}[ ](?:1[5-9]|2[01])\\d\\d(?!\\p{N}))`;
const WITH_NAMES = [
  DAY_FIRST,
  MONTH_FIRST,
  MONTH_DAY_YEAR,
  YEAR_MONTH_DAY,
  YEAR_DAY_MONTH,
  IN_WORDS,
  MONTH_AND_YEAR,
  MONTH_OF_YEAR,
  MONTH_OF_LIST,
].map((pattern) => new RegExp(pattern, 'giu'));

const HAN_DIGITS = '〇一二三四五六七八九';
const EAST_ASIAN =
  /(?<![\d〇零一二三四五六七八九])(?<year>\d{4}|[〇零一二三四五六七八九]{4})[ ]?[年년][ の]?(?<month>\d{1,2}|十[一二]?|[一二三四五六七八九])[ ]?[月월](?:[ の]?(?<day>\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?:[ ]?[日일号號]|(?![\d\p{L}])))?/gu;
const EAST_ASIAN_YEAR_LAST =
  /(?<!\d)(?<month>\d{1,2})[月월][ ]?(?<day>\d{1,2})[日일](?:,[ ]?|[ ])(?<year>1[5-9]\d\d|2[01]\d\d)(?!\d)[年년]?/gu;

/** "06/2015 – 02/2020" and "03/2018 – present" are months; "06/2015" and "1.2000 – 1.2050" may not be. */
const NUMBER_OF_MONTH = String.raw`(?:0?[1-9](?=/)|0[1-9]|1[0-2])`;
const MONTH_NUMBER = String.raw`${NUMBER_OF_MONTH}[./](?:19|20)\d\d`;
const NUMBERED_THING = String.raw`(?<!(?:[Vv]ersions?|[Ii]ssues?|[Nn](?:os?|rn?)\.?|[Aa]usgaben?|[Hh]efte?|[Ll]ey(?:es)?|[Dd]irectives?)[ ])`;
const RANGE = `${GAP}(?:[–—-]|to|until|bis|au|al|a)${GAP}`;
const NOW =
  '[Pp]resent|[Tt]oday|[Nn]ow|[Cc]urrent|[Oo]ngoing|[Hh]eute|[Jj]etzt|[Aa]ujourd|[Aa]ctualidad|[Oo]ggi';
const NUMBERED_MONTH = `(?<month>${NUMBER_OF_MONTH})[./]${YEAR}`;
const FROM_MONTH = String.raw`${NUMBERED_THING}${NOT_WITHIN}${NUMBERED_MONTH}(?=${RANGE}(?:${MONTH_NUMBER}${ENDS}|${NOW}))`;
const TO_MONTH = String.raw`(?<=${NUMBERED_THING}(?<![\p{L}\p{N}./-])${MONTH_NUMBER}${RANGE})${NUMBERED_MONTH}${ENDS}`;
/** "1.3.–31.3.2025" and "1.3., 5.3. und 7.3.2025", but no "Python 3.8-3.11.10" or "2.1 and 2.2.10". */
const UNTIL = '(?:[ ]?[–—][ ]?|[ ]-[ ]|[ ]bis[ ](?:zum[ ])?)';
const LAST_DAY = String.raw`${DOTTED_DAY}[ ]?(?:19|20)\d\d(?!\p{N})`;
const FROM_DAY = String.raw`${NOT_WITHIN}${DAY}\.[ ]?(?<month>0?[1-9]|1[0-2])(?:\.(?=(?:${UNTIL}|-)${DOTTED_DAY}[ ]?(?:19|20)?\d\d(?!\p{N})|(?:,[ ]${DOTTED_DAY}){0,9}[ ]und[ ]${LAST_DAY})|(?=${UNTIL}${LAST_DAY}))`;

const WITHOUT_NAMES = [
  ISO,
  YEAR_FIRST,
  EAST_ASIAN,
  EAST_ASIAN_YEAR_LAST,
  ROMAN,
  FROM_MONTH,
  TO_MONTH,
  FROM_DAY,
].map((pattern) => new RegExp(pattern, 'gu'));

/** Leaves out impossible days, words such as "tomorrow" and bare years. */
export function datesIn(source: string): FoundDate[] {
  const unmarked = unmarkedText(source);
  const text = withMonthsMarked(withPlainDigits(unmarked));
  const found = [
    ...WITHOUT_NAMES.flatMap((pattern) => matches(text, pattern)),
    ...numericDates(text).filter(({ start, end }) => !OTHER_SHORT_YEAR.test(unmarked.slice(start, end))),
    ...WITH_NAMES.flatMap((pattern) => matches(text, pattern)).filter((date) => isWritten(date, unmarked)),
  ];
  const longestFirst = found.sort((one, other) => other.end - other.start - (one.end - one.start));
  // Removed last, so that no part of an impossible date is taken for one.
  const real = withoutOverlaps(longestFirst).filter(({ isReal }) => isReal);
  for (const [index, date] of [...real.entries()].reverse()) {
    real[index] = withYearOf(date, real[index + 1], text);
  }
  return real
    .flatMap((date) => (date.from === null ? [date] : parted(date, date.from, text)))
    .map(({ start, end, date }) => ({ text: source.slice(start, end), start, end, date }));
}

const BETWEEN_DATES = new RegExp(`^[.]?${BETWEEN}$`, 'u');
const OF_LIST = /and|or|und|oder|y|et|^[.]?,\s{1,2}$/u;

/** "28 September to 2 October 2026" states the year of both once; "December and February 2024" is ambiguous. */
function withYearOf(date: ReadDate, next: ReadDate | undefined, text: string): ReadDate {
  const { monthDay } = date;
  const between = text.slice(date.end, next?.start);
  const isListed = typeof next?.monthDay === 'string' && /^[.]?,\s{1,2}$/u.test(between);
  if (monthDay === null || !next?.date || (!isListed && !BETWEEN_DATES.test(between))) {
    return date;
  }
  const isOfYearBefore = monthDay > next.date.slice(5);
  if (isOfYearBefore && OF_LIST.test(between)) {
    return date;
  }
  const year = Number(next.date.slice(0, 4)) - (isOfYearBefore ? 1 : 0);
  return { ...date, date: `${year}-${monthDay}` };
}

/** Two digits that are not Latin may be a year of the Persian or Islamic calendar. */
const OTHER_SHORT_YEAR = new RegExp(`(?<![${OTHER_DIGITS}])[${OTHER_DIGITS}]{2}$`, 'u');

interface ReadDate extends FoundDate {
  readonly isReal: boolean;
  readonly isWhole: boolean;
  readonly from: string | null;
  readonly monthDay: string | null;
}

function matches(text: string, pattern: RegExp): ReadDate[] {
  return matchesIn(text, pattern).map((match) => {
    const { year, joined, month = '', day, digits, ordinal, from } = match.groups ?? {};
    const inWords = ordinal === undefined ? null : ORDINAL_DAYS.indexOf(ordinal.toLowerCase()) + 1;
    const ofDigits = digits === undefined ? null : [Number(digits.slice(0, 2)), Number(digits.slice(2))];
    const read = dated(
      placeOf(match),
      yearOf(year ?? joined, match.index, text),
      ofDigits?.[0] ?? (monthOf(month) || ROMAN_MONTHS.indexOf(month) + 1 || numberOf(month)),
      ofDigits?.[1] ?? inWords ?? (day === undefined ? null : numberOf(day)),
    );
    return { ...read, isWhole: IS_WHOLE.test(month), from: from ?? null };
  });
}

function numberOf(written: string): number {
  if (/^\d+$/u.test(written)) {
    return Number(written);
  }
  const [tens = '', ones] = written.split('十');
  return ones === undefined
    ? HAN_DIGITS.indexOf(tens)
    : 10 * (tens === '' ? 1 : HAN_DIGITS.indexOf(tens)) + Math.max(0, HAN_DIGITS.indexOf(ones));
}

/** Words before a day that is still to come, but not "bis" in "1.5.52 bis 31.12.55". */
const TO_COME =
  /(?<!\p{L}|[./-](?:19)?[5-9]\d )(?:bis|until|till|due|fällig|expir(?:es|ing|y(?: date)?)|matur(?:es|ity(?: date)?)|hasta|jusqu['’]au|до|fino al|t\/m|tot)(?: (?:zum|on|by|el|am))?[\s:]{1,3}$/iu;

/** Two digits are read as RFC 5280 does. */
function yearOf(written: string | undefined, at: number, text: string): number | null {
  const digits = written
    ?.replace(/[〇零一二三四五六七八九]/gu, (digit) => String(Math.max(0, HAN_DIGITS.indexOf(digit))))
    .replace(/\D/gu, '');
  const isOfThisCentury = Number(digits) < 50 || TO_COME.test(text.slice(Math.max(0, at - 24), at));
  const century = digits?.length !== 2 ? 0 : isOfThisCentury ? 2000 : 1900;
  return digits === undefined ? null : Number(digits) + century;
}

/** The order of "03/04/2026" is that of the text's unambiguous dates; null where there are none. */
function numericDates(text: string): ReadDate[] {
  const read = matchesIn(text, NUMERIC).map((match) => {
    const { first, second, year, mark } = match.groups ?? {};
    const [one, other] = [Number(first), Number(second)];
    return {
      place: placeOf(match),
      year: yearOf(year, match.index, text),
      one,
      other,
      isDotted: mark === '.',
    };
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
  const days = new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
  const isReal = month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= days));
  const digits = (part: number) => String(part).padStart(2, '0');
  const monthDay = [month, ...(day === null ? [] : [day])].map(digits).join('-');
  const read = { ...place, isReal, isWhole: false, from: null };
  return year === null
    ? { ...read, date: null, monthDay }
    : { ...read, date: `${year}-${monthDay}`, monthDay: null };
}

const NUMBERED = new RegExp(String.raw`(?:${PARTS})s?\s$`, 'u');

/** Each of the days before the last has its month and year, but not in "30, 31 and 1 April" or "May 5, 12 and 19 people". */
function parted(last: FoundDate, from: string, text: string): FoundDate[] {
  const at = last.text.indexOf(from);
  const start = last.start + at + from.length;
  const rest = { ...last, text: text.slice(start, last.end), start };
  const days = matchesIn(from, /(?<!\d)\d{1,2}/gu).map(placeOf);
  const numbers = [...days, rest].map((day) => parseInt(day.text, 10));
  const isRising = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  const firsts = days.map((day, index) => ({
    text: day.text,
    start: index === 0 ? last.start : last.start + at + day.start,
    end: last.start + at + day.end,
    date: last.date && `${last.date.slice(0, -2)}${day.text.padStart(2, '0')}`,
  }));
  if (at > 0) {
    return isRising && (last.date !== null || days.length === 1) ? [...firsts, rest] : firsts.slice(0, 1);
  }
  return isRising && !NUMBERED.test(text.slice(Math.max(0, last.start - 12), last.start))
    ? [...firsts, rest]
    : [rest];
}

/** A trailing full stop or comma belongs to a date only where the year follows. */
function trimmed({ text, start }: Place): Place {
  const kept = text.replace(/[.,،/\-\s]{1,8}$/u, '');
  return { text: kept, start, end: start + kept.length };
}

/** "may 5", "mar 3" and "5 list" are no dates: without a year the month has to be a whole capitalised word. */
function isWritten({ start, end, date, isWhole }: ReadDate, source: string): boolean {
  if (date === null && !isWhole) {
    return false;
  }
  const text = source.slice(start, end);
  const name = /\p{L}{3,}/u.exec(text.replace(/^\d{1,2}(?:st|nd|rd|th|er)/u, ''))?.[0] ?? '';
  // A year may end a sentence before "March 5", but not before the small letter of "2014. március 5".
  if (/^\d{4}\.\s+[\p{Lu}\d]/u.test(text)) {
    return false;
  }
  const isCapital = /^\p{Lu}/u.test(name);
  return isCapital || date !== null || (/^\d/u.test(text) && name.length > 3);
}
