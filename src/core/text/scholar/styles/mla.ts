import type { Citation, CitedSource, SourceName } from './cited-source';
import { mlaDate } from './dates';
import { editionLabel } from './editions';
import { directName, invertedName, isNamed, shortName } from './names';
import { pageLabel, pageRanges } from './page-ranges';
import { quotedTitle, StyledText } from './styled-text';

/** An entry of a list of works cited by the MLA Handbook, 9th edition. */
export function mlaCitation(source: CitedSource): Citation {
  const text = new StyledText();
  const who = mlaWho(source);
  if (who !== null) {
    text.add(who).end();
  }
  addTitle(text.next(), source);
  if (source.type === 'thesis') {
    addThesis(text, source);
  } else {
    addContainer(text, source);
  }
  addDatabase(text, source);
  addAccess(text, source);
  return { text: text.text, html: text.html, inText: inText(source), key: null };
}

/** An organisation that also published the source is named as its publisher only. */
export function mlaWho(source: CitedSource): string | null {
  const { authors, editors, type } = source;
  const writers = writersOf(source);
  if (writers.length > 0) {
    return mlaNames(writers);
  }
  if (authors.length > 0 || editors.length === 0 || type === 'chapter' || type === 'article') {
    return null;
  }
  return `${mlaNames(editors)}, ${editors.length > 1 ? 'editors' : 'editor'}`;
}

function writersOf({ authors, publisher }: CitedSource): readonly SourceName[] {
  const [only] = authors;
  return authors.length === 1 && only?.family === null && isNamed(authors, publisher) ? [] : authors;
}

function mlaNames(names: readonly SourceName[]): string {
  const [first, second] = names;
  if (!first) {
    return '';
  }
  if (names.length > 2) {
    return `${invertedName(first)}, et al.`;
  }
  return second ? `${invertedName(first)}, and ${directName(second)}` : invertedName(first);
}

function directNames(names: readonly SourceName[]): string {
  const [first = '', second = ''] = names.map(directName);
  return names.length > 2 ? `${first} et al.` : names.length === 2 ? `${first} and ${second}` : first;
}

function addTitle(text: StyledText, source: CitedSource): void {
  const { title, translatedTitle } = source;
  if (isPart(source)) {
    text.quoted(title);
  } else {
    text.italic(title);
  }
  if (translatedTitle !== null) {
    text.add(` [${translatedTitle}]`);
  }
  text.end();
}

/** Whether the source stands in a larger one, whose title is the one in italics. */
function isPart({ type, containerTitle }: CitedSource): boolean {
  return (
    type === 'article' ||
    type === 'chapter' ||
    (containerTitle !== null && (type === 'website' || type === 'conference' || type === 'report'))
  );
}

/** The elements of the container, in the Handbook's order. */
function addContainer(text: StyledText, source: CitedSource): void {
  const { type, containerTitle, authors, editors, translators, edition, volume, issue, number } = source;
  const { publisher, date, pages } = source;
  const elements: string[] = [];
  const add = (element: string | null) => element !== null && elements.push(element);
  if (editors.length > 0 && (authors.length > 0 || isPart(source))) {
    add(`edited by ${directNames(editors)}`);
  }
  if (translators.length > 0) {
    add(`translated by ${directNames(translators)}`);
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
  } else if (first !== '') {
    text
      .next()
      .add([first.charAt(0).toUpperCase() + first.slice(1), ...further].join(', '))
      .end();
  }
}

function addThesis(text: StyledText, source: CitedSource): void {
  const { date, publisher, genre } = source;
  if (date !== null) {
    text.next().add(mlaDate(date)).end();
  }
  const kind = genre ?? 'thesis';
  text.next().add(publisher === null ? kind : `${publisher}, ${kind}`);
  const link = source.database === null ? linkOf(source) : null;
  text.add(link === null ? '' : `, ${link}`).end();
}

/** The second container: where the first one was found. */
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

function inText(source: CitedSource): Citation['inText'] {
  const names = (
    mlaWho(source) !== null && writersOf(source).length === 0 ? source.editors : writersOf(source)
  ).map(shortName);
  const [first = '', second = ''] = names;
  if (names.length === 0) {
    const title = isPart(source) ? quotedTitle(source.title, '') : source.title;
    return { parenthetical: `(${title})`, narrative: title };
  }
  if (names.length === 2) {
    return { parenthetical: `(${first} and ${second})`, narrative: `${first} and ${second}` };
  }
  return names.length > 2
    ? { parenthetical: `(${first} et al.)`, narrative: `${first} and others` }
    : { parenthetical: `(${first})`, narrative: first };
}
