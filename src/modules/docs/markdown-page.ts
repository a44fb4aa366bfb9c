import { type Heading, outlineOf } from '../../text/outline';
import type { Place } from '../../text/places';

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
  // Headings keep their code: "Using `npm`" is a title of two words.
  return { text, lines, plain: blanked(text, code), headings: outlineOf(blanked(text, blocks)) };
}

/** What a line of a page is: `code` lies between fences, and fences themselves are `fence`. */
type PageLineKind = 'text' | 'blank' | 'code' | 'fence' | 'comment' | 'front_matter' | 'table';

export interface PageLine extends Place {
  readonly number: number;
  readonly kind: PageLineKind;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
}

/** What a line stands in; null where it begins anew. */
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

/** The page with some parts blanked, each unit by a space, so that places stay what they are. */
export function blanked(page: string, parts: readonly PagePart[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of parts) {
    pieces.push(page.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return pieces.join('') + page.slice(from);
}
