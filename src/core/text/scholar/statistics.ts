export const STATISTIC_KINDS = [
  'p_value',
  'sample_size',
  'mean',
  'confidence_interval',
  'percentage',
  't',
  'f',
  'chi_square',
  'correlation',
] as const;
export type StatisticKind = (typeof STATISTIC_KINDS)[number];

/** A statistic that a text reports: `source.slice(start, end) === text`. What it does not say is null. */
export interface Statistic {
  readonly kind: StatisticKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly comparison: '=' | '<' | '>' | '≤' | '≥' | null;
  readonly value: number | null;
  readonly degreesOfFreedom: number[];
  /** The standard deviation of a mean. */
  readonly deviation: number | null;
  /** The bounds of an interval. */
  readonly low: number | null;
  readonly high: number | null;
}

const STATISTICS_MAX = 2_000;

const NUMBER = '[-−–]?(?:\\d{1,12}(?:,\\d{3}){0,4}(?:\\.\\d{1,12})?|\\.\\d{1,12})';
const COMPARED = '([=<>≤≥])';
const END = '(?![\\d])';
const BEGIN = '(?<![\\p{L}\\p{N}.])';

/** In order of precedence: what an earlier one has taken is not read again. */
const PATTERNS: readonly (readonly [StatisticKind, RegExp])[] = [
  [
    'confidence_interval',
    pattern(
      `(?<![\\d.])(\\d{2}(?:\\.\\d{1,2})?) ?% ?(?:CI|confidence intervals?)[ :=,]{0,3}[[(]? ?(${NUMBER})(?: ?(?:,|;|to|–|-) ?)(${NUMBER})${END}(?:(?<=[[(][^[\\]()%]{1,60})[\\])])?`,
      'i',
    ),
  ],
  [
    'chi_square',
    pattern(
      `(?:χ|X|chi)[- ]?(?:2|²|\\^2|square[d]?) ?\\( ?(${NUMBER})(?: ?, ?[Nn] ?= ?${NUMBER})? ?\\) ?${COMPARED} ?(${NUMBER})${END}`,
      'i',
    ),
  ],
  [
    'f',
    pattern(`${BEGIN}[*_]?F[*_]? ?\\( ?(${NUMBER}) ?, ?(${NUMBER}) ?\\) ?${COMPARED} ?(${NUMBER})${END}`),
  ],
  ['t', pattern(`${BEGIN}[*_]?t[*_]? ?\\( ?(${NUMBER}) ?\\) ?${COMPARED} ?(${NUMBER})${END}`)],
  ['correlation', pattern(`${BEGIN}[*_]?r[*_]? ?(?:\\( ?(${NUMBER}) ?\\) ?)?${COMPARED} ?(${NUMBER})${END}`)],
  ['p_value', pattern(`${BEGIN}[*_]?[pP][*_]?(?:[- ]value)?(?: of)? ?${COMPARED} ?(${NUMBER})${END}`)],
  [
    'mean',
    pattern(
      `${BEGIN}(?:[*_]?M[*_]?|[Mm]ean) ?= ?(${NUMBER})${END}(?:[,;]? ?(?:[*_]?SD[*_]? ?= ?(${NUMBER})${END}|\\([*_]?SD[*_]? ?= ?(${NUMBER})${END}\\)))?`,
    ),
  ],
  ['mean', pattern(`(?<![\\d.])(${NUMBER}) ?(?:±|\\+\\/-) ?(${NUMBER})${END}`)],
  ['sample_size', pattern(`${BEGIN}[*_]?[nN][*_]? ?= ?(\\d{1,12}(?:,\\d{3}){0,4})${END}`)],
  ['percentage', pattern(`(?<![\\d.,])(${NUMBER}) ?(?:%|percent\\b|per cent\\b)`)],
];

/** The statistics of a text, in its order; they do not overlap. Takes linear time. */
export function statisticsIn(text: string): Statistic[] {
  const found: Statistic[] = [];
  const taken = new Uint8Array(text.length);
  for (const [kind, each] of PATTERNS) {
    let count = 0;
    for (const match of text.matchAll(each)) {
      const end = match.index + match[0].length;
      if (taken[match.index] === 0 && taken[end - 1] === 0) {
        taken.fill(1, match.index, end);
        found.push(read(kind, match));
        count += 1;
      }
      if (count === STATISTICS_MAX) {
        break;
      }
    }
  }
  return found.sort((one, other) => one.start - other.start).slice(0, STATISTICS_MAX);
}

function read(kind: StatisticKind, match: RegExpExecArray): Statistic {
  const [text, ...groups] = match;
  const place = { kind, text, start: match.index, end: match.index + text.length };
  const nothing = {
    comparison: null,
    value: null,
    degreesOfFreedom: [],
    deviation: null,
    low: null,
    high: null,
  };
  const [first, second, third, fourth] = groups;
  switch (kind) {
    case 'confidence_interval':
      return { ...place, ...nothing, value: numberOf(first), low: numberOf(second), high: numberOf(third) };
    case 'f': {
      const degreesOfFreedom = degrees(first, second);
      return { ...place, ...nothing, degreesOfFreedom, comparison: sign(third), value: numberOf(fourth) };
    }
    case 'chi_square':
    case 't':
    case 'correlation':
      return {
        ...place,
        ...nothing,
        degreesOfFreedom: degrees(first),
        comparison: sign(second),
        value: numberOf(third),
      };
    case 'p_value':
      return { ...place, ...nothing, comparison: sign(first), value: numberOf(second) };
    case 'mean':
      return { ...place, ...nothing, value: numberOf(first), deviation: numberOf(second ?? third) };
    case 'sample_size':
      return { ...place, ...nothing, comparison: '=', value: numberOf(first) };
    case 'percentage':
      return { ...place, ...nothing, value: numberOf(first) };
  }
}

function numberOf(written: string | undefined): number | null {
  if (written === undefined) {
    return null;
  }
  const number = Number(written.replace(/[−–]/u, '-').replaceAll(',', ''));
  return Number.isFinite(number) ? number : null;
}

function degrees(...written: (string | undefined)[]): number[] {
  return written.map(numberOf).filter((number) => number !== null);
}

function sign(written: string | undefined): Statistic['comparison'] {
  return (written ?? null) as Statistic['comparison'];
}

function pattern(source: string, flags = ''): RegExp {
  return new RegExp(source.replaceAll(' ?', '[ \\u00a0\\u2009]?'), `gu${flags}`);
}
