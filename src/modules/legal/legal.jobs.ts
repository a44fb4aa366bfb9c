import { amountsIn, type FoundAmount } from '../../text/amounts';
import { findHeadings } from '../../text/chunk-text';
import { datesIn, type FoundDate } from '../../text/dates';
import { outlineOf } from '../../text/outline';
import { type Sentence, splitSentences } from '../../text/split-sentences';
import { textJobsOf } from '../../text/text-job';
import { CLAUSE_KINDS, type ClauseType, type Risk, RISK_RULES, type RiskRule } from './clause-rules';
import {
  type Definition,
  definitionsIn,
  type DocumentType,
  documentTypeOf,
  type GoverningLaw,
  governingLawOf,
  usualClauses,
} from './document-terms';
import { type Obligation, obligationsIn, partiesIn, type Party } from './obligations';
import { textChanges, type TextChanges } from './text-changes';

/** A heading of a contract and what stands below it. Places are in UTF-16 units. */
interface Section {
  readonly title: string;
  /** All kinds of clauses that its heading names, the most telling first; none for a heading of no kind. */
  readonly types: readonly ClauseType[];
  readonly start: number;
  readonly end: number;
}

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

/** Headings of what is no clause. */
const NO_CLAUSE =
  /^(?:(?:the )?parties|between|and|recitals?|background|preamble|whereas|(?:table of )?contents|signatures?|signed|in witness whereof)\b[^a-z]{0,3}$/i;
/** Where the contract ends and its signatures begin. */
const SIGNATURES =
  /^[ \t]{0,8}(?:IN WITNESS WHEREOF|In witness whereof|(?:SIGNED|Signed) (?:by|for|on behalf of))\b/m;
const DOCUMENT_TITLE =
  /\b(?:agreement|contract|lease|deed|policy|notice|terms|addendum|testament|attorney)$/i;
/** In UTF-16 units. The document's own title stands there. */
const TITLE_WITHIN = 300;

/**
 * The sections of a contract, in order: those on the highest level, and below them those whose heading names a kind of
 * clause. The title of the document has none.
 */
function sectionsOf(text: string): Section[] {
  const headings = headingsOf(text);
  const topLevel = Math.min(...headings.map(({ level }) => level));
  const ends = endsOf(headings, endOfClauses(text, headings.at(-1)?.end ?? 0));
  return headings.flatMap(({ title, level, start }, index) => {
    const types = CLAUSE_KINDS.filter(({ heading }) => heading.test(title)).map(({ type }) => type);
    const isListed = !NO_CLAUSE.test(title) && (types.length > 0 || level === topLevel);
    const end = ends[index] ?? text.length;
    return isListed ? [{ title, types, start, end: start + text.slice(start, end).trimEnd().length }] : [];
  });
}

/** Headings with numbers or marks, and single lines that are worded like the heading of a clause. */
function headingsOf(text: string): Heading[] {
  const marked = outlineOf(text);
  const lowest = Math.max(1, ...marked.map(({ level }) => level));
  const places = new Set(marked.map(({ start }) => start));
  const bare = findHeadings(text)
    .filter(
      ({ title, start }) => !places.has(start) && CLAUSE_KINDS.some(({ heading }) => heading.test(title)),
    )
    .map((heading) => ({ ...heading, level: lowest }));
  const all: Heading[] = [...marked, ...bare].sort((one, other) => one.start - other.start);
  return all.filter(
    ({ title, start }, index) => index > 0 || start > TITLE_WITHIN || !DOCUMENT_TITLE.test(title),
  );
}

function endOfClauses(text: string, lastHeadingEnd: number): number {
  const at = text.slice(lastHeadingEnd).search(SIGNATURES);
  return at === -1 ? text.length : lastHeadingEnd + at;
}

/** Where each section ends: at the next heading of its own level or above. */
function endsOf(headings: readonly Heading[], textEnd: number): number[] {
  const ends = headings.map(() => textEnd);
  const open: number[] = [];
  for (const [index, { level, start }] of headings.entries()) {
    while (open.length > 0 && (headings[open.at(-1) ?? 0]?.level ?? 0) >= level) {
      ends[open.pop() ?? 0] = start;
    }
    open.push(index);
  }
  return ends;
}

/** A clause of a contract: a section, or sentences of one. Places are in UTF-16 units. */
interface Clause {
  readonly type: ClauseType;
  /** Of the section in which it stands; null where it stands in none. */
  readonly heading: string | null;
  readonly start: number;
  readonly end: number;
  /** `low` means that no rule applies. */
  readonly risk: Risk;
  /** By what the clause was found, and which rules apply to which of its words. */
  readonly explanation: string;
}

