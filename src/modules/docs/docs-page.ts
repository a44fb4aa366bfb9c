import type { DocsKind, DocsSection, GeneratedDocs } from '../../../generated/types';
import type { AnswerNotes } from '../../contract/answered-module';

const CODE_READ_MAX = 20_000;
const CODE_SHARE_MAX = 0.04;

export function isCode(text: string): boolean {
  const signs = text.slice(0, CODE_READ_MAX).match(/[{};=<>]/gu)?.length ?? 0;
  return signs > CODE_SHARE_MAX * Math.min(text.length, CODE_READ_MAX);
}

export type PageSection = DocsSection;

export interface WrittenPage {
  readonly title: string;
  readonly sections: PageSection[];
  readonly text: string;
  readonly toFillIn: string[];
  /** What the source has and the page has not, because there is too much of it: a sentence each. */
  readonly omitted: string[];
}

const PLACE = /\[To fill in: ([^[\]\n]{1,300})\]/gu;
const PLACES_MAX = 200;

export function placeToFillIn(what: string): string {
  return `[To fill in: ${what}]`;
}

export function writtenPage(
  title: string,
  sections: readonly PageSection[],
  omitted: readonly string[] = [],
): WrittenPage {
  const blocks = sections.map((section) => [
    `${'#'.repeat(section.level)} ${headingText(section.title)}`,
    section.text,
  ]);
  const text = [`# ${headingText(title)}`, ...blocks.flat()].filter((block) => block !== '').join('\n\n');
  const places = [...text.matchAll(PLACE)].slice(0, PLACES_MAX).map(([, what = '']) => what);
  return { title, sections: [...sections], text, toFillIn: [...new Set(places)], omitted: [...omitted] };
}

export type DocsPage = Omit<GeneratedDocs, AnswerNotes>;

export function docsPage(
  kind: DocsKind,
  { title, sections, text, toFillIn, omitted }: WrittenPage,
): DocsPage {
  const state = toFillIn.length === 0 ? 'complete' : 'skeleton';
  return { kind, state, title, sections, text, to_fill_in: toFillIn, omitted };
}

/** A text as code within a line. Its backticks do not end it. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (!line.includes('`')) {
    return `\`${line === '' ? ' ' : line}\``;
  }
  const longest = Math.max(...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

/** A table of the first rows, which says so where there are more. No cell can end its row or its column. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rowsMax: number,
  rowsName = 'rows',
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  const shown = [line(header), line(header.map(() => '---')), ...rows.slice(0, rowsMax).map(line)];
  const note = `\n\nThe table has only the first ${rowsMax} ${rowsName}.`;
  return `${shown.join('\n')}${rows.length > rowsMax ? note : ''}`;
}

/** Headings become bold, so that a text of somebody else's does not change the outline of the page. Code is kept. */
export function embeddedParagraphs(text: string): string {
  let isCode = false;
  const lines = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split('\n')
    .map((line) => {
      if (/^ {0,3}(?:```|~~~)/u.test(line)) {
        isCode = !isCode;
        return line;
      }
      const heading =
        isCode || line.length > 1_000 ? undefined : /^ {0,3}#{1,6}[ \t]+(\S.*)$/u.exec(line)?.[1];
      if (heading !== undefined) {
        return `**${heading.replace(/[ \t]#{1,6}$/u, '')}**`;
      }
      // A line of dashes or equals signs would make the line before it a heading.
      return !isCode && /^ {0,3}(?:=+|-+)[ \t]*$/u.test(line) ? '' : line;
    });
  // A fence that was left open would swallow the rest of the page.
  return (isCode ? [...lines, '```'] : lines).join('\n').trim();
}

/** A text as a heading: one line, which has no marks that end it. */
export function headingText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/^#+ | #+$/gu, '')
    .trim();
}

function cellText(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().replaceAll(/\\?\|/gu, '\\|');
}

/** Fragments are percent-encoded. A percent sign that encodes nothing leaves all as it is. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
