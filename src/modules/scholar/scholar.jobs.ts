import type { CiteScholarRequest, ScholarCitation, ScholarCitations } from '../../../generated/types';
import { textJobsOf } from '../../text/text-job';
import {
  bibtexCitation,
  bibtexKey,
  type CitedSource,
  pageLabel,
  pageRanges,
  risCitation,
  type SourceName,
} from './cited-source';
import { chicagoCitation, chicagoWho, mlaCitations, mlaNames, mlaPeople } from './mla-and-chicago';
import {
  americanDate,
  directInitials,
  editionLabel,
  entryNames,
  invertedInitials,
  isByEditors,
  isInProceedings,
  isNamed,
  joined,
  listed,
  monthName,
  monthOrSeason,
  quotedTitle,
  shortName,
  StyledText,
  withPeopleApart,
  yearOf,
} from './citation-text';
import { analysisOf, placedAnalysis } from './paper-analysis';
import { paperSummaryOf, placedSummary } from './paper-parts';

const AUTHORS_MAX = 20;

/** APA Publication Manual, 7th edition. `letter` separates sources of equal authors and year. */
export function apaCitation(source: CitedSource, letter: string): ScholarCitation {
  const text = new StyledText();
  const who = apaWho(source);
  if (who === null) {
    addTitle(text, source);
  } else {
    text.add(who);
  }
  text.end().add(` (${apaDate(source, letter)}).`);
  if (who !== null) {
    addTitle(text.next(), source);
    text.end();
  }
  addPublication(text, source);
  addLink(text, source);
  return { text: text.text, html: text.html, key: null, in_text: inText(source, letter) };
}

function apaWho(source: CitedSource): string | null {
  return entryNames(source, apaNames, [' (Ed.)', ' (Eds.)']);
}

function apaNames(people: readonly SourceName[]): string {
  const names = people.map(invertedInitials);
  const [last = ''] = names.slice(-1);
  if (names.length === 1) {
    return last;
  }
  return names.length > AUTHORS_MAX
    ? `${names.slice(0, AUTHORS_MAX - 1).join(', ')}, . . . ${last}`
    : `${names.slice(0, -1).join(', ')}, & ${last}`;
}

/** Journals, books and reports have only the year. */
function apaDate(source: CitedSource, letter: string): string {
  const { date, type, periodical } = source;
  const year = yearOf(source, letter);
  const isDated =
    type === 'website' || type === 'conference' || (type === 'article' && periodical !== 'journal');
  if (date === null || !isDated || isInProceedings(source)) {
    return year;
  }
  const day = date.day === null || date.month === null ? null : `${monthName(date.month)} ${date.day}`;
  const within = day ?? monthOrSeason(date);
  return within === null ? year : `${year}, ${within}`;
}

function addTitle(text: StyledText, source: CitedSource): void {
  const { title, translatedTitle } = source;
  const isWhole = !isPart(source);
  const details = isWhole ? detailsOf(source) : '';
  const kind = kindOf(source);
  const written = isWhole ? text.italic(title) : text.add(title);
  written
    .add(translatedTitle === null ? '' : ` [${translatedTitle}]`)
    .add(details === '' ? '' : ` (${details})`)
    .add(kind === null ? '' : ` [${kind}]`);
}

function isPart(source: CitedSource): boolean {
  return source.type === 'article' || source.type === 'chapter' || isInProceedings(source);
}

function detailsOf({ type, translators, authors, editors, edition, volume, number }: CitedSource): string {
  const people = [
    translators.length > 0 ? `${listed(translators.map(directInitials), '&')}, Trans.` : null,
    authors.length > 0 && editors.length > 0
      ? `${listed(editors.map(directInitials), '&')}, ${editors.length > 1 ? 'Eds.' : 'Ed.'}`
      : null,
  ];
  const version = [
    edition === null ? null : editionLabel(edition),
    volume === null ? null : `Vol. ${volume}`,
    type === 'report' && number !== null ? reportNumber(number) : null,
  ];
  return [...people, joined(version)].filter((part) => part !== null && part !== '').join('; ');
}

