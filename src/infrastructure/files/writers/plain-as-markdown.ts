/** What Markdown would take for marks, wherever it stands. */
const MARKS = /[\\`*_[\]<>|~&]/g;
/** What it takes for marks in the beginning of a line: headings, lists, rules and underlines of headings. */
const LINE_MARKS = /^([ \t]*)([#+=-]|\d{1,9}(?=[.)]))/gm;

/** Markdown that reads as a plain text does: its marks are escaped, its lines stay lines. */
export function plainAsMarkdown(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(MARKS, (mark) => `\\${mark}`)
    .replace(LINE_MARKS, (_, space: string, mark: string) =>
      /^\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    )
    .replace(/^[ \t]+/gm, '')
    .replace(/(?<=\S)[ \t]*\n(?=\S)/g, '  \n');
}
