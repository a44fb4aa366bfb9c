import { type Block, type ListItem, markdownBlocks, plainTextOf } from './markdown-blocks';

/** Marks of Markdown anywhere. */
const MARKS = /[\\`*_[\]<>|~&]/g;
/** Marks at the beginning of a line: headings, lists, rules and underlines. */
const LINE_MARKS = /^([ \t]*)([#+=-]|\d{1,9}(?=[.)]))/gm;

/** Escapes marks and keeps lines. */
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

/** Words without marks, lists with their signs, tabs between cells. */
export function writeText(markdown: string): Buffer {
  return Buffer.from(`${textOf(markdownBlocks(markdown)).join('\n')}\n`, 'utf8');
}

function textOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block, index) => [...(index === 0 ? [] : ['']), ...linesOf(block)]);
}

function linesOf(block: Block): string[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return plainTextOf(block.spans).split('\n');
    case 'code':
      return block.text.split('\n');
    case 'quote':
      return textOf(block.blocks).map((line) => (line === '' ? '' : `  ${line}`));
    case 'list':
      return block.items.flatMap((item, index) => itemLines(item, signOf(block.start, index)));
    case 'table':
      return block.rows.map((cells) =>
        cells.map((cell) => plainTextOf(cell).replaceAll('\n', ' ')).join('\t'),
      );
    case 'rule':
      return ['----------'];
  }
}

function itemLines({ isChecked, blocks }: ListItem, sign: string): string[] {
  const box = isChecked === null ? '' : isChecked ? '[x] ' : '[ ] ';
  const indent = ' '.repeat(sign.length + 1);
  const lines = blocks.flatMap(linesOf);
  return (lines.length === 0 ? [''] : lines).map((line, index) =>
    index === 0 ? `${sign} ${box}${line}`.trimEnd() : `${indent}${line}`.trimEnd(),
  );
}

function signOf(start: number | null, index: number): string {
  return start === null ? '-' : `${start + index}.`;
}
