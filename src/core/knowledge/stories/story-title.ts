const TITLE_LENGTH_MAX = 120;
/** A title that is made of a prompt has so many words at most, and so many characters where there are no spaces. */
const WORDS_MAX = 8;
const PROMPT_TITLE_LENGTH_MAX = 60;
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

/** A title for a story whose model gave none: the first words of its prompt. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.split(/[\r\n]+/).find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const words = line.slice(0, 20 * PROMPT_TITLE_LENGTH_MAX).match(/\S+/gu) ?? [];
  let title = '';
  for (const word of words.slice(0, WORDS_MAX)) {
    const longer = title === '' ? word : `${title} ${word}`;
    if (title !== '' && longer.length > PROMPT_TITLE_LENGTH_MAX) {
      break;
    }
    title = longer;
  }
  const short = Array.from(title).slice(0, PROMPT_TITLE_LENGTH_MAX).join('');
  const bare = short
    .replace(HEADING, '')
    .replace(MARKS_BEFORE, '')
    .replace(/[\s.,;:!?。！？、"'”»’*_`]+$/u, '');
  return bare === '' ? 'Untitled' : bare;
}
