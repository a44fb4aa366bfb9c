import { wordList } from '../../text/word-list';
import type { CitedSource, SourceDate, SourceName } from './cited-source';

export class StyledText {
  text = '';
  html = '';

  add(text: string): this {
    this.text += text;
    this.html += escapeHtml(text);
    return this;
  }

  italic(text: string): this {
    this.text += text;
    this.html += `<i>${escapeHtml(text)}</i>`;
    return this;
  }

  next(): this {
    return this.text === '' ? this : this.add(' ');
  }

  end(): this {
    return /[.?!][”’]?$/u.test(this.text) ? this : this.add('.');
  }

  sentence(text: string | null): this {
    return text === null || text === '' ? this : this.next().add(text).end();
  }

  title({ title, translatedTitle }: CitedSource, isQuoted: boolean): this {
    const written = isQuoted ? this.add(quotedTitle(title, '.')) : this.italic(title);
    return translatedTitle === null ? written : written.add(` [${translatedTitle}]`);
  }
}

/** Inner quotation marks become single ones. `stop` is left out after another mark. */
export function quotedTitle(title: string, stop: string): string {
  const inner = title
    .replace(/(^|[\s([–—-])"(?=\S)/gu, '$1‘')
    .replace(/“/gu, '‘')
    .replace(/["”]/gu, '’');
  return `“${inner}${/[.?!]’?$/u.test(inner) ? '' : stop}”`;
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** `2` becomes `2nd ed.`, `Revised` becomes `Revised ed.`; a text with "ed." stays. */
export function editionLabel(edition: string): string {
  if (/\bed(?:\.|ition\b)/iu.test(edition)) {
    return edition.replace(/\s+edition\b/iu, ' ed.');
  }
  return `${/^\d{1,4}$/.test(edition) ? ordinal(Number(edition)) : edition} ed.`;
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${number}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`;
}

/** `Jean-Paul` becomes `J.-P.`, `Mary Ann` `M. A.`, and `de` stays. */
function initialsOf(given: string): string {
  return given
    .replace(/\.(?=[^\s.-])/gu, '. ')
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map(initialsOfWord)
    .join(' ');
}

function initialsOfWord(word: string): string {
  if (/^\p{Ll}{1,4}$/u.test(word)) {
    return word;
  }
  // Databases write several initials without dots.
  if (/^\p{Lu}{2,3}$/u.test(word)) {
    return [...word].map((letter) => `${letter}.`).join(' ');
  }
  return word
    .split(/[-‐‑]/u)
    .map((part) => /[\p{L}\p{N}]/u.exec(part)?.[0] ?? '')
    .filter((letter) => letter !== '')
    .map((letter) => `${letter}.`)
    .join('-');
}

/** `King, M. L., Jr.` */
export function invertedInitials(name: SourceName): string {
  return inverted(name, (given) => initialsOf(given));
}

/** `King, Martin Luther, Jr.` */
export function invertedName(name: SourceName): string {
  return inverted(name, (given) => given);
}

function inverted({ family, given, suffix, literal }: SourceName, write: (given: string) => string): string {
  if (family === null) {
    return literal ?? '';
  }
  return [family, given === null ? null : write(given), suffix].filter((part) => part !== null).join(', ');
}

/** `M. L. King, Jr.` */
export function directInitials({ family, given, suffix, literal }: SourceName): string {
  if (family === null) {
    return literal ?? '';
  }
  const name = given === null ? family : `${initialsOf(given)} ${family}`;
  return suffix === null ? name : `${name}, ${suffix}`;
}

/** `Martin Luther King Jr.` */
export function directName({ family, given, suffix, literal }: SourceName): string {
  return family === null
    ? (literal ?? '')
    : [given, family, suffix].filter((part) => part !== null).join(' ');
}

export function shortName({ family, literal, inText }: SourceName): string {
  return inText ?? family ?? literal ?? '';
}

/** Where works begin with different people of one family name, the text names these with their initials. */
export function withPeopleApart(sources: readonly CitedSource[]): CitedSource[] {
  const namesakes = new Map<string, Set<string>>();
  const initials = ({ family, given }: SourceName) => `${initialsOf(given ?? '')} ${family}`;
  for (const source of sources) {
    const [first] = isByEditors(source) ? source.editors : source.authors;
    if (first?.family && first.given) {
      namesakes.set(first.family, (namesakes.get(first.family) ?? new Set()).add(initials(first)));
    }
  }
  const apart = (people: readonly SourceName[]) =>
    people.map((name, index) => {
      const isShared = index === 0 && (namesakes.get(name.family ?? '')?.size ?? 0) > 1;
      return isShared && name.given ? { ...name, inText: initials(name) } : name;
    });
  return sources.map((each) => ({ ...each, authors: apart(each.authors), editors: apart(each.editors) }));
}

/** `A`, `A and B`, `A, B, and C`. */
export function listed(names: readonly string[], and: string): string {
  const [last = ''] = names.slice(-1);
  if (names.length < 3) {
    return names.join(` ${and} `);
  }
  return `${names.slice(0, -1).join(', ')}, ${and} ${last}`;
}

export function isNamed(names: readonly SourceName[], text: string | null): boolean {
  return text !== null && names.some((name) => shortName(name).toLowerCase() === text.toLowerCase());
}

const MONTHS = wordList(
  'January February March April May June July August September October November December',
);
/** As MLA shortens them; May, June and July stay whole. */
const SHORT_MONTHS = wordList('Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.');

export function monthName(month: number): string {
  return MONTHS[month - 1] ?? '';
}

export function monthOrSeason({ month, season }: SourceDate): string | null {
  if (season !== null) {
    return season.charAt(0).toUpperCase() + season.slice(1);
  }
  return month === null ? null : monthName(month);
}

/** `April 17, 2017`, `April 2017`, `2017`. */
export function americanDate({ year, month, day }: SourceDate): string {
  if (month === null) {
    return String(year);
  }
  return day === null ? `${monthName(month)} ${year}` : `${monthName(month)} ${day}, ${year}`;
}

/** `17 Apr. 2017`, `Apr. 2017`, `spring 2017`, `2017`. */
export function mlaDate({ year, month, day, season }: SourceDate): string {
  const named = season ?? (month === null ? null : SHORT_MONTHS[month - 1]);
  return [season === null ? day : null, named, year].filter((part) => part !== null).join(' ');
}

export function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

export function yearOf({ date }: CitedSource, letter: string): string {
  if (date === null) {
    return letter === '' ? 'n.d.' : `n.d.-${letter}`;
  }
  return `${date.year}${letter}`;
}

export function isInProceedings({ type, containerTitle, pages, publisher, editors }: CitedSource): boolean {
  const isPublished = pages !== null || publisher !== null || editors.length > 0;
  return type === 'conference' && containerTitle !== null && isPublished;
}

export function isByEditors({ type, authors, editors }: CitedSource): boolean {
  return authors.length === 0 && editors.length > 0 && type !== 'chapter' && type !== 'article';
}

export function entryNames(
  source: CitedSource,
  write: (names: readonly SourceName[]) => string,
  [editor, editors]: readonly [string, string],
  writers = source.authors,
): string | null {
  if (isByEditors(source)) {
    return `${write(source.editors)}${source.editors.length > 1 ? editors : editor}`;
  }
  return writers.length > 0 ? write(writers) : null;
}
