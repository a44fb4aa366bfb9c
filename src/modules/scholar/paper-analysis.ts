import { type OutputOf, schema, type FaultTally } from '../../models/generation/output-schema';
import type { ScholarCitationPlace, ScholarStatistic } from '../../../generated/types';
import { placeOf, withinAny } from '../../text/places';
import { firstPlaces } from '../../text/string-search';
import { type PaperReference, readReference, REFERENCES_MAX, referencesIn } from './references';
import {
  CITATIONS_MAX,
  type PaperSection,
  type PlacedHeading,
  SECTION_KINDS,
  sectionsOf,
  sectionsUnder,
  textCitationsIn,
} from './paper-parts';

const STATISTICS_MAX = 2_000;

const WHOLE = '\\d{1,12}(?:,\\d{3}){0,4}(?:\\.\\d{1,12})?';
const DEGREES = `(?:${WHOLE}|\\.\\d{1,12})`;
const AND = '(?:and|or|und|oder|et|ou|y|o) ';
/** Of "2,31", "2,31, 95% CI" and "3,45 und 3,67", but not of "5,10,15" and "5,10, and 15". */
const DECIMAL_COMMA = `\\d{1,12},(?:\\d{1,2}|\\d{4,12})(?!\\d|,\\d|(?:, ?(?:${AND})?| ${AND})\\d{1,12}(?!\\d|,\\d| ?% ?(?:[CK]I|IC)))|`;
const POWER = '(?:[eE][-−+]?\\d{1,3}| ?[×x·*] ?10(?:\\^?[-−–]\\d{1,3}|⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))';
const COMPARED = '(?<sign>[=<>≤≥])';
const END = '(?![\\d])';
const BEGIN = '(?<![\\p{L}\\p{N}.])';

/** In order of precedence: text that one has taken is not read again. */
function patternsWith(decimalComma: string): readonly (readonly [ScholarStatistic['kind'], RegExp])[] {
  // The mark of a range is no sign.
  const number = `(?:(?<![\\d%])[-−–])?(?:0,\\d{1,12}|${decimalComma}${WHOLE}|\\.\\d{1,12})`;
  const value = `(?<value>${number}${POWER}?)`;
  return [
    [
      'confidence_interval',
      pattern(
        `(?<![\\d.])(?<value>\\d{2}(?:\\.\\d{1,2})?) ?% ?(?:CI|confidence intervals?)[ :=,]{0,3}[[(]? ?(?<low>${number})(?: ?(?:,|;|to|–|-) ?)(?<high>${number})${END}(?:(?<=[[(][^[\\]()%]{1,60})[\\])])?`,
        'i',
      ),
    ],
    [
      'chi_square',
      pattern(
        `(?:χ|X|chi)[- ]?(?:2|²|\\^2|square[d]?) ?\\( ?(?<degrees>${DEGREES})(?: ?, ?[Nn] ?= ?${DEGREES})? ?\\) ?${COMPARED} ?${value}${END}`,
        'i',
      ),
    ],
    [
      'f',
      pattern(
        `${BEGIN}[*_]?F[*_]? ?\\( ?(?<degrees>${DEGREES}) ?, ?(?<further>${DEGREES}) ?\\) ?${COMPARED} ?${value}${END}`,
      ),
    ],
    ['t', pattern(`${BEGIN}[*_]?t[*_]? ?\\( ?(?<degrees>${DEGREES}) ?\\) ?${COMPARED} ?${value}${END}`)],
    [
      'correlation',
      pattern(`${BEGIN}[*_]?r[*_]? ?(?:\\( ?(?<degrees>${DEGREES}) ?\\) ?)?${COMPARED} ?${value}${END}`),
    ],
    ['p_value', pattern(`${BEGIN}[*_]?[pP][*_]?(?:[- ]value)?(?: of)? ?${COMPARED} ?${value}${END}`)],
    [
      'mean',
      pattern(
        `${BEGIN}(?:[*_]?M[*_]?|[Mm]ean) ?= ?${value}${END}(?:[,;]? ?(?:[*_]?SD[*_]? ?= ?(?<deviation>${number})${END}|\\([*_]?SD[*_]? ?= ?(?<enclosed>${number})${END}\\)))?`,
      ),
    ],
    ['mean', pattern(`(?<![\\d.])${value} ?(?:±|\\+\\/-) ?(?<deviation>${number})${END}`)],
    ['sample_size', pattern(`${BEGIN}[*_]?[nN][*_]? ?(?<sign>=) ?(?<value>\\d{1,12}(?:,\\d{3}){0,4})${END}`)],
    ['percentage', pattern(`(?<![\\d.,])${value} ?(?:%|percent\\b|per cent\\b)`)],
  ];
}

const WITH_POINTS = patternsWith('');
const WITH_COMMAS = patternsWith(DECIMAL_COMMA);

