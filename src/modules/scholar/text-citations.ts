import type { ScholarCitationPlace } from '../../../generated/types';
import { matchesIn, placeOf, withinAny } from '../../text/places';
import type { PaperReference } from './references';

export const CITATIONS_MAX = 5_000;
/** A range of more numbers is none. */
const RANGE_MAX = 100;
const NUMBERS_MAX = 50;

/** Numbers in a bracket; also a range whose ends each have one, as IEEE writes it: [2]–[4]. */
const NUMERIC =
  /\[(\d{1,4}\]\s?[–—-]\s?\[\d{1,4}|\d{1,4}(?:\s?[–—-]\s?\d{1,4})?(?:\s?[,;]\s?\d{1,4}(?:\s?[–—-]\s?\d{1,4})?){0,49})\](?!\(|:\s)/gu;
const PARENTHESIS = /\(([^()]{4,400})\)/gu;
const YEAR = '(?:(?:1[4-9]|20)\\d\\d[a-z]?|n\\.d\\.(?:-[a-z])?|in press)';
const WORD = "[\\p{L}\\p{M}][\\p{L}\\p{M}.'’-]{0,40}";
/** Names and a year: `Smith & Lee, 2019, 2020a, p. 4`. */
const CITED = new RegExp(
  `^((?:${WORD}(?:,? ?& |,? )){0,11}${WORD}),? (${YEAR}(?:, ${YEAR}){0,9})(?:[,:] ?(?:pp?\\.|chap|sec|para|\\d)[^;]{0,60})?$`,
  'u',
);
const LEADS =
  /^(?:see(?: also)?|e\.g\.|i\.e\.|cf\.|for example|for (?:a )?reviews?,? see|also|but see|as in|reviewed in|following|from|in)[,:]? /iu;
const YEARS_ALONE = new RegExp(`^(${YEAR}(?:, ${YEAR}){0,9})(?:[,:] ?(?:pp?\\.|\\d)[^;]{0,60})?$`, 'u');
const PARTICLE = '(?:(?:van|von|de|den|der|del|di|da|du|la|le|ter|ten) ){0,3}';
const NAME = `${PARTICLE}\\p{Lu}[\\p{L}\\p{M}'’-]{0,40}`;
const NAMES_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{M}'’-])(${NAME}(?:(?:, ${NAME}){0,6},? (?:and|&|und|y|et) ${NAME}| et al\\.| and colleagues)?)(?:['’]s?)? ?$`,
  'u',
);
const LOOK_BACK = 160;

/** Places within the lists of references, which `listed` names in order, are left out. Takes linear time. */
export function textCitationsIn(
  text: string,
  references: readonly PaperReference[],
  listed: readonly { readonly start: number; readonly end: number }[],
): ScholarCitationPlace[] {
  const index = indexOf(references);
  const isListed = withinAny(listed);
  const found = [...numericIn(text, index), ...authorYearIn(text, index)];
  return found.filter(({ start }) => !isListed(start)).sort((one, other) => one.start - other.start);
}

type ReferenceIndex = ReturnType<typeof indexOf>;

/** A citation names no more people: see CITED. */
const PEOPLE_MAX = 12;

function indexOf(references: readonly PaperReference[]) {
  const byNumber = new Map<number, number>();
  const byNames = new Map<string, number>();
  for (const [index, { number, families, year }] of references.entries()) {
    if (number !== null && !byNumber.has(number)) {
      byNumber.set(number, index);
    }
    let key = year ?? '';
    for (const family of year === null ? [] : families.slice(0, PEOPLE_MAX)) {
      key = `${key}\n${folded(family)}`;
      byNames.set(key, byNames.get(key) ?? index);
    }
  }
  return { byNumber, byNames };
}

function numericIn(text: string, { byNumber }: ReferenceIndex): ScholarCitationPlace[] {
  const matches = matchesIn(text, NUMERIC).slice(0, CITATIONS_MAX + 1);
  return matches.map((match) => {
    const numbers = numbersIn((match[1] ?? '').replaceAll(/[[\]]/gu, ''));
    return {
      kind: 'numeric',
      ...placeOf(match),
      references: numbers.map((number) => byNumber.get(number)).filter((each) => each !== undefined),
      unmatched: numbers.filter((number) => !byNumber.has(number)).map((number) => `[${number}]`),
    };
  });
}

function numbersIn(list: string): number[] {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–—-]/).map(Number);
    return last < first || last - first >= RANGE_MAX
      ? [first, last]
      : Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });
  return [...new Set(numbers)].slice(0, NUMBERS_MAX);
}

function authorYearIn(text: string, index: ReferenceIndex): ScholarCitationPlace[] {
  const found: ScholarCitationPlace[] = [];
  for (const { 0: whole, 1: content = '', index: open } of text.matchAll(PARENTHESIS)) {
    // Short forms are explained in brackets: (World Health Organization [WHO], 2018).
    const inner = content.replace(/\s+/gu, ' ').replace(/ \[[^[\]]{1,40}\]/gu, '');
    const years = YEARS_ALONE.exec(inner)?.[1];
    const { start, cited } =
      years === undefined ? { start: open, cited: citedIn(inner) } : narrative(text, open, years);
    const named = cited.filter(([names]) => isName(names));
    if (named.length === 0) {
      continue;
    }
    const works = named.flatMap(([names, listed]) => worksOf(names, listed, index));
    const end = open + whole.length;
    found.push({
      kind: 'author_year',
      text: text.slice(start, end),
      start,
      end,
      references: [...new Set(works.map(({ reference }) => reference).filter((each) => each !== null))],
      unmatched: works.filter(({ reference }) => reference === null).map(({ label }) => label),
    });
    if (found.length > CITATIONS_MAX) {
      break;
    }
  }
  return found;
}

type Cited = readonly [names: string, years: string];

function citedIn(inner: string): Cited[] {
  return inner.split(/; ?/u).flatMap((part): Cited[] => {
    const [, names, years = ''] = CITED.exec(part.trim().replace(LEADS, '')) ?? [];
    return names === undefined ? [] : [[names, years]];
  });
}

function narrative(text: string, open: number, years: string): { start: number; cited: Cited[] } {
  const from = Math.max(0, open - LOOK_BACK);
  const before = text.slice(from, open).replace(/\s/gu, ' ');
  const found = NAMES_BEFORE.exec(before);
  const names = found?.[1]?.replace(/['’]s?$/u, '') ?? '';
  return { start: from + (found?.index ?? 0), cited: [[names, years]] };
}

function worksOf(names: string, years: string, { byNames }: ReferenceIndex) {
  const people = names
    .replace(/,? (?:et al\.?|and colleagues|and others)$/u, '')
    .split(/,? (?:&|and|und|y|et) |, /u)
    .map(folded);
  const whole = folded(names);
  return years.split(', ').map((year) => {
    const fitting = [people.join('\n'), people[0] ?? '', whole].map((each) =>
      byNames.get(`${year}\n${each}`),
    );
    return { label: `${names}, ${year}`, reference: fitting.find((each) => each !== undefined) ?? null };
  });
}

/** Names begin with a capital, apart from particles; otherwise something else stands before the year. */
function isName(names: string): boolean {
  return (
    /^(?:(?:van|von|de|den|der|del|di|da|du|la|le|ter|ten|al-)[ -]?){0,3}\p{Lu}/u.test(names) &&
    !MONTHS.test(names)
  );
}

const MONTHS =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Fall|Winter|Figure|Fig\.|Table|Section|Since|In|Until|Before|After|Version)\b/u;

function folded(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.]/gu, '')
    .replace(/[’']/gu, "'")
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
