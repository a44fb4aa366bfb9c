import type { DocsHeading, DocsNumberingGap } from '../../../generated/types';
import type { Heading } from '../../text/outline';
import { textJobsOf } from '../../text/text-job';
import { apiReference } from './api-reference';
import { changelogOf } from './changelog';
import type { WrittenPage } from './docs-page';
import { lintMarkdown } from './lint-markdown';
import { markdownPage } from './markdown-page';
import { NoOpenApiDocument } from './openapi-document';

const HEADINGS_MAX = 1_000;

/** @param depthMax of the table of contents; a page's title is not in it */
export function pageStructure({ text, depthMax }: { text: string; depthMax: number }) {
  const all = markdownPage(text).headings;
  const headings = all.slice(0, HEADINGS_MAX);
  const outline = treeOf(headings);
  const [only] = outline;
  const isTitled = outline.length === 1 && only?.level === 1 && only.children.length > 0;
  const listed = isTitled ? only.children : outline;
  return {
    outline,
    tableOfContents: contentsOf(listed, depthMax).join('\n'),
    headings,
    gaps: numberingGaps(headings, text),
    more: all.length - headings.length,
  };
}

function treeOf(headings: readonly Heading[]): DocsHeading[] {
  const roots: DocsHeading[] = [];
  const path: DocsHeading[] = [];
  for (const heading of headings) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) {
      path.pop();
    }
    const node = { ...heading, children: [] };
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function contentsOf(nodes: readonly DocsHeading[], depthMax: number, indent = ''): string[] {
  if (depthMax === 0) {
    return [];
  }
  return nodes.flatMap(({ title, anchor, children }) => [
    `${indent}- [${title.replaceAll(/[[\]\\]/gu, '\\$&')}](#${anchor})`,
    ...contentsOf(children, depthMax - 1, `${indent}  `),
  ]);
}

const NUMBER =
  /^(?:#{1,6}[ \t]+)?(?:\*\*)?(?:(article|chapter|section|part|appendix|annex|schedule|kapitel|abschnitt|artikel|§)[ \t]*)?(\d{1,3}(?:\.\d{1,3}){0,5}|[IVXLC]{1,7})(?=[.):\s]|$)/iu;
const ROMAN: Readonly<Record<string, number>> = {
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
};

/** The first number of a text may be any; a number that goes back, as versions in a changelog do, is none of a row. */
function numberingGaps(headings: readonly Heading[], text: string): DocsNumberingGap[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return headings.flatMap(({ title, start, end }) => {
    const [, label = '', number = ''] = NUMBER.exec(text.slice(start, Math.min(end, start + 80))) ?? [];
    const isRoman = /^[IVXLC]+$/iu.test(number);
    // The C of "Appendix C" is a letter.
    if (number === '' || (isRoman && !/^(?:article|chapter|section|part|artikel|kapitel)$/iu.test(label))) {
      return [];
    }
    const parts = number.split('.');
    const parent = parts.slice(0, -1).join('.');
    const row = `${label.toLowerCase()} ${isRoman ? 'roman' : ''} ${parent}`;
    const value = isRoman ? romanValue(number) : Number(parts.at(-1));
    const before = last.get(row) ?? (parent !== '' && seen.has(parent) ? Math.min(value, 1) - 1 : value - 1);
    last.set(row, value);
    seen.add(number);
    if (value === before + 1 || value < before) {
      return [];
    }
    const next = isRoman ? romanNumber(before + 1) : String(before + 1);
    return [{ title, number, expected: parent === '' ? next : `${parent}.${next}`, start, end }];
  });
}

function romanValue(number: string): number {
  const values = Array.from(number.toUpperCase(), (digit) => ROMAN[digit] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

function romanNumber(value: number): string {
  let rest = value;
  return Object.entries(ROMAN)
    .map(([sign, worth]) => {
      const count = Math.floor(rest / worth);
      rest -= count * worth;
      return sign.repeat(count);
    })
    .join('');
}

/** Or why there can be no page, because errors lose their class on the way out of a thread. */
function writeReference(source: string): { page: WrittenPage | null; fault: string | null } {
  try {
    return { page: apiReference(source), fault: null };
  } catch (error) {
    if (error instanceof NoOpenApiDocument) {
      return { page: null, fault: error.message };
    }
    throw error;
  }
}

export const docsJobs = textJobsOf(__filename, {
  lintPage: lintMarkdown,
  structurePage: pageStructure,
  writeChangelog: changelogOf,
  writeReference,
});
