import { outlineOf, type Heading } from '../../text/outline';
import { blanked, codeSpans, pageLines, type PageLine } from './page-lines';

/** A part of a page, in UTF-16 units. */
export interface PagePart {
  readonly start: number;
  readonly end: number;
}

/** A page of Markdown, read once. */
export interface MarkdownPage {
  readonly text: string;
  readonly lines: readonly PageLine[];
  /** Code, comments, front matter and code within lines; in order and not overlapping. */
  readonly code: readonly PagePart[];
  /** The text with its code blanked; places are those of the text. */
  readonly plain: string;
  /** All headings, also numbered ones and those in capitals. */
  readonly headings: readonly Heading[];
}

/** Time is linear in the page. */
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
    return [{ start: line.start, end: line.end }];
  });
  // Headings keep their code: "Using `npm`" is a title of two words.
  return { text, lines, code, plain: blanked(text, code), headings: outlineOf(blanked(text, blocks)) };
}

/** Whether a heading has the marks of Markdown, by which it is surely one. */
export function isMarked({ start, end }: Heading, text: string): boolean {
  const line = text.slice(start, end);
  return line.startsWith('#') || line.includes('\n');
}
