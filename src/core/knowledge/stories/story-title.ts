const TITLE_LENGTH_MAX = 120;
const LABEL = /^(?:title|titel|titre|t[ií]tulo|titolo)\s*[:：]\s*/i;
const MARKS_BEFORE = /^[\s"'“”„«»‘’*_`]+/u;
const MARKS_BEHIND = /[\s"'“”„«»‘’*_`]+$/u;
const HEADING = /^#{1,6}\s+/;

/**
 * The title that a line says, without Markdown, quotation marks and a label such as `Title:`.
 * @returns null for a line that can't be a title, because it has more than 120 characters, or no letter or digit
 */
export function titleIn(line: string): string | null {
  if (line.length > 2 * TITLE_LENGTH_MAX) {
    return null;
  }
  const bare = [HEADING, MARKS_BEFORE, LABEL, MARKS_BEFORE, MARKS_BEHIND].reduce(
    (text, mark) => text.replace(mark, ''),
    line.trim(),
  );
  return bare.length <= TITLE_LENGTH_MAX && /[\p{L}\p{N}]/u.test(bare) ? bare.toWellFormed() : null;
}