function reportNumber(number: string): string {
  return /\p{L}.*\s/u.test(number) ? number : `Report No. ${number}`;
}

function kindOf(source: CitedSource): string | null {
  const { type, genre, publisher } = source;
  if (type === 'thesis') {
    const kind = genre ?? 'Thesis';
    return publisher === null || isUnpublished(kind) ? kind : `${kind}, ${publisher}`;
  }
  if (type === 'conference' && !isInProceedings(source)) {
    return genre ?? 'Conference presentation';
  }
  return null;
}

function isUnpublished(genre: string): boolean {
  return /^unpublished\b/iu.test(genre);
}

function addPublication(text: StyledText, source: CitedSource): void {
  const { type, authors, containerTitle, publisher, genre, database, place } = source;
  const said = (name: string | null) => (isNamed(authors, name) ? null : name);
  if (type === 'article') {
    addPeriodical(text, source);
  } else if (type === 'chapter' || isInProceedings(source)) {
    addContainer(text, source);
    text.sentence(said(publisher));
  } else if (type === 'conference') {
    text.sentence(joined([containerTitle, place]));
  } else if (type === 'website') {
    text.sentence(said(containerTitle ?? publisher));
  } else if (type === 'thesis') {
    text.sentence(genre !== null && isUnpublished(genre) ? publisher : null);
    text.sentence(database ?? containerTitle);
  } else {
    text.sentence(said(publisher));
  }
}

function addPeriodical(
  text: StyledText,
  { containerTitle, volume, issue, pages, number }: CitedSource,
): void {
  if (containerTitle === null) {
    return;
  }
  text.next().italic(containerTitle);
  if (volume !== null) {
    text.add(', ').italic(volume);
  }
  if (issue !== null) {
    text.add(volume === null ? `, (${issue})` : `(${issue})`);
  }
  const article = number === null ? '' : `, Article ${number}`;
  text.add(pages === null ? article : `, ${pageRanges(pages, 'full')}`).end();
}

function addContainer(text: StyledText, source: CitedSource): void {
  const { containerTitle, editors, edition, volume, pages } = source;
  if (containerTitle === null) {
    return;
  }
  text.next().add('In ');
  if (editors.length > 0) {
    const label = editors.length > 1 ? '(Eds.)' : '(Ed.)';
    text.add(`${listed(editors.map(directInitials), '&')} ${label}, `);
  }
  text.italic(containerTitle);
  const range = pages === null ? null : pageRanges(pages, 'full');
  const details = joined([
    edition === null ? null : editionLabel(edition),
    volume === null ? null : `Vol. ${volume}`,
    range === null ? null : `${pageLabel(range)} ${range}`,
  ]);
  text.add(details === '' ? '' : ` (${details})`).end();
}

/** The retrieval date matters only for an undated source. */
function addLink(text: StyledText, { doi, url, date, accessed, type }: CitedSource): void {
  if (doi !== null) {
    text.next().add(`https://doi.org/${doi}`);
  } else if (url !== null) {
    const isRetrieved = type === 'website' && date === null && accessed !== null;
    text.next().add(isRetrieved ? `Retrieved ${americanDate(accessed)}, from ${url}` : url);
  }
}

function inText(source: CitedSource, letter: string): ScholarCitation['in_text'] {
  const year = yearOf(source, letter);
  const [enclosed, narrative] = namedInText(source);
  return { parenthetical: `(${enclosed} ${year})`, narrative: `${narrative} (${year})` };
}

function namedInText(source: CitedSource): [enclosed: string, narrative: string] {
  const { authors, editors, title } = source;
  const names = (isByEditors(source) ? editors : authors).map(shortName);
  const [first = '', second = ''] = names;
  if (names.length === 0) {
    return isPart(source) ? [quotedTitle(title, ','), quotedTitle(title, '')] : [`${title},`, title];
  }
  if (names.length === 2) {
    return [`${first} & ${second},`, `${first} and ${second}`];
  }
  const who = names.length > 2 ? `${first} et al.` : first;
  return [`${who},`, who];
}

interface CitationOrder {
  readonly sources: readonly CitedSource[];
  readonly style: CiteScholarRequest['style'];
}

