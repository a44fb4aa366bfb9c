import {
  type Block,
  type ListItem,
  markdownBlocks,
  plainTextOf,
  type Span,
  type Spans,
  titleOfBlocks,
} from './markdown-blocks';

const MARKS = /[\\`*_[\]<>|~&]/g;
/** Marks at the beginning of a line: headings, lists, rules and underlines. */
const LINE_MARKS = /^([ \t]*)([#+=-]|\d{1,9}(?=[.)]))/gm;

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

/** A page that runs and loads nothing: text is escaped, elements are those below, links are http, https and mailto. */
export function writeHtml(markdown: string): Buffer {
  const blocks = markdownBlocks(markdown);
  const title = escaped(titleOfBlocks(blocks) ?? 'Document');
  const page = [
    '<!doctype html>',
    '<html>',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '</head>',
    '<body>',
    ...blocks.map(htmlOf),
    '</body>',
    '</html>',
    '',
  ];
  return Buffer.from(page.join('\n'), 'utf8');
}

function htmlOf(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${inline(block.spans)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inline(block.spans)}</p>`;
    case 'code':
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case 'quote':
      return `<blockquote>\n${block.blocks.map(htmlOf).join('\n')}\n</blockquote>`;
    case 'list':
      return listOf(block);
    case 'table':
      return tableOf(block.rows);
    case 'rule':
      return '<hr>';
  }
}

function listOf({ start, items }: Extract<Block, { type: 'list' }>): string {
  const name = start === null ? 'ul' : 'ol';
  const opening = start === null || start === 1 ? name : `${name} start="${start}"`;
  return `<${opening}>\n${items.map(itemOf).join('\n')}\n</${name}>`;
}

function itemOf({ isChecked, blocks }: ListItem): string {
  const box = isChecked === null ? '' : `<input type="checkbox" disabled${isChecked ? ' checked' : ''}> `;
  const [first, ...others] = blocks;
  const parts =
    first?.type === 'paragraph' ? [inline(first.spans), ...others.map(htmlOf)] : blocks.map(htmlOf);
  return `<li>${box}${parts.join('\n')}</li>`;
}

function tableOf([header = [], ...rows]: readonly (readonly Spans[])[]): string {
  const row = (cells: readonly Spans[], name: string) =>
    `<tr>${cells.map((cell) => `<${name}>${inline(cell)}</${name}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<table>\n<thead>\n${row(header, 'th')}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function inline(spans: Spans): string {
  return spans.map(styled).join('');
}

function styled({ text, isBold, isItalic, isCode, isStruck, link }: Span): string {
  const names = [
    ...(isBold ? ['strong'] : []),
    ...(isItalic ? ['em'] : []),
    ...(isStruck ? ['del'] : []),
    ...(isCode ? ['code'] : []),
  ];
  const words = names.reduceRight(
    (inner, name) => `<${name}>${inner}</${name}>`,
    escaped(text).replaceAll('\n', '<br>'),
  );
  return link === null ? words : `<a href="${escaped(link)}" rel="noopener noreferrer nofollow">${words}</a>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
