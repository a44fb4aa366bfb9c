import type { Citation, CitedSource, SourceName, SourceType } from './cited-source';
import { pageRanges } from './page-ranges';

const KINDS: Readonly<Record<SourceType, string>> = {
  article: 'article',
  book: 'book',
  chapter: 'incollection',
  conference: 'inproceedings',
  report: 'techreport',
  thesis: 'phdthesis',
  website: 'misc',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};
const SMALL_WORDS = new Set(
  'a an and at by das der die el for from in la le les of on the to un una with'.split(' '),
);

/** An entry of a BibTeX file in UTF-8, under a key that `bibtexKey` made. */
export function bibtexCitation(source: CitedSource, key: string): Citation {
  const fields = fieldsOf(source)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `  ${name} = ${value}`);
  const text = `@${kindOf(source)}{${key},\n${fields.join(',\n')}\n}`;
  return {
    text,
    html: null,
    inText: { parenthetical: `\\parencite{${key}}`, narrative: `\\textcite{${key}}` },
    key,
  };
}

/** `grazer2015curious`: the first name, the year, and the first word of the title that says something. */
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
  return type === 'thesis' && /master|magister|bachelor/iu.test(genre ?? '') ? 'mastersthesis' : KINDS[type];
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
    ['number', value(source.issue ?? source.number)],
    ['pages', value(source.pages && pageRanges(source.pages, 'full').replace(/–/gu, '--'))],
    [issuer, value(publisher)],
    ['address', value(source.place)],
    ['year', date && `{${date.year}}`],
    ['month', date?.month ? (MONTHS[date.month - 1] ?? null) : null],
    ['isbn', value(source.isbn)],
    ['doi', doi && `{${doi}}`],
    ['url', url && `{${address(url)}}`],
    ['urldate', url && accessed ? `{${isoDate(accessed)}}` : null],
  ];
}

function names(people: readonly SourceName[]): string | null {
  return people.length === 0 ? null : `{${people.map(nameOf).join(' and ')}}`;
}

/** `family, suffix, given` as BibTeX reads it; braces keep an organisation from being taken apart. */
function nameOf({ family, suffix, given, literal }: SourceName): string {
  if (family === null) {
    return `{${escaped(literal ?? '')}}`;
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

/** Addresses are read verbatim, so that braces and backslashes are written as an address may hold them. */
function address(url: string): string {
  return url.replace(/[{}\\]/gu, encodeURIComponent);
}

function isoDate({ year, month, day }: NonNullable<CitedSource['date']>): string {
  return [String(year).padStart(4, '0'), month, day]
    .filter((part) => part !== null)
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
