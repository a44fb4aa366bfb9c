import type { ScholarCitation, ScholarSource, ScholarSourceName } from '../../../generated/types';
import { wordList } from '../../text/word-list';
import { invertedName, joined, monthName } from './citation-text';

/** A person by family name; any other author, such as an organisation, by `literal`. */
export interface SourceName extends Readonly<Required<ScholarSourceName>> {
  /** Where the family name alone would not tell two people apart. */
  readonly inText?: string;
}

export interface SourceDate {
  readonly year: number;
  readonly month: number | null;
  readonly day: number | null;
  readonly season: NonNullable<ScholarSource['season']> | null;
}

type SourceType = ScholarSource['type'];

/** Copied as they are; a thesis's publisher is the university. */
export const CITED_TEXTS = wordList('publisher place volume issue pages edition number genre database');

/** Unknown is null; no text is empty or has white space other than single spaces. */
export interface CitedSource extends Readonly<Record<(typeof CITED_TEXTS)[number], string | null>> {
  readonly type: SourceType;
  readonly title: string;
  readonly translatedTitle: string | null;
  readonly authors: readonly SourceName[];
  readonly editors: readonly SourceName[];
  readonly translators: readonly SourceName[];
  readonly date: SourceDate | null;
  readonly containerTitle: string | null;
  readonly periodical: 'journal' | 'magazine' | 'newspaper';
  readonly url: string | null;
  /** Such as 10.1086/690235, without a resolver. */
  readonly doi: string | null;
  readonly isbn: string | null;
  readonly accessed: SourceDate | null;
}

type PageForm = 'full' | 'mla' | 'chicago';

const RANGE = /^(\S{1,20}?)\s*(?:-{1,3}|[‐‑–—−])\s*(\S{1,20})$/u;
const PAGE = /\d|^[ivxlcdm]+$/iu;

export function pageRanges(pages: string, form: PageForm): string {
  return pages
    .split(/\s*[,;]\s*/u)
    .map((range) => pageRange(range, form))
    .join(', ');
}

export function pageLabel(pages: string): string {
  return /[–,]/u.test(pages) ? 'pp.' : 'p.';
}

function pageRange(range: string, form: PageForm): string {
  const [, first = '', last = ''] = RANGE.exec(range) ?? [];
  if (!PAGE.test(first) || !PAGE.test(last)) {
    return range;
  }
  if (!/^\d+$/.test(first) || !/^\d+$/.test(last)) {
    return `${first}–${last}`;
  }
  const whole = last.length < first.length ? first.slice(0, first.length - last.length) + last : last;
  return `${first}–${form === 'full' ? whole : shortened(first, whole, form)}`;
}

/** MLA Handbook 5.87 and the Chicago Manual 9.61. */
function shortened(first: string, last: string, form: 'mla' | 'chicago'): string {
  const number = Number(first);
  if (first.length !== last.length || number < 100 || (form === 'chicago' && number % 100 === 0)) {
    return last;
  }
  const same = [...first].findIndex((digit, index) => digit !== last[index]);
  const changed = same === -1 ? 1 : last.length - same;
  const digitsMin = form === 'chicago' && number % 100 < 10 ? 1 : 2;
  return last.slice(-Math.max(changed, digitsMin));
}

const BIBTEX_KINDS: Readonly<Record<SourceType, string>> = {
  article: 'article',
  book: 'book',
  chapter: 'incollection',
  conference: 'inproceedings',
  report: 'techreport',
  thesis: 'phdthesis',
  website: 'misc',
};
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  // BibTeX counts braces behind a backslash too.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
};
const SMALL_WORDS = new Set(
  'a an and at by das der die el for from in la le les of on the to un una with'.split(' '),
);

export function bibtexCitation(source: CitedSource, key: string): ScholarCitation {
  const fields = fieldsOf(source)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `  ${name} = ${value}`);
  const text = `@${kindOf(source)}{${key},\n${fields.join(',\n')}\n}`;
  return {
    text,
    html: null,
    key,
    in_text: { parenthetical: `\\parencite{${key}}`, narrative: `\\textcite{${key}}` },
  };
}

/** `grazer2015curious`: the first name, the year, and the first meaningful word of the title. */
export function bibtexKey({ authors, editors, date, title }: CitedSource): string {
  const [first] = authors.length > 0 ? authors : editors;
  const words = title.split(/[\s\p{P}]+/u).map(plain);
  const said = words.filter((word) => word !== '' && !SMALL_WORDS.has(word));
  const who = plain(first?.family ?? first?.literal?.split(/\s/u)[0] ?? '');
  return `${who || 'source'}${date?.year ?? 'nd'}${said[0] ?? words[0] ?? ''}`;
}

/** Keys are ASCII, because older programs read no others. */
function plain(word: string): string {
  return word
    .slice(0, 100)
    .normalize('NFKD')
    .replace(/ß/gu, 'ss')
    .replace(/[øØ]/gu, 'o')
    .replace(/[łŁ]/gu, 'l')
    .replace(/[æÆ]/gu, 'ae')
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, '');
}

function kindOf({ type, genre }: CitedSource): string {
  return type === 'thesis' && /master|magister|bachelor/iu.test(genre ?? '')
    ? 'mastersthesis'
    : BIBTEX_KINDS[type];
}

