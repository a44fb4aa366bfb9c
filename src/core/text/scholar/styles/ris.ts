import type { Citation, CitedSource, SourceDate, SourceName, SourceType } from './cited-source';
import { invertedName } from './names';
import { pageRanges } from './page-ranges';

const KINDS: Readonly<Record<SourceType, string>> = {
  article: 'JOUR',
  book: 'BOOK',
  chapter: 'CHAP',
  conference: 'CPAPER',
  report: 'RPRT',
  thesis: 'THES',
  website: 'ELEC',
};
const PERIODICALS = { journal: 'JOUR', magazine: 'MGZN', newspaper: 'NEWS' };

/** A record of a RIS file. Lines end with CR LF, as the specification of the format has it. */
export function risCitation(source: CitedSource): Citation {
  const { type, periodical, date, accessed } = source;
  const [firstPage, lastPage] = pagesOf(source.pages);
  const fields: [tag: string, value: string | number | null][] = [
    ['TY', type === 'article' ? PERIODICALS[periodical] : KINDS[type]],
    ...people('AU', source.authors),
    ...people(type === 'book' || type === 'report' ? 'ED' : 'A2', source.editors),
    ...people('A4', source.translators),
    ['TI', source.title],
    ['TT', source.translatedTitle],
    ['T2', source.containerTitle],
    ['PY', date && date.year],
    ['DA', date?.month ? slashed(date) : null],
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
    ['Y2', accessed && slashed(accessed)],
  ];
  const lines = fields.filter(([, value]) => value !== null).map(([tag, value]) => `${tag}  - ${value}\r\n`);
  return { text: `${lines.join('')}ER  - \r\n`, html: null, inText: null, key: null };
}

function people(tag: string, names: readonly SourceName[]): [string, string][] {
  return names.map((name) => [tag, invertedName(name)]);
}

function pagesOf(pages: string | null): [string | null, string | null] {
  if (pages === null) {
    return [null, null];
  }
  const written = pageRanges(pages, 'full');
  const [first = '', last = '', ...further] = written.split('–');
  return last === '' || further.length > 0 ? [written, null] : [first, last];
}

function slashed({ year, month, day }: SourceDate): string {
  return [String(year).padStart(4, '0'), month, day]
    .filter((part) => part !== null)
    .map((part) => String(part).padStart(2, '0'))
    .join('/');
}
