import type { DocsKind, DocsSection, GeneratedDocs } from '../../../generated/types';
import type { AnswerNotes } from '../../contract/answered-module';
import { type Heading, outlineOf } from '../../text/outline';
import type { Place } from '../../text/places';

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
  /** Parts of the source too large for the page: a sentence each. */
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

export function codeSpan(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (!line.includes('`')) {
    return `\`${line === '' ? ' ' : line}\``;
  }
  const longest = Math.max(...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

/** The first rows, with a note where there are more. No cell can end its row or its column. */
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

/** Headings become bold, so that embedded text does not change the outline of the page. Code is kept. */
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
  // An open fence would swallow the rest of the page.
  return (isCode ? [...lines, '```'] : lines).join('\n').trim();
}

export function headingText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/^#+ | #+$/gu, '')
    .trim();
}

function cellText(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().replaceAll(/\\?\|/gu, '\\|');
}

/** A percent sign that encodes nothing leaves all as it is. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type PagePart = Pick<Place, 'start' | 'end'>;

export interface MarkdownPage {
  readonly text: string;
  readonly lines: readonly PageLine[];
  readonly plain: string;
  readonly headings: readonly Heading[];
}

export function markdownPage(text: string): MarkdownPage {
  const lines = pageLines(text);
  const blocks: PagePart[] = [];
  const code = lines.flatMap((line): PagePart[] => {
    if (line.kind === 'text' || line.kind === 'table') {
      return codeSpans(line);
    }
    if (line.kind === 'blank') {
      return [];
    }
    blocks.push(line);
    return [line];
  });
  return { text, lines, plain: blanked(text, code), headings: outlineOf(blanked(text, blocks)) };
}

type PageLineKind = 'text' | 'blank' | 'code' | 'fence' | 'comment' | 'front_matter' | 'table';

export interface PageLine extends Place {
  readonly number: number;
  readonly kind: PageLineKind;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
}

type PageState = Fence | 'comment' | 'front_matter' | null;

const OPENING = /^[ \t>]{0,40}(`{3,}|~{3,})(.{0,200})/u;
const TABLE = /^[ \t]{0,3}\|/u;

/** A fence or a comment that is never closed reaches to the end. */
function pageLines(page: string): PageLine[] {
  const lines: PageLine[] = [];
  let state: PageState = null;
  for (let start = 0, number = 1; start <= page.length; number += 1) {
    const newline = page.indexOf('\n', start);
    const next = newline === -1 ? page.length : newline;
    const end = page[next - 1] === '\r' && next > start ? next - 1 : next;
    const text = page.slice(start, end);
    const { kind, after } = judged(text, number, state);
    lines.push({ number, text, start, end, kind });
    state = after;
    start = next + 1;
  }
  return lines;
}

function judged(text: string, number: number, state: PageState): { kind: PageLineKind; after: PageState } {
  if (state === 'front_matter') {
    return { kind: 'front_matter', after: text.trimEnd() === '---' ? null : state };
  }
  if (state === 'comment') {
    return { kind: 'comment', after: text.includes('-->') ? null : state };
  }
  const fence = fenceIn(text);
  if (state !== null) {
    const isClosed = fence?.sign === state.sign && fence.length >= state.length && fence.info.trim() === '';
    return isClosed ? { kind: 'fence', after: null } : { kind: 'code', after: state };
  }
  if (fence !== null) {
    return { kind: 'fence', after: fence };
  }
  if (number === 1 && text.trimEnd() === '---') {
    return { kind: 'front_matter', after: 'front_matter' };
  }
  if (text.trimStart().startsWith('<!--')) {
    return { kind: 'comment', after: text.includes('-->') ? null : 'comment' };
  }
  if (text.trim() === '') {
    return { kind: 'blank', after: null };
  }
  return { kind: TABLE.test(text) ? 'table' : 'text', after: null };
}

export function fenceIn(text: string): (Fence & { readonly info: string }) | null {
  const [, run = '', info = ''] = OPENING.exec(text) ?? [];
  if (run === '' || (run.startsWith('`') && info.includes('`'))) {
    return null;
  }
  return { sign: run.charAt(0), length: run.length, info };
}

function codeSpans({ text, start }: PageLine): PagePart[] {
  if (!text.includes('`')) {
    return [];
  }
  const runs = [...text.matchAll(/`+/gu)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const closers = new Map<number, number>();
  const nextAlike = new Array<number>(runs.length).fill(-1);
  for (let place = runs.length - 1; place >= 0; place -= 1) {
    const length = runs[place]?.length ?? 0;
    nextAlike[place] = closers.get(length) ?? -1;
    closers.set(length, place);
  }
  const spans: PagePart[] = [];
  for (let place = 0; place < runs.length; place += 1) {
    const [open, closer] = [runs[place], nextAlike[place] ?? -1];
    const close = runs[closer];
    if (open && close) {
      spans.push({ start: start + open.index, end: start + close.index + close.length });
      place = closer;
    }
  }
  return spans;
}

export function blanked(page: string, parts: readonly PagePart[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of parts) {
    pieces.push(page.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return pieces.join('') + page.slice(from);
}
