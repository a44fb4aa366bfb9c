import type { ScholarSource, ScholarSourceName } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { CITED_TEXTS, type CitedSource, type SourceDate, type SourceName } from './cited-source';

/** ISO 26324: a prefix of `10.` and a registrant, a slash, and whatever the registrant likes. */
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/[^\s"<>{}\\^`|]{1,300}$/u;
const DOI_LEAD = /^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*)/iu;

export function readDoi(text: string): string | null {
  const doi = text.trim().replace(DOI_LEAD, '');
  return DOI.test(doi) ? doi : null;
}

export function readIsbn(text: string): string | null {
  const isbn = text.trim().replace(/^ISBN(?:-1[03])?:?\s*/iu, '');
  const digits = isbn.replace(/[-\s‐–]/gu, '').toUpperCase();
  return (/^\d{9}[\dX]$/.test(digits) && hasCheckOf10(digits)) ||
    (/^97[89]\d{10}$/.test(digits) && hasCheckOf13(digits))
    ? isbn
    : null;
}

/** ISO 2108: the digits weigh 10 to 1, X counts ten, and the sum is a multiple of 11. */
function hasCheckOf10(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** The digits weigh 1 and 3 in turn, and the sum is a multiple of 10. */
function hasCheckOf13(digits: string): boolean {
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}

/** White space and control characters become single spaces. @throws Unprocessable, which names the field that makes no sense */
export function readSources(sources: readonly ScholarSource[]): CitedSource[] {
  return sources.map((source, index) => readSource(source, `sources[${index}]`));
}

function readSource(source: ScholarSource, path: string): CitedSource {
  const { type, periodical, doi, isbn, url, season, date, year, accessed } = source;
  const title = plain(source.title);
  if (title === null) {
    throw new Unprocessable(`${path}.title is empty.`);
  }
  const texts = CITED_TEXTS.map((name) => [name, plain(source[name])] as const);
  return {
    ...(Object.fromEntries(texts) as Pick<CitedSource, (typeof CITED_TEXTS)[number]>),
    type,
    title,
    periodical: periodical ?? 'journal',
    translatedTitle: plain(source.translated_title),
    authors: readNames(source.authors, `${path}.authors`),
    editors: readNames(source.editors, `${path}.editors`),
    translators: readNames(source.translators, `${path}.translators`),
    date: withSeason(readDate(date, year, path), season, path),
    containerTitle: plain(source.container_title),
    url: url ?? null,
    doi: identifier(doi, readDoi, `${path}.doi`, 'DOI, such as 10.1000/182'),
    isbn: identifier(isbn, readIsbn, `${path}.isbn`, 'ISBN of 10 or 13 digits with its check digit'),
    accessed: accessed ? dateOf(accessed, `${path}.accessed`) : null,
  };
}

function plain(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return trimmed === '' ? null : trimmed;
}

function readNames(names: readonly ScholarSourceName[] | undefined, path: string): SourceName[] {
  return (names ?? []).map((name, index) => {
    const [family, given, suffix, literal] = [name.family, name.given, name.suffix, name.literal].map(plain);
    const isPerson = Boolean(family) && !literal;
    const isOrganisation = Boolean(literal) && !family && !given && !suffix;
    if (!isPerson && !isOrganisation) {
      throw new Unprocessable(`${path}[${index}] needs either family, with given and suffix, or literal.`);
    }
    return { family: family ?? null, given: given ?? null, suffix: suffix ?? null, literal: literal ?? null };
  });
}

function readDate(
  date: string | null | undefined,
  year: number | null | undefined,
  path: string,
): SourceDate | null {
  if (!date) {
    return year ? { year, month: null, day: null, season: null } : null;
  }
  const read = dateOf(date, `${path}.date`);
  if (year && year !== read.year) {
    throw new Unprocessable(`${path}.year is not that of its date.`);
  }
  return read;
}

function dateOf(date: string, path: string): SourceDate {
  const [year = 0, month = null, day = null] = date.split('-').map(Number);
  const exact = new Date(0);
  exact.setUTCFullYear(year, (month ?? 1) - 1, day ?? 1);
  if (year < 1 || exact.getUTCMonth() !== (month ?? 1) - 1 || exact.getUTCDate() !== (day ?? 1)) {
    throw new Unprocessable(`${path} is a date that does not exist.`);
  }
  return { year, month, day, season: null };
}

function withSeason(
  date: SourceDate | null,
  season: SourceDate['season'] | undefined,
  path: string,
): SourceDate | null {
  if (!season) {
    return date;
  }
  if (date === null || date.month !== null) {
    throw new Unprocessable(`${path}.season needs a year, and no month.`);
  }
  return { ...date, season };
}

function identifier(
  given: string | null | undefined,
  read: (text: string) => string | null,
  path: string,
  what: string,
): string | null {
  if (!given) {
    return null;
  }
  const found = read(given);
  if (found === null) {
    throw new Unprocessable(`${path} is no ${what}.`);
  }
  return found;
}
