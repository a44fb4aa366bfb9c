import type { ScholarCitationPlace, ScholarSection, ScholarSectionPoints } from '../../../generated/types';
import { contentStems } from '../../text/content-stems';
import { type Heading, outlineOf } from '../../text/outline';
import { FINDINGS_MAX, firstNot, linesIn, matchesIn, placeOf, withinAny } from '../../text/places';
import type { Quote } from '../../text/quotes';
import { type Sentence, splitSentences } from '../../text/split-sentences';
import { centralSentences } from '../../text/summary';
import { wordList } from '../../text/word-list';
import type { PaperReference } from './references';

export const SECTION_KINDS = wordList(
  'front_matter abstract introduction background methods results discussion conclusion acknowledgments references appendix other',
);
export type SectionKind = (typeof SECTION_KINDS)[number];

export type PaperSection = ScholarSection & { readonly bodyStart: number };

export type PlacedHeading = Omit<Heading, 'anchor'> & { readonly kind: SectionKind | null };

const SECTIONS_MAX = 1_000;
const TITLE_LENGTH_MAX = 120;

const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  [
    'abstract',
    /^(?:abstract|executive summary|summary|synopsis|zusammenfassung|kurzfassung|résumé|resumen)$/iu,
  ],
  [
    'references',
    /^(?:references(?: cited)?|bibliography|works cited|literature(?: cited)?|literatur(?:verzeichnis)?|références|referencias|reading list)$/iu,
  ],
  ['acknowledgments', /^(?:acknowledge?ments?|funding|danksagung|remerciements|agradecimientos)\b/iu],
  ['appendix', /^(?:appendix|appendices|annex|supplement(?:ary)?|supporting information|anhang)\b/iu],
  ['introduction', /^(?:introduction|einleitung|introducción)\b/iu],
  [
    'background',
    /^(?:background|related work|literature review|prior work|theory|theoretical|hintergrund)\b/iu,
  ],
  [
    'methods',
    /^(?:(?:materials?|data|study|experimental|research)\s(?:and\s)?)?(?:methods?|methodology|methoden?|méthodes?|métodos?|experimental setup|experimental design|study design|materials and methods)\b/iu,
  ],
  ['results', /^(?:results?|findings|ergebnisse|résultats|resultados)\b/iu],
  ['discussion', /^(?:(?:general\s)?discussion|diskussion|discusión|limitations)\b/iu],
  [
    'conclusion',
    /^(?:conclusions?|concluding remarks|summary and conclusions?|fazit|schluss|conclusión|conclusiones)\b/iu,
  ],
];
/** Words that are headings even without a mark, alone on a line or with text after them. */
const BARE =
  /^[#*_\s]{0,8}(abstract|introduction|background|related work|literature review|(?:materials and )?methods?|methodology|results?|findings|(?:general )?discussion|conclusions?|references|bibliography|works cited|acknowledge?ments|zusammenfassung|einleitung|ergebnisse|diskussion|literaturverzeichnis)[*_]{0,3}(?:[ \t]{0,4}[:.][*_]{0,3})?$/iu;
const RUN_IN_ABSTRACT =
  /^[*_]{0,3}(abstract|summary|zusammenfassung)[*_]{0,3}[ \t]{0,2}[.:—–-][*_]{0,3}[ \t]{1,4}(?=\S)/iu;

function sectionKindOf(title: string): SectionKind | null {
  const plain = title
    .slice(0, TITLE_LENGTH_MAX)
    .replace(/^(?:\d{1,3}(?:\.\d{1,3}){0,5}|[IVX]{1,5})[.)]?\s{1,8}/u, '')
    .replace(/[\s.:*_]{1,8}$/u, '');
  return KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

export function sectionsOf(text: string): PaperSection[] {
  return sectionsUnder(text, headingsOf(text));
}

export function sectionsUnder(text: string, headings: readonly PlacedHeading[]): PaperSection[] {
  const first = headings[0]?.start ?? text.length;
  const sections: PaperSection[] = [];
  if (text.slice(0, first).trim() !== '') {
    const kind = headings.length === 0 ? 'other' : 'front_matter';
    sections.push({ kind, heading: null, level: 1, start: 0, end: first, bodyStart: 0 });
  }
  const above: { level: number; kind: SectionKind }[] = [];
  for (const [index, { title, level, start, end, kind: own }] of headings.entries()) {
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= level) {
      above.pop();
    }
    const isTitle = own === null && index === 0 && headings.length > 1;
    const kind = own ?? (isTitle ? 'front_matter' : inherited(above.at(-1)?.kind));
    above.push({ level, kind });
    const until = headings[index + 1]?.start ?? text.length;
    sections.push({ kind, heading: title, level, start, end: until, bodyStart: Math.min(end, until) });
  }
  return sections.slice(0, SECTIONS_MAX);
}

function inherited(kind: SectionKind | undefined): SectionKind {
  return kind === undefined || kind === 'front_matter' ? 'other' : kind;
}

function headingsOf(text: string): PlacedHeading[] {
  const outlined = outlineOf(text).map(({ anchor: _, ...heading }) => ({
    ...heading,
    kind: sectionKindOf(heading.title),
  }));
  const level = Math.min(6, ...outlined.filter(({ kind }) => kind !== null).map((heading) => heading.level));
  const taken = new Set(outlined.map(({ start }) => start));
  const bare = bareHeadings(text, outlined.some(({ kind }) => kind !== null) ? level : 1);
  const all = [...outlined, ...bare.filter(({ start }) => !taken.has(start))].sort(
    (one, other) => one.start - other.start,
  );
  return withoutReferences(all, text).slice(0, FINDINGS_MAX);
}