export function statisticsIn(text: string): ScholarStatistic[] {
  const found: ScholarStatistic[] = [];
  const taken = new Uint8Array(text.length);
  const hasPoints = /[=<>≤≥±] ?[-−–]?\d{0,12}\.\d|\d\.\d{1,2} ?%/u.test(text);
  for (const [kind, each] of hasPoints ? WITH_POINTS : WITH_COMMAS) {
    let count = 0;
    for (const match of text.matchAll(each)) {
      const end = match.index + match[0].length;
      if (taken[match.index] === 0 && taken[end - 1] === 0) {
        taken.fill(1, match.index, end);
        found.push(read(kind, match));
        count += 1;
      }
      if (count > STATISTICS_MAX) {
        break;
      }
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

function read(kind: ScholarStatistic['kind'], match: RegExpExecArray): ScholarStatistic {
  const { sign, value, degrees, further, deviation, enclosed, low, high } = match.groups ?? {};
  return {
    kind,
    ...placeOf(match),
    comparison: (sign ?? null) as ScholarStatistic['comparison'],
    value: numberOf(value),
    deviation: numberOf(deviation ?? enclosed),
    low: numberOf(low),
    high: numberOf(high),
    degrees_of_freedom: [degrees, further].map(numberOf).filter((number) => number !== null),
  };
}

function numberOf(written: string | undefined): number | null {
  if (written === undefined) {
    return null;
  }
  const plain = written
    .normalize('NFKC')
    .replace(/\s?[×x·*]\s?10\^?/u, 'e')
    .replaceAll(/[−–]/gu, '-')
    .replace(/^(-?(?:0|\d+(?=,\d{1,2}(?!\d)|,\d{4}))),/u, '$1.');
  const number = Number(plain.replaceAll(',', ''));
  return Number.isFinite(number) ? number : null;
}

function pattern(source: string, flags = ''): RegExp {
  return new RegExp(source.replaceAll(' ?', '[ \\u00a0\\u2009]?'), `gu${flags}`);
}

export interface PaperAnalysis {
  readonly sections: PaperSection[];
  readonly references: (PaperReference & { readonly citations: number })[];
  readonly citations: ScholarCitationPlace[];
  readonly statistics: ScholarStatistic[];
  readonly truncated: boolean;
}

const TEXT = schema.string({ minLength: 1, maxLength: 3_000 });

export const PAPER_SCHEMA = schema.object({
  sections: schema.list(schema.object({ heading: TEXT, kind: schema.oneOf(SECTION_KINDS) })),
  references: schema.list(
    schema.object({
      raw: TEXT,
      authors: schema.list(TEXT),
      year: schema.orNull(TEXT),
      title: schema.orNull(TEXT),
      doi: schema.orNull(TEXT),
      url: schema.orNull(TEXT),
    }),
  ),
});
export type PaperOutput = OutputOf<typeof PAPER_SCHEMA>;

export function analysisOf(text: string): PaperAnalysis {
  const sections = sectionsOf(text);
  const lists = sections.filter(({ kind }) => kind === 'references');
  const references = lists.flatMap(({ bodyStart, end }) => referencesIn(text, bodyStart, end));
  return completed(text, sections, references, lists);
}

export function placedAnalysis({ text, output }: { text: string; output: PaperOutput }): PaperAnalysis {
  const headings = placedHeadings(text, output.sections);
  const references = placedReferences(text, output.references);
  const sections = headings.length === 0 ? sectionsOf(text) : sectionsUnder(text, headings);
  return completed(text, sections, references, references);
}

/** Drops headings and references that the paper lacks; a fact that its reference does not state becomes null. */
export function standingOutput(text: string, output: PaperOutput, tally: FaultTally): PaperOutput {
  const lines = new Set(placedHeadings(text, output.sections).map(({ title }) => title));
  const sections = output.sections.filter(({ heading }) => lines.has(heading.trim()));
  count(output.sections, sections, 'each heading has to be a line of the text, word for word.', tally);
  const entries = output.references.map(({ raw }) => bare(raw));
  const places = firstPlaces(entries.map(unitsOf), unitsOf(bare(text)));
  const references = output.references.flatMap((reference, index) => {
    const entry = entries[index] ?? '';
    return entry === '' || places[index] === -1 ? [] : [standingReference(reference, entry)];
  });
  count(output.references, references, 'each raw has to stand in the text word for word.', tally);
  return { sections, references };
}

function count(given: readonly object[], kept: readonly object[], why: string, tally: FaultTally): void {
  tally.keep(kept.length);
  for (let index = kept.length; index < given.length; index += 1) {
    tally.drop(why);
  }
}

function standingReference(
  { raw, authors, ...facts }: PaperOutput['references'][number],
  entry: string,
): PaperOutput['references'][number] {
  const stands = (value: string | null) => value !== null && entry.includes(bare(value));
  const known = Object.entries(facts).map(([name, value]) => [name, stands(value) ? value : null]);
  return { raw, authors: authors.filter(stands), ...(Object.fromEntries(known) as typeof facts) };
}

function completed(
  text: string,
  sections: PaperSection[],
  found: readonly PaperReference[],
  lists: readonly { readonly start: number; readonly end: number }[],
): PaperAnalysis {
  const references = found.slice(0, REFERENCES_MAX);
  const statistics = statisticsIn(text);
  // The bounds of an interval look like the numbers of two references.
  const isInterval = withinAny(statistics.filter(({ kind }) => kind === 'confidence_interval'));
  const isListed = withinAny(lists);
  const cited = textCitationsIn(text, references, lists).filter(({ start }) => !isInterval(start));
  const citations = cited.slice(0, CITATIONS_MAX);
  const counts = references.map(() => 0);
  for (const index of citations.flatMap((citation) => citation.references)) {
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return {
    sections,
    references: references.map((reference, index) => ({ ...reference, citations: counts[index] ?? 0 })),
    citations,
    statistics: statistics.slice(0, STATISTICS_MAX).filter(({ start }) => !isListed(start)),
    truncated:
      found.length > REFERENCES_MAX || cited.length > CITATIONS_MAX || statistics.length > STATISTICS_MAX,
  };
}

function placedHeadings(text: string, outputs: PaperOutput['sections']): PlacedHeading[] {
  const placed: PlacedHeading[] = [];
  const first = firstPlaces(
    outputs.map(({ heading }) => unitsOf(heading.trim())),
    unitsOf(text),
  );
  const missing = new Set<string>();
  let from = 0;
  for (const [index, { heading, kind }] of outputs.entries()) {
    const title = heading.trim();
    const place = first[index] ?? -1;
    const start = place === -1 || missing.has(title) ? -1 : lineWith(text, title, Math.max(from, place));
    if (start === -1) {
      missing.add(title);
      continue;
    }
    const end = start + title.length;
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const marks = /#+/u.exec(text.slice(lineStart, start))?.[0].length ?? 1;
    placed.push({ title, level: Math.min(6, marks), start: lineStart, end, kind });
    from = end;
  }
  return placed;
}

const LEAD_LENGTH_MAX = 20;
const LEAD = /[#*_\s\d.)IVX]/u;

function lineWith(text: string, heading: string, from: number): number {
  let at = text.indexOf(heading, from);
  while (at !== -1 && !beginsLine(text, at)) {
    at = text.indexOf(heading, at + 1);
  }
  return at;
}

function beginsLine(text: string, at: number): boolean {
  for (let back = 1; back <= LEAD_LENGTH_MAX; back += 1) {
    const before = text[at - back] ?? '\n';
    if (before === '\n' || !LEAD.test(before)) {
      return before === '\n';
    }
  }
  return true;
}

function placedReferences(text: string, outputs: PaperOutput['references']): PaperReference[] {
  const { letters, places } = lettersOf(text);
  const taken = outputs.slice(0, REFERENCES_MAX);
  const entries = taken.map(({ raw }) => unitsOf(bare(raw)));
  // Backwards, so that the last place is found first: references stand at the end.
  const backwards = firstPlaces(
    entries.map((entry) => entry.toReversed()),
    unitsOf(letters).reverse(),
  );
  const placed = taken.flatMap((reference, index) => {
    const wanted = entries[index] ?? new Uint16Array();
    const place = backwards[index] ?? -1;
    if (place === -1) {
      return [];
    }
    const at = letters.length - place - wanted.length;
    const first = places[at] ?? 0;
    const start = lineLead(text, first);
    const end = closed(text, (places[at + wanted.length - 1] ?? 0) + 1);
    const { year, title, doi, url, authors } = reference;
    const read = readReference(text, start, end);
    const families = authors.map((written, who) => read.families[who] ?? familyOf(written));
    return [{ ...read, authors: [...authors], families, year, title, doi, url }];
  });
  return placed.sort((one, other) => one.start - other.start);
}

function familyOf(written: string): string {
  return written.includes(',') ? (written.split(',')[0] ?? written) : (written.split(' ').at(-1) ?? written);
}

function lineLead(text: string, first: number): number {
  const lead = /[[(*_“"]{0,4}$/u.exec(text.slice(Math.max(0, first - 4), first))?.[0] ?? '';
  return first - lead.length;
}

function closed(text: string, end: number): number {
  return end + (/^[\])*_”".,;/]{0,6}/u.exec(text.slice(end, end + 6))?.[0].length ?? 0);
}

/** Only letters and digits: models change marks and white space. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    units[index] = text.charCodeAt(index);
  }
  return units;
}

function lettersOf(text: string): { letters: string; places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const letters: string[] = [];
  let count = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]/gu)) {
    for (let unit = 0; unit < match[0].length; unit += 1) {
      places[count] = match.index + unit;
      count += 1;
    }
    letters.push(match[0]);
  }
  return { letters: letters.join(''), places };
}
