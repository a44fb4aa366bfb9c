/** A line of a text without the white space around it: `source.slice(start, end) === text`. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** All lines of a text, blank ones too. */
export function linesIn(source: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from <= source.length;) {
    const newline = source.indexOf('\n', from);
    const to = newline === -1 ? source.length : newline;
    const raw = source.slice(from, to);
    const text = raw.trim();
    const start = text === '' ? from : from + raw.length - raw.trimStart().length;
    lines.push({ text, start, end: start + text.length });
    from = to + 1;
  }
  return lines;
}
