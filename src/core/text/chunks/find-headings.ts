/** A heading of a text. `source.slice(start, end)` is its line, or its two lines where it is underlined. */
export interface Heading {
  /** Its words, without the marks of Markdown. */
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** In UTF-16 units. A longer line is a sentence. It also bounds the work of the patterns below. */
const HEADING_LENGTH_MAX = 200;
/** In UTF-16 units. A longer line without marks that stands by itself is a paragraph. */
const BARE_HEADING_LENGTH_MAX = 80;
const MARKED = /^#{1,6}[ \t]+(?=\S)/u;
const CLOSING_MARKS = /[ \t]#{1,6}$/u;
const EMPHASISED = /^(\*\*|__)(?=\S)(.*\S)\1$/u;
const UNDERLINE = /^(?:={3,200}|-{3,200})$/u;
const FENCE = /^(?:```|~~~)/u;
const BARE = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[^\p{P}]$|^[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[)\]"”»」]$/u;
const LETTER = /\p{L}/u;

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The headings of a text, in order: those of Markdown ("# Title", or a line that is underlined), and short lines that
 * stand by themselves between blank lines, begin like a title and do not end like a sentence. Code between fences has
 * none. Time is linear in the text.
 */
export function findHeadings(source: string): Heading[] {
  const headings: Heading[] = [];
  const lines = linesOf(source);
  let isCode = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    isCode = FENCE.test(line.text) ? !isCode : isCode;
    const heading = isCode ? null : headingAt(lines, index);
    if (heading) {
      headings.push(heading);
      index += heading.end > line.end ? 1 : 0;
    }
  }
  return headings;
}

function headingAt(lines: readonly Line[], index: number): Heading | null {
  const line = lines[index] as Line;
  const { text, start, end } = line;
  if (text === '' || text.length > HEADING_LENGTH_MAX) {
    return null;
  }
  if (MARKED.test(text)) {
    const title = text.replace(MARKED, '').replace(CLOSING_MARKS, '').trim();
    return { title, start, end };
  }
  const [before, next, afterNext] = [lines[index - 1], lines[index + 1], lines[index + 2]];
  if ((before?.text ?? '') !== '' || !next) {
    return null;
  }
  if (UNDERLINE.test(next.text) && LETTER.test(text)) {
    return { title: text, start, end: next.end };
  }
  const title = EMPHASISED.exec(text)?.[2] ?? text;
  const standsAlone = next.text === '' && afterNext !== undefined;
  return standsAlone && isBareTitle(title) ? { title, start, end } : null;
}

function isBareTitle(title: string): boolean {
  return title.length <= BARE_HEADING_LENGTH_MAX && BARE.test(title) && LETTER.test(title);
}

/** The lines without the white space around them; blank ones follow each other only once. */
function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < source.length;) {
    const newline = source.indexOf('\n', from);
    const to = newline === -1 ? source.length : newline;
    const line = trimmed(source, from, to);
    if (line.text !== '' || lines.at(-1)?.text !== '') {
      lines.push(line);
    }
    from = to + 1;
  }
  return lines;
}

function trimmed(source: string, from: number, to: number): Line {
  const raw = source.slice(from, to);
  const text = raw.trim();
  const start = from + raw.length - raw.trimStart().length;
  return { text, start, end: start + text.length };
}
