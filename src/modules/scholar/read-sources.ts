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
  // ISO 2108: of ten digits the sum is a multiple of 11, of thirteen one of 10.
  const is10 = /^\d{9}[\dX]$/.test(digits) && weighed(digits, (index) => 10 - index) % 11 === 0;
  const is13 = /^97[89]\d{10}$/.test(digits) && weighed(digits, (index) => 1 + 2 * (index % 2)) % 10 === 0;
  return is10 || is13 ? isbn : null;
}

function weighed(digits: string, weightOf: (index: number) => number): number {
  const values = Array.from(digits, (digit) => (digit === 'X' ? 10 : Number(digit)));
  return values.reduce((sum, value, index) => sum + weightOf(index) * value, 0);
}

/** White space and control characters become single spaces. @throws Unprocessable naming the faulty field */
export function readSources(sources: readonly ScholarSource[]): CitedSource[] {
  return sources.map((source, index) => readSource(source, `sources[${index}]`));
}

function readSource(source: ScholarSource, path: string): CitedSource {
  const { type, periodical, doi, isbn, url, accessed } = source;
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
    date: readDate(source, path),
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
    const written = [name.family, name.given, name.suffix, name.literal].map(plain);
    const [family = null, given = null, suffix = null, literal = null] = written;
    const isPerson = family !== null && literal === null;
    const isOrganisation = literal !== null && family === null && given === null && suffix === null;
    if (!isPerson && !isOrganisation) {
      throw new Unprocessable(`${path}[${index}] needs either family, with given and suffix, or literal.`);
    }
    return { family, given, suffix, literal };
  });
}

function readDate({ date, year, season }: ScholarSource, path: string): SourceDate | null {
  const read = date ? dateOf(date, `${path}.date`) : yearAlone(year);
  if (year && year !== read?.year) {
    throw new Unprocessable(`${path}.year is not that of its date.`);
  }
  if (season && (read === null || read.month !== null)) {
    throw new Unprocessable(`${path}.season needs a year, and no month.`);
  }
  return season && read ? { ...read, season } : read;
}

function yearAlone(year: number | null | undefined): SourceDate | null {
  return year ? { year, month: null, day: null, season: null } : null;
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