interface FoundClauses {
  /** In the order of the text. */
  readonly clauses: Clause[];
  /** All kinds that a clause or a heading has; a heading may name two. */
  readonly types: ReadonlySet<ClauseType>;
}

interface Draft {
  readonly type: ClauseType;
  readonly heading: string | null;
  readonly start: number;
  end: number;
  readonly foundBy: string;
  readonly hits: Hit[];
  /** How far it was read for words that exempt it from a rule, and whether they were found. */
  readonly exemptions: Map<RegExp, { readTo: number; isFound: boolean }>;
}

interface Hit {
  readonly rule: RiskRule;
  readonly words: string;
}

/** The most clauses that are returned for a text. */
const CLAUSES_MAX = 1_000;
const QUOTE_LENGTH_MAX = 160;
/** In UTF-16 units. No words that exempt a clause from a rule are longer. */
const EXEMPTION_LENGTH_MAX = 100;
const LEVELS: readonly Risk[] = ['low', 'medium', 'high'];

/**
 * The clauses of an English contract. A section is a clause of the kind that its heading names; of a kind that no heading
 * names first, the sentences that are typical of it, or that begin with its name and a colon, are a clause. The risk is by rules that look at single sentences.
 */
function clausesIn(text: string): FoundClauses {
  const sections = sectionsOf(text).slice(0, CLAUSES_MAX);
  const named = new Set(sections.flatMap(({ types }) => types));
  const headed = new Set(sections.flatMap(({ types }) => types.slice(0, 1)));
  const drafts = sections.map((section) => draftOf(section));
  const found: Draft[] = [];
  const around = new Around(sections, drafts);
  for (const sentence of splitSentences(text)) {
    const at = around.draftAt(sentence);
    const own = typicalDrafts(sentence, at, headed, found);
    addHits(text, sentence, at, own, found);
  }
  const clauses = [...drafts, ...found]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .slice(0, CLAUSES_MAX);
  return {
    clauses: clauses.map(clauseOf),
    types: new Set([...named, ...clauses.map(({ type }) => type)]),
  };
}

function draftOf({ title, types, start, end }: Section): Draft {
  return {
    type: types[0] ?? 'other',
    heading: title,
    start,
    end,
    foundBy: `Found by its heading ${quoted(title)}`,
    hits: [],
    exemptions: new Map(),
  };
}

/** Finds the innermost section of sentences that are asked for in their order. */
class Around {
  private readonly open: Draft[] = [];
  private next = 0;

  constructor(
    private readonly sections: readonly Section[],
    private readonly drafts: readonly Draft[],
  ) {}

  draftAt({ start }: Sentence): Draft | null {
    while (this.next < this.sections.length && (this.sections[this.next]?.start ?? 0) <= start) {
      this.open.push(this.drafts[this.next] as Draft);
      this.next += 1;
    }
    while (this.open.length > 0 && (this.open.at(-1)?.end ?? 0) <= start) {
      this.open.pop();
    }
    return this.open.at(-1) ?? null;
  }
}

/** "Deposit: two months' rent": the words before the colon name the clause as a heading would. */
const LABEL = /^\p{Lu}[\p{L} /-]{1,40}:(?=[ \t])/u;

/** The clauses that a sentence makes by itself; one that continues the sentence before it makes that one longer. */
function typicalDrafts(
  { text, start, end }: Sentence,
  at: Draft | null,
  headed: ReadonlySet<ClauseType>,
  found: Draft[],
): Draft[] {
  const label = LABEL.exec(text)?.[0] ?? '';
  return CLAUSE_KINDS.flatMap(({ type, sentence: pattern, heading: named }) => {
    const words = pattern?.exec(text)?.[0] ?? (named.test(label) ? label : undefined);
    if (words === undefined || headed.has(type) || found.length >= CLAUSES_MAX) {
      return [];
    }
    const last = found.findLast((draft) => draft.type === type);
    if (last && last.heading === (at?.heading ?? null) && start - last.end <= 3) {
      last.end = end;
      return [last];
    }
    const foundBy = `Found by its words ${quoted(words)}`;
    const heading = at?.heading ?? null;
    const draft: Draft = { type, heading, start, end, foundBy, hits: [], exemptions: new Map() };
    found.push(draft);
    return [draft];
  });
}

