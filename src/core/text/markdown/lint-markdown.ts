import { styleSuggestions } from '../suggestions/style-suggestions';
import type { ChosenSuggestions } from '../suggestions/text-suggestion';
import { headingFaults } from './heading-rules';
import { lineFaults } from './line-rules';
import { linkFaults } from './link-rules';
import type { LintFinding, PlacedFault } from './lint-finding';
import { listFaults } from './list-rules';
import { markdownPage, type MarkdownPage } from './markdown-page';
import { blanked } from './page-lines';

/** The first faults of a page, and how many more it has. */
export interface LintedPage {
  readonly lint: LintFinding[];
  readonly more: number;
}

const FINDINGS_MAX = 500;
const ADDRESS = /https?:\/\/[^\s<>()[\]"']{1,2000}|\]\([^()\s]{1,2000}/giu;

/** The faults of a page of Markdown, in its order. Time is linear in the page. */
export function lintMarkdown(text: string): LintedPage {
  const page = markdownPage(text);
  const faults = [...headingFaults(page), ...linkFaults(page), ...lineFaults(page), ...listFaults(page)].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  return {
    lint: numbered(faults.slice(0, FINDINGS_MAX), page),
    more: Math.max(0, faults.length - FINDINGS_MAX),
  };
}

/** Suggestions by the rules of style for what is prose on a page: not for code, tables and addresses. */
export function pageSuggestions(text: string, countMax: number): ChosenSuggestions {
  const { code, lines, plain } = markdownPage(text);
  const tables = lines.filter(({ kind }) => kind === 'table');
  const addresses = [...plain.matchAll(ADDRESS)].map(({ 0: address, index }) => ({
    start: index,
    end: index + address.length,
  }));
  const untouched = [...code, ...tables, ...addresses].sort((one, other) => one.start - other.start);
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of untouched) {
    const last = apart.at(-1);
    if (last !== undefined && start < last.end) {
      last.end = Math.max(last.end, end);
    } else {
      apart.push({ start, end });
    }
  }
  // The page without its code and its tables is what tells its language.
  return styleSuggestions(blanked(plain, tables), countMax, apart);
}

function numbered(faults: readonly PlacedFault[], { lines }: MarkdownPage): LintFinding[] {
  let index = 0;
  return faults.map(({ rule, message, start, end }) => {
    while ((lines[index + 1]?.start ?? Infinity) <= start) {
      index += 1;
    }
    return { rule, line: lines[index]?.number ?? 1, message, start, end };
  });
}
