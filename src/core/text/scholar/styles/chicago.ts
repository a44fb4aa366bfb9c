import type { Citation, CitedSource, SourceName } from './cited-source';
import { americanDate, monthName, monthOrSeason } from './dates';
import { editionLabel } from './editions';
import { directName, invertedName, isNamed, listed, shortName } from './names';
import { pageRanges } from './page-ranges';
import { quotedTitle, StyledText } from './styled-text';

/** Of more than ten authors, the first seven are named. */
const AUTHORS_MAX = 10;
const AUTHORS_NAMED = 7;
/** From four authors on, the text names the first one. */
const AUTHORS_IN_TEXT_MAX = 3;

/**
 * An entry of a reference list by the author-date system of the Chicago Manual of Style, 17th edition.
 * @param letter tells sources of the same authors and year apart; '' where that is not needed
 */
export function chicagoCitation(source: CitedSource, letter: string): Citation {
  const text = new StyledText();
  const who = chicagoWho(source);
  if (who === null) {
    addTitle(text, source);
  } else {
    text.add(who).end();
  }
  text.next().add(yearOf(source, letter)).end();
  if (who !== null) {
    addTitle(text.next(), source);
  }
  addPublication(text, source);
  addLink(text, source);
  return { text: text.text, html: text.html, inText: inText(source, letter), key: null };
}

/** Who stands in the place of the author: the editors, where a whole book has no author. */
export function chicagoWho({ type, authors, editors }: CitedSource): string | null {
  if (authors.length > 0) {
    return chicagoNames(authors);
  }
  if (editors.length === 0 || type === 'chapter' || type === 'article') {
    return null;
  }
  return `${chicagoNames(editors)}, ${editors.length > 1 ? 'eds.' : 'ed.'}`;
}

function chicagoNames(names: readonly SourceName[]): string {
  const written = names.map((name, index) => (index === 0 ? invertedName(name) : directName(name)));
  const [first = '', second = ''] = written;
  if (names.length > AUTHORS_MAX) {
    return `${written.slice(0, AUTHORS_NAMED).join(', ')}, et al.`;
  }
  return written.length === 2 ? `${first}, and ${second}` : listed(written, 'and');
}

function directNames(names: readonly SourceName[]): string {
  return names.length > AUTHORS_MAX
    ? `${names.slice(0, AUTHORS_NAMED).map(directName).join(', ')} et al.`
    : listed(names.map(directName), 'and');
}

function yearOf({ date }: CitedSource, letter: string): string {
  if (date === null) {
    return letter === '' ? 'n.d.' : `n.d.-${letter}`;
  }
  return `${date.year}${letter}`;
}

function addTitle(text: StyledText, source: CitedSource): void {
  if (isQuoted(source)) {
    text.quoted(source.title);
  } else {
    text.italic(source.title);
  }
  if (source.translatedTitle !== null) {
    text.add(` [${source.translatedTitle}]`);
  }
  text.end();
}

function isQuoted({ type }: CitedSource): boolean {
  return type !== 'book' && type !== 'report';
}

function addPublication(text: StyledText, source: CitedSource): void {
  const { type, containerTitle, publisher, authors, date, genre, place, database } = source;
  if (type === 'article') {
    addPeriodical(text, source);
  } else if (type === 'chapter' || (type === 'conference' && isPublished(source))) {
    addBookOfPart(text, source);
    addImprint(text, source);
  } else if (type === 'website') {
    const site = containerTitle ?? publisher;
    addSentence(text, isNamed(authors, site) ? null : site);
    addSentence(text, date?.month ? americanDate(date) : null);
  } else if (type === 'thesis') {
    addSentence(text, joined([genre ?? 'Thesis', publisher]));
  } else if (type === 'conference') {
    const given = date?.month ? americanDate(date) : null;
    addSentence(text, joined([genre ?? 'Paper presented', containerTitle, place, given]));
  } else {
    addBook(text, source);
  }
  addSentence(text, database);
}

function isPublished({ containerTitle, pages, publisher, editors }: CitedSource): boolean {
  return containerTitle !== null && (pages !== null || publisher !== null || editors.length > 0);
}

function addSentence(text: StyledText, sentence: string | null): void {
  if (sentence !== null && sentence !== '') {
    text.next().add(sentence).end();
  }
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
    editors.length === 0 ? null : `edited by ${directNames(editors)}`,
    pages === null ? null : pageRanges(pages, 'chicago'),
  ]);
  text.add(details === '' ? '' : `, ${details}`).end();
}

function addBook(text: StyledText, source: CitedSource): void {
  const { authors, editors, translators, edition, volume, number } = source;
  addSentence(text, edition === null ? null : editionLabel(edition));
  addSentence(text, volume === null ? null : `Vol. ${volume}`);
  if (authors.length > 0 && editors.length > 0) {
    addSentence(text, `Edited by ${directNames(editors)}`);
  }
  addSentence(text, translators.length === 0 ? null : `Translated by ${directNames(translators)}`);
  addSentence(text, number);
  addImprint(text, source);
}

function addImprint(text: StyledText, { place, publisher }: CitedSource): void {
  addSentence(text, [place, publisher].filter((part) => part !== null).join(': '));
}

/** When something was accessed matters only where it bears no date. */
function addLink(text: StyledText, { doi, url, accessed, date }: CitedSource): void {
  if (url !== null && doi === null && date === null && accessed !== null && accessed.month !== null) {
    const { month, day, year } = accessed;
    addSentence(text, `Accessed ${day === null ? `${monthName(month)} ${year}` : americanDate(accessed)}`);
  }
  const link = doi === null ? url : `https://doi.org/${doi}`;
  text.add(link === null ? '' : ` ${link}.`);
}

function inText(source: CitedSource, letter: string): Citation['inText'] {
  const year = yearOf(source, letter);
  const isEdited = source.authors.length === 0 && chicagoWho(source) !== null;
  const names = (isEdited ? source.editors : source.authors).map(shortName);
  const title = isQuoted(source) ? quotedTitle(source.title, '') : source.title;
  const who =
    names.length > AUTHORS_IN_TEXT_MAX
      ? `${names[0]} et al.`
      : names.length === 0
        ? title
        : listed(names, 'and');
  return { parenthetical: `(${who} ${year})`, narrative: `${who} (${year})` };
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