export function citeSources({
  sources,
  style,
}: CitationOrder): Pick<ScholarCitations, 'citations' | 'bibliography'> {
  const citations = citationsOf(withPeopleApart(sources), style);
  const texts = citations.map(({ text }) => text);
  if (style === 'ris') {
    return { citations, bibliography: texts.join('') };
  }
  if (style === 'bibtex') {
    return { citations, bibliography: texts.join('\n\n') };
  }
  const sorted = style === 'mla' ? mlaEntries(sources, texts) : texts.sort(compare);
  return { citations, bibliography: sorted.join('\n') };
}

/** Further entries of the same people begin with three hyphens. */
function mlaEntries(sources: readonly CitedSource[], texts: readonly string[]): string[] {
  const entries = sources.map((source, index) => {
    const names = mlaNames(mlaPeople(source));
    const rest = (texts[index] ?? '').slice(names.length);
    const order = rest.replace(/^(, editors?)?[.]? “?(?:An?|The) /u, ' ');
    return { people: JSON.stringify(mlaPeople(source)), names, rest, order: `${names}${order}` };
  });
  return entries
    .sort((one, other) => compare(one.order, other.order))
    .map(({ people, names, rest }, index, all) =>
      names !== '' && all[index - 1]?.people === people
        ? `---${/^[.,]/u.test(rest) ? '' : '.'}${rest}`
        : `${names}${rest}`,
    );
}

function citationsOf(sources: readonly CitedSource[], style: CitationOrder['style']): ScholarCitation[] {
  switch (style) {
    case 'apa':
      return lettered(sources, apaWho, apaCitation);
    case 'chicago':
      return lettered(sources, chicagoWho, chicagoCitation);
    case 'mla':
      return mlaCitations(sources);
    case 'bibtex': {
      const keys = distinct(sources.map(bibtexKey));
      return sources.map((source, index) => bibtexCitation(source, keys[index] ?? ''));
    }
    case 'ris':
      return sources.map(risCitation);
  }
}

function lettered(
  sources: readonly CitedSource[],
  whoOf: (source: CitedSource) => string | null,
  cite: (source: CitedSource, letter: string) => ScholarCitation,
): ScholarCitation[] {
  const letters = sources.map(() => '');
  const alike = new Map<string, number[]>();
  for (const [index, source] of sources.entries()) {
    const who = whoOf(source);
    if (who !== null) {
      const key = `${who}\n${source.date?.year ?? ''}`;
      alike.set(key, [...(alike.get(key) ?? []), index]);
    }
  }
  for (const indices of alike.values()) {
    const inOrder = indices.sort((one, other) =>
      compare(sources[one]?.title ?? '', sources[other]?.title ?? ''),
    );
    for (const [place, index] of inOrder.length > 1 ? inOrder.entries() : []) {
      letters[index] = letterOf(place);
    }
  }
  return sources.map((source, index) => cite(source, letters[index] ?? ''));
}

function distinct(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const used = new Set(keys);
  return keys.map((key) => {
    let count = counts.get(key) ?? 0;
    let made = count === 0 ? key : `${key}${letterOf(count - 1)}`;
    while (count > 0 && used.has(made)) {
      count += 1;
      made = `${key}${letterOf(count - 1)}`;
    }
    used.add(made);
    counts.set(key, count + 1);
    return made;
  });
}

function letterOf(place: number): string {
  const last = String.fromCharCode(97 + (place % 26));
  return place < 26 ? last : `${letterOf(Math.floor(place / 26) - 1)}${last}`;
}

const COLLATOR = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** Without a leading article, as the manuals want it. */
function compare(one: string, other: string): number {
  const [first = '', second = ''] = [one, other].map((text) => text.replace(/^“?(?:a|an|the)\s+/iu, ''));
  return COLLATOR.compare(first, second) || COLLATOR.compare(one, other);
}

export const scholarJobs = textJobsOf(__filename, {
  analyzePaper: analysisOf,
  placePaperAnalysis: placedAnalysis,
  placePaperSummary: placedSummary,
  summarizePaper: paperSummaryOf,
  writeCitations: citeSources,
});
