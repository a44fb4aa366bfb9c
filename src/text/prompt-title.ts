/** The characters bound titles in scripts without spaces. */
const WORDS_MAX = 8;
const LENGTH_MAX = 60;
const HEADING_MARK = /^#{1,6}\s+/;
const MARKS_BEFORE = /^[\s"'“”„«»‘’*_`]+/u;

export function titleOfPrompt(prompt: string): string {
  const line = prompt.split(/[\r\n]+/).find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const words = line.slice(0, 20 * LENGTH_MAX).match(/\S+/gu) ?? [];
  let title = '';
  for (const word of words.slice(0, WORDS_MAX)) {
    const longer = title === '' ? word : `${title} ${word}`;
    if (title !== '' && longer.length > LENGTH_MAX) {
      break;
    }
    title = longer;
  }
  const short = Array.from(title).slice(0, LENGTH_MAX).join('');
  const bare = short
    .replace(HEADING_MARK, '')
    .replace(MARKS_BEFORE, '')
    .replace(/[\s.,;:!?。！？、"'”»’*_`]+$/u, '');
  return bare === '' ? 'Untitled' : bare;
}