/** Tells the clause that a rule belongs to: one of the sentence's own, else the section, else one made for it. */
function addHits(
  text: string,
  sentence: Sentence,
  at: Draft | null,
  own: readonly Draft[],
  found: Draft[],
): void {
  for (const rule of RISK_RULES) {
    const words = rule.words.exec(sentence.text)?.[0];
    if (words === undefined || rule.unless?.test(sentence.text) === true) {
      continue;
    }
    const draft = own.find(({ type }) => rule.types.includes(type)) ?? at ?? own[0];
    if (draft && !isExempt(text, draft, rule)) {
      draft.hits.push({ rule, words });
    } else if (!draft && found.length < CLAUSES_MAX) {
      const { start, end } = sentence;
      const foundBy = `Found by its words ${quoted(words)}`;
      const hits = [{ rule, words }];
      found.push({ type: rule.types[0], heading: null, start, end, foundBy, hits, exemptions: new Map() });
    }
  }
}

/**
 * Whether the clause has the words that exempt it from the rule. Each of its sentences asks, and sentences may have made it
 * longer since the last one, so that only what was not read yet is read.
 */
function isExempt(text: string, { start, end, exemptions }: Draft, { unlessInClause }: RiskRule): boolean {
  if (unlessInClause === undefined) {
    return false;
  }
  const { readTo, isFound } = exemptions.get(unlessInClause) ?? { readTo: start, isFound: false };
  if (isFound || readTo === end) {
    return isFound;
  }
  const pattern = new RegExp(unlessInClause, 'gi');
  pattern.lastIndex = Math.max(start, readTo - EXEMPTION_LENGTH_MAX);
  const isFoundNow = pattern.test(text.slice(0, end));
  exemptions.set(unlessInClause, { readTo: end, isFound: isFoundNow });
  return isFoundNow;
}

function clauseOf({ type, heading, start, end, foundBy, hits }: Draft): Clause {
  // A section may have a hundred thousand hits, which are too many arguments for a function.
  const level = hits.reduce((most, { rule }) => Math.max(most, LEVELS.indexOf(rule.risk)), 0);
  const shown = hits.slice(0, RISK_RULES.length);
  const reasons = shown.map(
    ({ rule, words }) => ` Rule “${rule.name}” (${rule.risk}): ${quoted(words)}: ${rule.says}.`,
  );
  const explanation = `${foundBy}.${reasons.join('') || ' No rule for risks applies.'}`;
  return { type, heading, start, end, risk: LEVELS[level] ?? 'low', explanation };
}

function quoted(words: string): string {
  const line = words.trim().split(/\s+/u).join(' ');
  return line.length > QUOTE_LENGTH_MAX ? `“${line.slice(0, QUOTE_LENGTH_MAX).trimEnd()} …”` : `“${line}”`;
}

/** What rules find of a contract. */
interface LegalAnalysis {
  /** Null where nothing tells that the text is a contract or the like. */
  readonly documentType: DocumentType | null;
  readonly parties: Party[];
  readonly clauses: Clause[];
  /** Clauses that documents of the type usually have, and this one has not; null where the type is not known. */
  readonly missingClauses: ClauseType[] | null;
  readonly dates: FoundDate[];
  readonly amounts: FoundAmount[];
  readonly governingLaw: GoverningLaw | null;
}

/** The facts that rules find in a contract. */
interface LegalFacts {
  readonly parties: Party[];
  readonly dates: FoundDate[];
  readonly amounts: FoundAmount[];
  readonly obligations: Obligation[];
  readonly definitions: Definition[];
}

/** The most dates, and the most amounts, that are returned for a text. */
const VALUES_MAX = 1_000;

/** Analyses an English contract by rules. Of each list the first thousand are returned. */
export function legalAnalysis(text: string): LegalAnalysis {
  const documentType = documentTypeOf(text);
  const { clauses, types } = clausesIn(text);
  const governingLaw = governingLawOf(text);
  const has = (type: ClauseType) => types.has(type) || (type === 'governing_law' && governingLaw !== null);
  return {
    documentType,
    parties: partiesIn(text),
    clauses,
    missingClauses: documentType && usualClauses(documentType).filter((type) => !has(type)),
    dates: datesIn(text).slice(0, VALUES_MAX),
    amounts: amountsIn(text).slice(0, VALUES_MAX),
    governingLaw,
  };
}

/** Finds who has to do what, by when and for how much in an English contract, and what its terms mean. */
export function legalFacts(text: string): LegalFacts {
  const parties = partiesIn(text);
  const sentences = splitSentences(text);
  return {
    parties,
    dates: datesIn(text).slice(0, VALUES_MAX),
    amounts: amountsIn(text).slice(0, VALUES_MAX),
    obligations: obligationsIn(text, sentences, parties),
    definitions: definitionsIn(text, sentences, parties),
  };
}

/** What differs between two texts. */
function compareTexts({ before, after }: { before: string; after: string }): TextChanges {
  return textChanges(before, after);
}

export const legalJobs = textJobsOf(__filename, {
  analyzeLegalText: legalAnalysis,
  compareTexts,
  findLegalFacts: legalFacts,
});
