import { marked, type MarkedToken, type Token, type Tokens } from 'marked';
import { FileTooComplex } from '../file-errors';
import { TEXT_CHARACTERS_MAX } from '../file-limits';

export interface MarkdownStyle {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isCode: boolean;
  readonly isStruck: boolean;
  readonly link: string | null;
}

export interface Span extends MarkdownStyle {
  /** `\n` is a line break. */
  readonly text: string;
}

export type Spans = readonly Span[];

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly spans: Spans }
  | { readonly type: 'paragraph'; readonly spans: Spans }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly Spans[])[] }
  | { readonly type: 'rule' };

export interface ListItem {
  readonly isChecked: boolean | null;
  readonly blocks: readonly Block[];
}

const SAFE_LINK = /^(?:https?:\/\/|mailto:)[^\s\0-\x1f"<>]+$/i;
const BLOCK_NESTING_MAX = 20;
export const PLAIN_STYLE: MarkdownStyle = {
  isBold: false,
  isItalic: false,
  isCode: false,
  isStruck: false,
  link: null,
};

/** HTML becomes text, a picture its description, and links are only addresses. @throws FileTooComplex */
export function markdownBlocks(markdown: string): Block[] {
  if (markdown.length > TEXT_CHARACTERS_MAX) {
    throw new FileTooComplex(`The text is longer than ${TEXT_CHARACTERS_MAX} characters.`);
  }
  return blocksOf(marked.lexer(markdown.toWellFormed()), 0);
}

export function titleOfBlocks(blocks: readonly Block[]): string | null {
  const heading = blocks.find((block) => block.type === 'heading');
  return heading ? onOneLine(heading.spans) : null;
}

function onOneLine(spans: Spans): string {
  return plainTextOf(spans).replaceAll('\n', ' ');
}

export function plainTextOf(spans: Spans): string {
  return spans.map(({ text }) => text).join('');
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  if (depth > BLOCK_NESTING_MAX) {
    throw new FileTooComplex(`Lists and quotes are nested more than ${BLOCK_NESTING_MAX} levels deep.`);
  }
  return tokens.flatMap((token) => blockOf(token as MarkedToken, depth));
}

function blockOf(token: MarkedToken, depth: number): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return [{ type: 'heading', level: token.depth, spans: spansOf(token.tokens, PLAIN_STYLE) }];
    case 'code':
      return [{ type: 'code', text: token.text }];
    case 'blockquote':
      return [{ type: 'quote', blocks: blocksOf(token.tokens, depth + 1) }];
    case 'list':
      return [listOf(token, depth)];
    case 'table':
      return [{ type: 'table', rows: [token.header, ...token.rows].map(cellsOf) }];
    case 'hr':
      return [{ type: 'rule' }];
    default: {
      const spans = spansOf('tokens' in token && token.tokens ? token.tokens : [token], PLAIN_STYLE);
      return plainTextOf(spans).trim() === '' ? [] : [{ type: 'paragraph', spans }];
    }
  }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    type: 'list',
    start: ordered ? Number(start) || 1 : null,
    items: items.map(({ task, checked, tokens }) => ({
      isChecked: task ? checked === true : null,
      blocks: blocksOf(tokens, depth + 1),
    })),
  };
}

function cellsOf(row: readonly Tokens.TableCell[]): Spans[] {
  return row.map(({ tokens }) => spansOf(tokens, PLAIN_STYLE));
}

function spansOf(tokens: readonly Token[], style: MarkdownStyle): Span[] {
  return tokens.flatMap((token) => spanOf(token as MarkedToken, style));
}

function spanOf(token: MarkedToken, style: MarkdownStyle): Span[] {
  switch (token.type) {
    case 'strong':
      return spansOf(token.tokens, { ...style, isBold: true });
    case 'em':
      return spansOf(token.tokens, { ...style, isItalic: true });
    case 'del':
      return spansOf(token.tokens, { ...style, isStruck: true });
    case 'codespan':
      return [{ ...style, isCode: true, text: token.text }];
    case 'br':
      return [{ ...style, text: '\n' }];
    case 'checkbox':
      return [];
    case 'link':
      return spansOf(token.tokens, { ...style, link: SAFE_LINK.test(token.href) ? token.href : null });
    case 'image':
    case 'escape':
      return [{ ...style, text: token.text }];
    case 'html':
      return [{ ...style, text: token.raw.trimEnd() }];
    case 'text':
    case 'paragraph':
      return token.tokens ? spansOf(token.tokens, style) : [{ ...style, text: oneLine(token.text) }];
    default:
      return [{ ...style, text: oneLine(token.raw) }];
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, ' ');
}

const MARKS = /[\\`*_[\]<>|~&]/g;
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
      return block.items.flatMap((item, index) => itemLines(item, signOf(block.start, index, '-')));
    case 'table':
      return block.rows.map((cells) => cells.map(onOneLine).join('\t'));
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

export function signOf(start: number | null, index: number, bullet: string): string {
  return start === null ? bullet : `${start + index}.`;
}

/** Runs and loads nothing: text is escaped, elements are those below, links are http, https and mailto. */
export function writeHtml(markdown: string): Buffer {
  const blocks = markdownBlocks(markdown);
  const title = escaped(titleOfBlocks(blocks) ?? 'Document');
  const head = `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n</head>`;
  const page = [head, '<body>', ...blocks.map(htmlOf), '</body>\n</html>\n'];
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
      return listElement(block);
    case 'table':
      return tableElement(block.rows);
    case 'rule':
      return '<hr>';
  }
}

function listElement({ start, items }: Extract<Block, { type: 'list' }>): string {
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

function tableElement([header = [], ...rows]: readonly (readonly Spans[])[]): string {
  const row = (cells: readonly Spans[], name: string) =>
    `<tr>${cells.map((cell) => `<${name}>${inline(cell)}</${name}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<table>\n<thead>\n${row(header, 'th')}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function inline(spans: Spans): string {
  return spans.map(styled).join('');
}

function styled({ text, isBold, isItalic, isCode, isStruck, link }: Span): string {
  let words = escaped(text).replaceAll('\n', '<br>');
  for (const [name, isSo] of Object.entries({ code: isCode, del: isStruck, em: isItalic, strong: isBold })) {
    words = isSo ? `<${name}>${words}</${name}>` : words;
  }
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
