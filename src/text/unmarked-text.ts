/** Marks of Markdown at the beginning of a line: of headings, quotations and list items. */
const LINE_MARKS = /^[ \t]{0,8}(?:#{1,6}(?=[ \t])|>{1,4}(?=[ \t])|[*+•-](?=[ \t]))/gmu;
/** Marks around words. An underscore within a word belongs to it. */
const WORD_MARKS = /\*{1,3}|`{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu;
/** The line of a table that parts its head from its body. */
const TABLE_RULE =
  /^[ \t]{0,8}\|?(?:[ \t]{0,8}:?-{2,200}:?[ \t]{0,8}\|){1,50}(?:[ \t]{0,8}:?-{2,200}:?)?[ \t]{0,8}$/gmu;
/** The cells of a table end as lines do. A tab behind a number or a colon only moves what belongs to it. */
const CELL_END = /\||(?<=[^\s.):\d])\t(?=\S)/gu;
const FIXED_SPACE = /[\u00a0\u202f\u2007]/gu;
const TAG = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,300})?>/giu;

/** The text without marks of Markdown and HTML, of the same length: each mark is white space, so that all places stay. */
export function unmarkedText(text: string): string {
  const blank = (mark: string) => ' '.repeat(mark.length);
  return text
    .replace(TABLE_RULE, blank)
    .replace(TAG, blank)
    .replace(LINE_MARKS, blank)
    .replace(WORD_MARKS, blank)
    .replace(FIXED_SPACE, ' ');
}

/** Without the marks of tables too, whose cells end as lines do. */
export function unmarkedLines(text: string): string {
  return unmarkedText(text).replace(CELL_END, '\n');
}
