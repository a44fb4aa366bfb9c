import type { ScholarCitation } from '../../../generated/types';
import { type CitedSource, pageLabel, pageRanges, type SourceName } from './cited-source';
import {
  americanDate,
  directName,
  editionLabel,
  entryNames,
  invertedName,
  isByEditors,
  isInProceedings,
  isNamed,
  joined,
  listed,
  mlaDate,
  monthOrSeason,
  quotedTitle,
  shortName,
  StyledText,
  yearOf,
} from './citation-text';

/** Where the same people wrote several works, the text names the title too. */
export function mlaCitations(sources: readonly CitedSource[]): ScholarCitation[] {
  const people = sources.map((source) => JSON.stringify(mlaPeople(source)));
  return sources.map((source, index) =>
    mlaCitation(
      source,
      sources.filter(({ title }, other) => people[other] === people[index] && title !== source.title),
    ),
  );
}

/** MLA Handbook, 9th edition. `others` are cited works of the same people. */
export function mlaCitation(source: CitedSource, others: readonly CitedSource[] = []): ScholarCitation {
  const text = new StyledText().sentence(mlaWho(source));
  text.next().title(source, isPart(source)).end();
  if (source.type === 'thesis') {
    addThesis(text, source);
  } else {
    addContainer(text, source);
  }
  addDatabase(text, source);
  addAccess(text, source);
  return { text: text.text, html: text.html, key: null, in_text: mlaInText(source, others) };
}

function mlaWho(source: CitedSource): string | null {
  return entryNames(source, mlaNames, [', editor', ', editors'], writersOf(source));
}

export function mlaPeople(source: CitedSource): readonly SourceName[] {
  return isByEditors(source) ? source.editors : writersOf(source);
}

/** An organisation that also published the source is named as its publisher only. */
function writersOf({ authors, publisher }: CitedSource): readonly SourceName[] {
  const [only] = authors;
  return authors.length === 1 && only?.family === null && isNamed(authors, publisher) ? [] : authors;
}

export function mlaNames(names: readonly SourceName[]): string {
  const [first, second] = names;
  if (!first) {
    return '';
  }
  if (names.length > 2) {
    return `${invertedName(first)}, et al.`;
  }
  return second ? `${invertedName(first)}, and ${directName(second)}` : invertedName(first);
}

function mlaDirectNames(names: readonly SourceName[]): string {
  const [first = '', second = ''] = names.map(directName);
  return names.length > 2 ? `${first} et al.` : names.length === 2 ? `${first} and ${second}` : first;
}

function isPart({ type, containerTitle }: CitedSource): boolean {
  return (
    type === 'article' ||
    type === 'chapter' ||
    (containerTitle !== null && (type === 'website' || type === 'conference' || type === 'report'))
  );
}

function addContainer(text: StyledText, source: CitedSource): void {
  const { type, containerTitle, authors, editors, translators, edition, volume, issue, number } = source;
  const { publisher, date, pages } = source;
  const elements: string[] = [];
  const add = (element: string | null) => element !== null && elements.push(element);
  if (editors.length > 0 && (authors.length > 0 || isPart(source))) {
    add(`edited by ${mlaDirectNames(editors)}`);
  }
  if (translators.length > 0) {
    add(`translated by ${mlaDirectNames(translators)}`);
  }
  add(edition === null ? null : editionLabel(edition));
  add(volume === null ? null : `vol. ${volume}`);
  add(issue === null ? null : `no. ${issue}`);
  add(number === null ? null : type === 'article' ? `article ${number}` : `no. ${number}`);
  add(type === 'article' || publisher === containerTitle ? null : publisher);
  add(date === null ? null : mlaDate(date));
  const range = pages === null ? null : pageRanges(pages, 'mla');
  add(range === null ? null : `${pageLabel(range)} ${range}`);
  if (source.database === null) {
    add(linkOf(source));
  }
  const [first = '', ...further] = elements;
  if (isPart(source) && containerTitle !== null) {
    text.next().italic(containerTitle);
    if (elements.length > 0) {
      text.add(`, ${elements.join(', ')}`);
    }
    text.end();
  } else {
    text.sentence([first.charAt(0).toUpperCase() + first.slice(1), ...further].join(', '));
  }
}

