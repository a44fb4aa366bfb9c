import type { ScholarCitationPlace } from '../../../generated/types';
import { withinAny } from '../../text/places';
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

interface ReferenceIndex {
  readonly byNumber: ReadonlyMap<number, number>;
  readonly byNames: ReadonlyMap<string, number>;
}

/** A citation names no more people: see CITED. */
const PEOPLE_MAX = 12;

function indexOf(references: readonly PaperReference[]): ReferenceIndex {
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

function* numericIn(text: string, { byNumber }: ReferenceIndex): Generator<ScholarCitationPlace> {
  let count = 0;
  for (const match of text.matchAll(NUMERIC)) {
    const numbers = numbersIn((match[1] ?? '').replaceAll(/[[\]]/gu, ''));
    const isKnown = numbers.map((number) => byNumber.get(number));
    yield {
      kind: 'numeric',
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
      references: isKnown.filter((each) => each !== undefined),
      unmatched: numbers.filter((_, place) => isKnown[place] === undefined).map((number) => `[${number}]`),
    };
    count += 1;
    if (count > CITATIONS_MAX) {
      return;
    }
  }
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

function* authorYearIn(text: string, index: ReferenceIndex): Generator<ScholarCitationPlace> {
  let count = 0;
  for (const match of text.matchAll(PARENTHESIS)) {
    // Short forms are explained in brackets: (World Health Organization [WHO], 2018).
    const inner = (match[1] ?? '').replace(/\s+/gu, ' ').replace(/ \[[^[\]]{1,40}\]/gu, '');
    const end = match.index + match[0].length;
    const made = YEARS_ALONE.test(inner)
      ? narrative(text, match.index, end, inner, index)
      : parenthetical(text, match.index, end, inner, index);
    if (made) {
      yield made;
      count += 1;
    }
    if (count > CITATIONS_MAX) {
      return;
    }
  }
}

function parenthetical(
  text: string,
  start: number,
  end: number,
  inner: string,
  index: ReferenceIndex,
): ScholarCitationPlace | null {
  const parts = inner.split(/; ?/u).map((part) => CITED.exec(part.trim().replace(LEADS, '')));
  const cited = parts.filter((part) => part !== null).filter(([, names = '']) => isName(names));
  if (cited.length === 0) {
    return null;
  }
  const works = cited.flatMap(([, names = '', years = '']) => worksOf(names, years, index));
  return citation(text, start, end, works);
}

function narrative(
  text: string,
  open: number,
  end: number,
  years: string,
  index: ReferenceIndex,
): ScholarCitationPlace | null {
  const from = Math.max(0, open - LOOK_BACK);
  const before = text.slice(from, open).replace(/\s/gu, ' ');
  const names = NAMES_BEFORE.exec(before);
  const cited = names?.[1]?.replace(/['’]s?$/u, '') ?? '';
  if (!names || !isName(cited)) {
    return null;
  }
  const [, listed = ''] = YEARS_ALONE.exec(years) ?? [];
  return citation(text, from + names.index, end, worksOf(cited, listed, index));
}

interface Work {
  readonly label: string;
  readonly reference: number | null;
}

function citation(text: string, start: number, end: number, works: readonly Work[]): ScholarCitationPlace {
  return {
    kind: 'author_year',
    text: text.slice(start, end),
    start,
    end,
    references: [...new Set(works.map(({ reference }) => reference).filter((each) => each !== null))],
    unmatched: works.filter(({ reference }) => reference === null).map(({ label }) => label),
  };
}

function worksOf(names: string, years: string, { byNames }: ReferenceIndex): Work[] {
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
