import { outlineOf } from '../analysis/outline';
import { findHeadings } from '../chunks/find-headings';
import { CLAUSE_KINDS, type ClauseType } from './clause-types';

/** A heading of a contract and what stands below it. Places are in UTF-16 units. */
export interface Section {
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
export function sectionsOf(text: string): Section[] {
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
