import { withoutAccents } from './searchable-text';

/** The languages whose names of months are read, as Node's ICU writes them alone and behind a day. */
const LOCALES =
  'en de de-AT fr es it pt nl pl ru uk be bg mk sr sr-Latn sl cs sk sv da nb fi et lv lt ro hu tr el ca hr ar ar-SY ar-DZ hi bn ur fa id fil vi th ka'.split(
    ' ',
  );

/** What ICU does not have: other spellings, short forms, and months as they stand behind "in"; a year in each. */
const FURTHER_NAMES = [
  'ян feber mrz - - يونيه يوليه aout setiembre - studenog -',
  'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре',
  'січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні',
  'styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu',
  'lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci',
  'siječnju veljači ožujku travnju svibnju lipnju srpnju kolovozu rujnu listopadu studenom prosincu',
  'janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī',
  ...['ssa', 'n'].map((ending) =>
    'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu'.replace(
      /\p{L}+/gu,
      `$&kuu${ending}`,
    ),
  ),
];
const VIETNAMESE_NUMBERS =
  'một|01;hai|02;ba|03;tư|bốn|04;năm|05;sáu|06;bảy|07;tám|08;chín|09;mười;mười một;mười hai'.split(';');

/** The number of each name of a month, as `plainMonth` writes it. */
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
      if (/^\p{L}[\p{L}\p{M}.]/u.test(form) && !MONTH_NUMBERS.has(form)) {
        MONTH_NUMBERS.set(form, index + 1);
      }
    }
  }
}

/**
 * One spelling of those that a language has: without the dot below of Hindi and Bengali, with short vowels and a dot for a nasal,
 * with a bare alef in Arabic, with the i of English in Turkish capitals, and without the words before it in Thai and Catalan.
 */
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
    .replace(/^(?:เดือน|de |d[’'])/u, '')
    .replace(/\.$/u, '');
}

/** Private characters that stand for January to December, sixteen further on for an abbreviation. */
const [JANUARY, ABBREVIATED] = [0xe001, 0x10];
export const MONTH_MARK = String.raw`[\ue001-\ue01c]`;
export const WHOLE_MONTH_MARK = String.raw`[\ue001-\ue00c]`;
const MARK = new RegExp(MONTH_MARK, 'gu');
const IN_BRACKETS = new RegExp(String.raw`\[(${MONTH_MARK}){1,20}\]`, 'gu');

/** The first words of names that are two, such as "tháng hai". */
const FIRST_WORDS = [
  ...new Set(
    [...MONTH_NUMBERS.keys()].filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]),
  ),
].join('|');
/** One word, two, or letters with full stops as Thai abbreviates. German "des Jahres" has no short December of Croatian. */
const MONTH_WORD = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?!des Jahr)(?:(?:${FIRST_WORDS}) (?:mười (?:một|hai)|\d{1,2}|[\p{L}\p{M}]{1,12})|(?:\p{L}\p{M}?){1,2}\.\p{L}|\p{L}[\p{L}\p{M}]{1,20})(?![\p{L}\p{M}])`,
  'giu',
);

/** The text with each name of a month replaced by as many marks of it. Linear time. */
export function withMonthsMarked(text: string): string {
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

/** The number of the month that marks stand for; NaN of anything else. */
export function monthOf(marks: string): number {
  const month = (marks.charCodeAt(0) - JANUARY) % ABBREVIATED;
  return isMark(marks) ? month + 1 : NaN;
}

/** Whether marks stand for a month's name in full, and no abbreviation. */
export function isWholeMonth(marks: string): boolean {
  return isMark(marks) && marks.charCodeAt(0) < JANUARY + ABBREVIATED;
}

function isMark(text: string): boolean {
  return text.search(MARK) === 0;
}
