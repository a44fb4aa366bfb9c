import type { ScholarSection } from '../../../generated/types';
import { type Heading, outlineOf } from '../../text/outline';
import { FINDINGS_MAX, linesIn } from '../../text/places';
import { wordList } from '../../text/word-list';

export const SECTION_KINDS = wordList(
  'front_matter abstract introduction background methods results discussion conclusion acknowledgments references appendix other',
);
export type SectionKind = (typeof SECTION_KINDS)[number];

/** It ends where the next one of any level begins; `bodyStart` is where what stands under the heading begins. */
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
/** A word that is a heading by itself also without a mark, alone on its line or with its text behind it. */
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
    // A paper's title is the heading above all others.
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

/** Lines that are nothing but the name of a section, as they are left of a page or of a PDF; and abstracts that begin in their line. */
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

/** Numbered references look like headings; a list of references goes on until a heading that is one beyond doubt. */
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