type Field = readonly [name: string, value: string | null];

function fieldsOf(source: CitedSource): Field[] {
  const { type, containerTitle, publisher, date, doi, url, accessed } = source;
  const container = type === 'article' ? 'journal' : type === 'website' ? 'howpublished' : 'booktitle';
  const issuer = type === 'thesis' ? 'school' : type === 'report' ? 'institution' : 'publisher';
  return [
    ['author', names(source.authors)],
    ['editor', names(source.editors)],
    ['translator', names(source.translators)],
    ['title', value(source.title)],
    [container, value(containerTitle)],
    ['type', kindOf(source).endsWith('thesis') ? value(source.genre) : null],
    ['edition', value(source.edition)],
    ['volume', value(source.volume)],
    ['number', value(type === 'article' ? source.issue : (source.number ?? source.issue))],
    ['eid', type === 'article' ? value(source.number) : null],
    ['pages', value(source.pages && pageRanges(source.pages, 'full').replace(/–/gu, '--'))],
    [issuer, value(publisher)],
    ['address', value(source.place)],
    ['year', date && `{${date.year}}`],
    ['month', date?.month ? monthName(date.month).slice(0, 3).toLowerCase() : null],
    ['isbn', value(source.isbn)],
    ['doi', doi && `{${doi}}`],
    // Addresses are read verbatim, so braces and backslashes are percent-encoded.
    ['url', url && `{${url.replace(/[{}\\]/gu, encodeURIComponent)}}`],
    ['urldate', url && accessed ? `{${dateWith('-', accessed)}}` : null],
  ];
}

function names(people: readonly SourceName[]): string | null {
  return people.length === 0 ? null : `{${people.map(nameOf).join(' and ')}}`;
}

function nameOf({ family, suffix, given, literal }: SourceName): string {
  if (family === null) {
    return `{${escaped(literal ?? '')}}`;
  }
  // BibTeX would take the first word, or what follows a comma, for the given name.
  if (given === null && (suffix !== null || /\s/u.test(family))) {
    return `{${escaped(joined([family, suffix]))}}`;
  }
  return [family, suffix, given]
    .filter((part) => part !== null)
    .map((part) => (/(?:^|\s)and(?:\s|$)|,/iu.test(part) ? `{${escaped(part)}}` : escaped(part)))
    .join(', ');
}

function value(text: string | null): string | null {
  return text === null ? null : `{${escaped(text)}}`;
}

function escaped(text: string): string {
  return text.replace(/[\\~^&%$#_{}]/gu, (character) => ESCAPES[character] ?? `\\${character}`);
}

const RIS_KINDS: Readonly<Record<SourceType, string>> = {
  article: 'JOUR',
  book: 'BOOK',
  chapter: 'CHAP',
  conference: 'CPAPER',
  report: 'RPRT',
  thesis: 'THES',
  website: 'ELEC',
};
const PERIODICALS = { journal: 'JOUR', magazine: 'MGZN', newspaper: 'NEWS' };

/** Lines end with CR LF, as the RIS specification demands. */
export function risCitation(source: CitedSource): ScholarCitation {
  const { type, periodical, date, accessed } = source;
  const [firstPage, lastPage] = pagesOf(source.pages);
  const fields: [tag: string, value: string | number | null][] = [
    ['TY', type === 'article' ? PERIODICALS[periodical] : RIS_KINDS[type]],
    ...people('AU', source.authors),
    ...people(type === 'book' || type === 'report' ? 'ED' : 'A2', source.editors),
    ...people('A4', source.translators),
    ['TI', source.title],
    ['TT', source.translatedTitle],
    ['T2', source.containerTitle],
    ['PY', date && date.year],
    ['DA', date?.month ? dateWith('/', date) : null],
    ['ET', source.edition],
    ['VL', source.volume],
    ['IS', source.issue],
    ['M1', source.number],
    ['M3', source.genre],
    ['SP', firstPage],
    ['EP', lastPage],
    ['PB', source.publisher],
    ['CY', source.place],
    ['DB', source.database],
    ['SN', source.isbn],
    ['DO', source.doi],
    ['UR', source.url],
    ['Y2', accessed && dateWith('/', accessed)],
  ];
  const lines = fields.filter(([, value]) => value !== null).map(([tag, value]) => `${tag}  - ${value}\r\n`);
  return { text: `${lines.join('')}ER  - \r\n`, html: null, key: null, in_text: null };
}

function people(tag: string, names: readonly SourceName[]): [string, string][] {
  return names.map((name) => [tag, invertedName(name)]);
}

function pagesOf(pages: string | null): [string | null, string | null] {
  if (pages === null) {
    return [null, null];
  }
  const written = pageRanges(pages, 'full');
  const [, first = written, last = null] = /^([^–,]+)–([^–,]+)$/u.exec(written) ?? [];
  return [first, last];
}

function dateWith(separator: string, { year, month, day }: SourceDate): string {
  return [String(year).padStart(4, '0'), month, day]
    .filter((part) => part !== null)
    .map((part) => String(part).padStart(2, '0'))
    .join(separator);
}