function addThesis(text: StyledText, source: CitedSource): void {
  const { date, publisher, genre } = source;
  text.sentence(date && mlaDate(date));
  const kind = genre ?? 'thesis';
  text.next().add(publisher === null ? kind : `${publisher}, ${kind}`);
  const link = source.database === null ? linkOf(source) : null;
  text.add(link === null ? '' : `, ${link}`).end();
}

function addDatabase(text: StyledText, source: CitedSource): void {
  if (source.database === null) {
    return;
  }
  const link = linkOf(source);
  text
    .next()
    .italic(source.database)
    .add(link === null ? '' : `, ${link}`)
    .end();
}

function addAccess(text: StyledText, { accessed, url }: CitedSource): void {
  if (accessed !== null && url !== null) {
    text.next().add(`Accessed ${mlaDate(accessed)}.`);
  }
}

/** The Handbook leaves out the protocol of addresses, but not that of DOIs. */
function linkOf({ doi, url }: CitedSource): string | null {
  return doi === null ? (url?.replace(/^https?:\/\//u, '') ?? null) : `https://doi.org/${doi}`;
}

function mlaInText(source: CitedSource, others: readonly CitedSource[]): ScholarCitation['in_text'] {
  const names = mlaPeople(source).map(shortName);
  const quoted = (title: string) => (isPart(source) ? quotedTitle(title, '') : title);
  if (names.length === 0) {
    return { parenthetical: `(${quoted(source.title)})`, narrative: quoted(source.title) };
  }
  const [first = ''] = names;
  const who = names.length > 2 ? `${first} et al.` : names.join(' and ');
  const narrative = names.length > 2 ? `${first} and others` : who;
  if (others.length === 0) {
    return { parenthetical: `(${who})`, narrative: narrative };
  }
  const short = shortTitle(source.title);
  const isShared = others.some(({ title }) => shortTitle(title) === short);
  const title = quoted(isShared ? source.title : short);
  return { parenthetical: `(${who}, ${title})`, narrative: `${narrative} (${title})` };
}

function shortTitle(title: string): string {
  return title.replace(/(?::|(?<=[?!]))\s.*$/u, '').replace(/^(?:An?|The)\s+(?=\S)/u, '');
}

/** Of more than ten authors, the first seven are named. */
const AUTHORS_MAX = 10;
const AUTHORS_NAMED = 7;
/** From four authors on, the text names the first one. */
const AUTHORS_IN_TEXT_MAX = 3;

/** The author-date system of the Chicago Manual of Style, 17th edition. `letter` separates equal authors and years. */
export function chicagoCitation(source: CitedSource, letter: string): ScholarCitation {
  const text = new StyledText();
  const who = chicagoWho(source);
  if (who === null) {
    text.title(source, isQuoted(source)).end();
  }
  text.sentence(who).sentence(yearOf(source, letter));
  if (who !== null) {
    text.next().title(source, isQuoted(source)).end();
  }
  addPublication(text, source);
  addLink(text, source);
  return { text: text.text, html: text.html, key: null, in_text: chicagoInText(source, letter) };
}

export function chicagoWho(source: CitedSource): string | null {
  return entryNames(source, chicagoNames, [', ed.', ', eds.']);
}

function chicagoNames(names: readonly SourceName[]): string {
  const written = names.map((name, index) => (index === 0 ? invertedName(name) : directName(name)));
  const [first = '', second = ''] = written;
  if (names.length > AUTHORS_MAX) {
    return `${written.slice(0, AUTHORS_NAMED).join(', ')}, et al.`;
  }
  return written.length === 2 ? `${first}, and ${second}` : listed(written, 'and');
}

function chicagoDirectNames(names: readonly SourceName[]): string {
  return names.length > AUTHORS_MAX
    ? `${names.slice(0, AUTHORS_NAMED).map(directName).join(', ')} et al.`
    : listed(names.map(directName), 'and');
}

function isQuoted({ type }: CitedSource): boolean {
  return type !== 'book' && type !== 'report';
}

function addPublication(text: StyledText, source: CitedSource): void {
  const { type, containerTitle, publisher, authors, date, genre, place, database } = source;
  if (type === 'article') {
    addPeriodical(text, source);
  } else if (type === 'chapter' || isInProceedings(source)) {
    addBookOfPart(text, source);
    addImprint(text, source);
  } else if (type === 'website') {
    const site = containerTitle ?? publisher;
    text.sentence(isNamed(authors, site) ? null : site);
    text.sentence(date?.month ? americanDate(date) : null);
  } else if (type === 'thesis') {
    text.sentence(joined([genre ?? 'Thesis', publisher]));
  } else if (type === 'conference') {
    const given = date?.month ? americanDate(date) : null;
    text.sentence(joined([genre ?? 'Paper presented', containerTitle, place, given]));
  } else {
    addBook(text, source);
  }
  text.sentence(database);
}

function addPeriodical(text: StyledText, source: CitedSource): void {
  const { containerTitle, volume, issue, pages, number, date, periodical } = source;
  if (containerTitle === null) {
    return;
  }
  text.next().italic(containerTitle);
  if (periodical !== 'journal') {
    text.add(date?.month ? `, ${americanDate(date)}` : '').end();
    return;
  }
  const within = date && monthOrSeason(date);
  text.add(volume === null ? '' : ` ${volume}`);
  if (issue !== null) {
    const isPlain = volume !== null && !within;
    text.add(isPlain ? ` (${issue})` : `, no. ${issue}`);
  }
  text.add(within ? ` (${within})` : '');
  const where = pages === null ? number : pageRanges(pages, 'chicago');
  text.add(where === null ? '' : `: ${where}`).end();
}

function addBookOfPart(text: StyledText, source: CitedSource): void {
  const { containerTitle, editors, edition, volume, pages } = source;
  if (containerTitle === null) {
    return;
  }
  text.next().add('In ').italic(containerTitle);
  const details = joined([
    edition === null ? null : editionLabel(edition),
    volume === null ? null : `vol. ${volume}`,
    editors.length === 0 ? null : `edited by ${chicagoDirectNames(editors)}`,
    pages === null ? null : pageRanges(pages, 'chicago'),
  ]);
  text.add(details === '' ? '' : `, ${details}`).end();
}

function addBook(text: StyledText, source: CitedSource): void {
  const { authors, editors, translators, edition, volume, number } = source;
  text.sentence(edition === null ? null : editionLabel(edition));
  text.sentence(volume === null ? null : `Vol. ${volume}`);
  if (authors.length > 0 && editors.length > 0) {
    text.sentence(`Edited by ${chicagoDirectNames(editors)}`);
  }
  text.sentence(translators.length === 0 ? null : `Translated by ${chicagoDirectNames(translators)}`);
  text.sentence(number);
  addImprint(text, source);
}

function addImprint(text: StyledText, { place, publisher }: CitedSource): void {
  text.sentence([place, publisher].filter((part) => part !== null).join(': '));
}

/** The access date matters only for an undated source. */
function addLink(text: StyledText, { doi, url, accessed, date }: CitedSource): void {
  if (url !== null && doi === null && date === null && accessed !== null && accessed.month !== null) {
    text.sentence(`Accessed ${americanDate(accessed)}`);
  }
  const link = doi === null ? url : `https://doi.org/${doi}`;
  text.add(link === null ? '' : ` ${link}.`);
}

function chicagoInText(source: CitedSource, letter: string): ScholarCitation['in_text'] {
  const year = yearOf(source, letter);
  const names = (isByEditors(source) ? source.editors : source.authors).map(shortName);
  const title = isQuoted(source) ? quotedTitle(source.title, '') : source.title;
  const who =
    names.length > AUTHORS_IN_TEXT_MAX
      ? `${names[0]} et al.`
      : names.length === 0
        ? title
        : listed(names, 'and');
  return { parenthetical: `(${who} ${year})`, narrative: `${who} (${year})` };
}
