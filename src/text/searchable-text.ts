/** The words of this much text fit into a tsvector, which is limited to 1 MB. */
const SEARCHED_LENGTH_MAX = 100_000;
/** Normalising a run of combining marks takes quadratic time: 100,000 blocked the event loop for seconds. */
const ENDLESS_MARKS = /(\p{M}{8})\p{M}+/gu;
const COMPOSED_LENGTH_MIN = 100;
const ACCENTS = /[\u0300-\u036f]/g;
const SHARP_S = /ß/g;
const DIVIDED = /(\p{Ll})-[ \t]{0,4}\r?\n[ \t]{0,8}(?=\p{Ll})|\u00ad/gu;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;
/** For a regular expression's class: scripts without spaces, in which each character is a word. */
export const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');

/** In lower case without accents, for texts and queries: Postgres would index an e-mail address as one word. */
export function searchableText(text: string): string {
  const joined = text.slice(0, SEARCHED_LENGTH_MAX).replace(DIVIDED, '$1');
  const folded = withoutAccents(joined).toLowerCase().replace(SHARP_S, 'ss');
  return folded.slice(0, SEARCHED_LENGTH_MAX).replace(BETWEEN_WORDS, ' ').replace(UNSPACED, ' $& ').trim();
}

export function withoutAccents(text: string): string {
  return text.replace(ENDLESS_MARKS, '$1').normalize('NFKD').replace(ACCENTS, '').normalize('NFKC');
}

/** Not much longer than the text, though single signs stand for many letters: `ﷺ` for 18. */
export function composedText(text: string): string {
  const composed = text.replace(ENDLESS_MARKS, '$1').normalize('NFKC');
  return composed.slice(0, COMPOSED_LENGTH_MIN + 2 * text.length);
}

/** A key in camel case, such as `preferredLanguage`, is found as a whole and by its parts. */
export function searchableKey(key: string): string {
  const split = key.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return searchableText(split === key ? key : `${key} ${split}`);
}

/** For a regular expression's class. Some signs, such as `㋐`, are folded to letters. */
export const WORD_CHARACTERS = String.raw`\p{L}\p{M}\p{N}${UNSPACED_SCRIPTS}`;
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const NOT_ASCII = /[^\0-\x7f]/;

export interface WordRun {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

export function* wordRuns(text: string): Generator<WordRun> {
  for (const { 0: written, index } of text.matchAll(RUN)) {
    yield { start: index, end: index + written.length, written };
  }
}

/** Mostly one word, but `½` gives two, and a lone accent none. */
export function foldedRun(written: string): string {
  return NOT_ASCII.test(written) ? searchableText(written) : written.toLowerCase();
}

/** English stems and stop words would spoil other languages. Null (unknown) is usually a short text. */
export function textSearchConfiguration(language: string | null): 'pg_catalog.english' | 'pg_catalog.simple' {
  return language === null || language === 'en' ? 'pg_catalog.english' : 'pg_catalog.simple';
}

const STEMMED = new Map(
  `ar=arabic da=danish de=german el=greek en=english es=spanish fi=finnish fr=french hi=hindi hu=hungarian it=italian
  nl=dutch no=norwegian nb=norwegian pt=portuguese ro=romanian ru=russian sv=swedish tr=turkish`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);

/** For texts searched only by words, not phrases. all_stems.sql knows the same languages. */
export function stemmingConfiguration(language: string | null): string {
  return language === null ? 'pg_catalog.english' : `pg_catalog.${STEMMED.get(language) ?? 'simple'}`;
}

/** Arabic, Persian, Devanagari, Bengali and full-width digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10];
export const OTHER_DIGITS = ZEROS.map(
  (zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`,
).join('');
const OTHER_DIGIT = new RegExp(`[${OTHER_DIGITS}]`, 'gu');
const ARABIC_MARKS: Readonly<Record<string, string>> = { '٫': '.', '٬': ',', '٪': '%' };

export function withPlainDigits(text: string): string {
  return text
    .replace(OTHER_DIGIT, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - Math.max(...ZEROS.filter((zero) => zero <= code)));
    })
    .replace(/[٫٬٪]/gu, (mark) => ARABIC_MARKS[mark] ?? mark);
}