function bareHeadings(text: string, level: number): PlacedHeading[] {
  return linesIn(text).flatMap(({ text: line, start, end }) => {
    const head = line.slice(0, TITLE_LENGTH_MAX);
    const [, title] = (line.length <= TITLE_LENGTH_MAX ? BARE.exec(line) : null) ?? [];
    if (title !== undefined) {
      return [{ title, level, start, end, kind: sectionKindOf(title) }];
    }
    const [lead = '', word = ''] = RUN_IN_ABSTRACT.exec(head) ?? [];
    return word === ''
      ? []
      : [{ title: word, level, start, end: start + lead.length, kind: 'abstract' as const }];
  });
}

/** Numbered references look like headings; the list goes on until an unmistakable heading. */
function withoutReferences(headings: readonly PlacedHeading[], text: string): PlacedHeading[] {
  let isReferences = false;
  return headings.filter(({ kind, start }) => {
    if (isReferences && kind === null && text[start] !== '#') {
      return false;
    }
    isReferences = kind === 'references';
    return true;
  });
}

export interface PaperSummary {
  readonly abstract: Quote | null;
  readonly summary: string;
  readonly keyPoints: ScholarSectionPoints[];
}

/** A sentence with fewer meaningful words, such as a heading or a table cell, says too little. */
const TELLING_STEMS_MIN = 4;
const SENTENCE_LENGTH_MAX = 600;
const SUMMED_UP_MAX = 100;
const SKIPPED = new Set<SectionKind>(['front_matter', 'abstract', 'references', 'acknowledgments']);

interface SummaryOrder {
  readonly text: string;
  /** Below 128. */
  readonly sentencesMax: number;
  readonly pointsMax: number;
}

/** The most central sentences by TextRank, without the abstract and the references. Linear time. */
export function paperSummaryOf({ text, sentencesMax, pointsMax }: SummaryOrder): PaperSummary {
  const sections = sectionsOf(text);
  const read = readSections(sections);
  const sentences = read.map((section) => sentencesIn(text, section));
  const summary = central(sentences.flat(), sentencesMax);
  return {
    abstract: abstractIn(text, sections),
    summary: summary.map((sentence) => sentence.text.replace(/\s+/gu, ' ')).join(' '),
    keyPoints: read
      .map(({ heading, kind }, index) => ({
        heading,
        kind,
        points: central(sentences[index] ?? [], pointsMax),
      }))
      .filter(({ points }) => points.length > 0)
      .slice(0, SUMMED_UP_MAX),
  };
}

type ModelSummary = Pick<PaperSummary, 'summary'> & {
  readonly text: string;
  readonly quotes: readonly Quote[];
};

export function placedSummary({ text, summary, quotes }: ModelSummary): PaperSummary {
  const sections = sectionsOf(text);
  const keyPoints = sections.map(({ heading, kind }) => ({ heading, kind, points: [] as Quote[] }));
  for (const quote of quotes) {
    keyPoints[sectionAt(sections, quote.start)]?.points.push(quote);
  }
  return {
    abstract: abstractIn(text, sections),
    summary,
    keyPoints: keyPoints.filter(({ points }) => points.length > 0),
  };
}

function sectionAt(sections: readonly PaperSection[], place: number): number {
  const last = firstNot(sections, ({ start }) => start <= place) - 1;
  return place < (sections[last]?.end ?? 0) ? last : -1;
}

function readSections(sections: readonly PaperSection[]): PaperSection[] {
  const informative = sections.filter(({ kind }) => !SKIPPED.has(kind));
  return informative.length > 0 ? informative : sections.filter(({ kind }) => kind !== 'references');
}

function abstractIn(text: string, sections: readonly PaperSection[]): Quote | null {
  const section = sections.find(({ kind }) => kind === 'abstract');
  if (!section) {
    return null;
  }
  const body = text.slice(section.bodyStart, section.end);
  const trimmed = body.trim();
  const start = section.bodyStart + body.length - body.trimStart().length;
  return trimmed === '' ? null : { text: trimmed, start, end: start + trimmed.length };
}

function sentencesIn(text: string, { bodyStart, end }: PaperSection): Sentence[] {
  return splitSentences(text.slice(bodyStart, end))
    .filter((sentence) => sentence.text.length <= SENTENCE_LENGTH_MAX && !/^[#|]/u.test(sentence.text))
    .map(({ text: said, ...at }) => ({ text: said, start: bodyStart + at.start, end: bodyStart + at.end }));
}

function central(sentences: readonly Sentence[], countMax: number): Sentence[] {
  const informative = sentences
    .map((sentence) => ({ sentence, stems: contentStems(sentence.text) }))
    .filter(({ stems }) => stems.length >= TELLING_STEMS_MIN);
  const chosen = centralSentences(
    informative.map(({ stems }) => stems),
    countMax,
  );
  return chosen.map((index) => informative[index]?.sentence).filter((sentence) => sentence !== undefined);
}

export const CITATIONS_MAX = 5_000;
const RANGE_MAX = 100;
const NUMBERS_MAX = 50;

/** Numbers in a bracket; also a range as IEEE writes it: [2]–[4]. */
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
const PARTICLE = '(?:(?:van|von|de|den|der|del|di|da|du|la|le|ter|ten|[Ss]te?\\.) ){0,3}';
const NAME = `${PARTICLE}\\p{Lu}[\\p{L}\\p{M}'’-]{0,40}`;
const NAMES_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{M}'’-])(${NAME}(?:(?:, ${NAME}){0,6},? (?:and|&|und|y|et) ${NAME}| et al\\.| and colleagues)?)(?:['’]s?)? ?$`,
  'u',
);
const LOOK_BACK = 160;

/** Leaves out places within the lists of references, given in order as `listed`. Linear time. */
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

/** Names begin with a capital, apart from particles. */
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
