import { type Cheerio, type CheerioAPI, load } from 'cheerio/slim';
import TurndownService from 'turndown';
import { strikethrough, taskListItems } from 'turndown-plugin-gfm';
import { FileTooComplex } from '../file-errors';
import type { ReadFile, ReadTable } from '../file-jobs';
import { NESTING_MAX, TABLE_CELLS_MAX, TABLE_COLUMNS_MAX } from '../file-limits';
import { BoundedTables, boundedText, boundedTitle, decodeText, markdownTable } from './read-text';

type PageNode = Exclude<Parameters<typeof load>[0], string | Buffer | unknown[]>;

type PageElement = Extract<PageNode, { attribs: unknown }>;

const TEXT_NODE = 3;
const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section summary table tbody
  tfoot thead tr ul`.split(/\s+/u),
);
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 blockquote table ul ol dl pre section article'.split(' '));

type Gap = '' | ' ' | '\t' | '\n' | '\n\n';
const ORDER: readonly Gap[] = ['', ' ', '\t', '\n', '\n\n'];

function textOfPage(nodes: readonly PageNode[]): string {
  const writer = new TextWriter();
  nodes.forEach((node) => writer.node(node, false));
  return writer.text();
}

class TextWriter {
  private readonly parts: string[] = [];
  private gap: Gap = '';

  text(): string {
    return this.parts.join('');
  }

  node(node: PageNode, isPreformatted: boolean): void {
    if (node.nodeType === TEXT_NODE) {
      this.words(node.data, isPreformatted);
      return;
    }
    if (!('children' in node)) {
      return;
    }
    const name = 'name' in node ? node.name : '';
    if (name === 'br') {
      this.widen('\n');
      return;
    }
    if (name === 'td' || name === 'th') {
      // A cell stays on its line, whatever its blocks.
      this.write(textOfPage(node.children).replaceAll(/\s+/g, ' '));
      this.widen('\t');
      return;
    }
    if (name === 'tr') {
      const cells = node.children.flatMap((cell) => textOfPage([cell]) || ('children' in cell ? '' : []));
      this.widen('\n');
      this.write(cells.join('\t').trimEnd());
      this.widen('\n');
      return;
    }
    const around = PARAGRAPHS.has(name) ? '\n\n' : BLOCKS.has(name) ? '\n' : '';
    this.widen(around);
    let number = name === 'ol' && 'attribs' in node ? firstNumberOf(node) : null;
    for (const child of node.children) {
      if (number !== null && 'attribs' in child && child.name === 'li') {
        const text = textOfPage([child]);
        number = Number.parseInt(child.attribs['value'] ?? '', 10) || number;
        this.widen('\n');
        this.write(text && `${number}. ${text}`);
        this.widen('\n');
        number += 1;
      } else {
        this.node(child, isPreformatted || name === 'pre');
      }
    }
    this.widen(around);
  }

  private words(data: string, isPreformatted: boolean): void {
    if (isPreformatted) {
      this.write(data.replace(/\n$/, ''));
      return;
    }
    const words = data.replaceAll(/[\t\n\f\r ]+/g, ' ');
    this.widen(words.startsWith(' ') ? ' ' : '');
    this.write(words.trim());
    this.widen(words.endsWith(' ') ? ' ' : '');
  }

  private write(words: string): void {
    if (words === '') {
      return;
    }
    this.parts.push(this.parts.length === 0 ? '' : this.gap, words);
    this.gap = '';
  }

  private widen(gap: Gap): void {
    if (ORDER.indexOf(gap) > ORDER.indexOf(this.gap)) {
      this.gap = gap;
    }
  }
}

/** Null for letters and for a single item, which in Word often continues an interrupted list. */
function firstNumberOf({ attribs, children }: PageElement): number | null {
  const items = children.filter((child) => 'name' in child && child.name === 'li');
  const start = Number.parseInt(attribs['start'] ?? (items.length > 1 ? '1' : ''), 10);
  return Number.isNaN(start) || /[^1]/.test(attribs['type'] ?? '') || 'reversed' in attribs ? null : start;
}

const TABLE_MARK = 'x-read-table';

/** The converter builds its own tree of its input, so it gets this many at a time. */
const BLOCKS_AT_ONCE = 100;
const DOCUMENT_NODE = 9;
const SAFE_LINK = /^(?:https?:|mailto:|#|\/|[^:]*$)/i;

function markdownOfPage($: CheerioAPI, root: Cheerio<PageNode>, tables: readonly ReadTable[]): string {
  root.find(':scope a[href]').each((_, link) => {
    if (!SAFE_LINK.test($(link).attr('href') ?? '')) {
      $(link).removeAttr('href');
    }
  });
  root.find(':scope ol').each((_, list) => numberItems($, list));
  const converter = converterWith(tables);
  return batchesOf(root.toArray())
    .map((batch) => converter.turndown(batch.map((node) => $.html(node)).join('')))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The converter would search the whole list for each item's number. */
function numberItems($: CheerioAPI, list: PageNode): void {
  const start = Number.parseInt($(list).attr('start') ?? '', 10);
  let number = Number.isNaN(start) ? 1 : start;
  for (const item of $(list).children('li')) {
    number = Number.parseInt($(item).attr('value') ?? '', 10) || number;
    $(item).attr('value', String(number));
    number += 1;
  }
}

interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentNode: DomNode | null;
  readonly nextSibling: unknown;
  readonly getAttribute?: (name: string) => string | null;
}

function converterWith(tables: readonly ReadTable[]): TurndownService {
  const converter = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  converter.use([strikethrough, taskListItems]);
  converter.addRule('readTable', {
    filter: (node: DomNode) => node.nodeName.toLowerCase() === TABLE_MARK,
    replacement: (_: string, node: DomNode) => {
      const table = tables[Number(node.textContent)];
      return table ? `\n\n${markdownTable(table)}\n\n` : '';
    },
  });
  converter.addRule('numberedItem', {
    filter: ({ nodeName, parentNode }: DomNode) => nodeName === 'LI' && parentNode?.nodeName === 'OL',
    replacement: (content: string, item: DomNode) => {
      const mark = `${item.getAttribute?.('value') ?? ''}.  `;
      const lines = content
        .replace(/^\n+/, '')
        .trimEnd()
        .replaceAll('\n', `\n${' '.repeat(mark.length)}`);
      return `${mark}${lines}${content.endsWith('\n') ? '\n' : ''}${item.nextSibling ? '\n' : ''}`;
    },
  });
  return converter;
}

const GROUPS = new Set(['root', 'html', 'body', 'main', 'div', 'section', 'article']);

function batchesOf(nodes: readonly PageNode[]): PageNode[][] {
  const batches: PageNode[][] = [];
  let batch: PageNode[] = [];
  for (const node of nodes) {
    if (isGroup(node)) {
      batches.push(batch, ...batchesOf(node.children));
      batch = [];
      continue;
    }
    // Only a block ends a batch, so that a line stays together.
    if (batch.length >= BLOCKS_AT_ONCE && 'children' in node) {
      batches.push(batch);
      batch = [];
    }
    batch.push(node);
  }
  batches.push(batch);
  return batches.filter((each) => each.length > 0);
}

function isGroup(node: PageNode): node is PageNode & { children: PageNode[] } {
  return node.nodeType === DOCUMENT_NODE || ('name' in node && GROUPS.has(node.name));
}

const LEFT_OUT =
  'script, style, noscript, template, iframe, object, embed, svg, math, canvas, audio, video, nav, dialog, select, ' +
  `[hidden], [role=navigation], ${TABLE_MARK}`;

/** A page must not end the element that holds all of it. */
const OWN_ROOT = /(?:<|<\/\s*)(?=root[\s/>])/gi;

/** <main>, or the body without navigation. The parser (htmlparser2) takes linear time. @throws FileTooComplex */
export function readPage(html: string): ReadFile {
  checkTags(html);
  // The library compares all sibling elements with each other, so the page gets a single root, as ":scope" needs.
  const $ = load(`<root>${html.replaceAll(OWN_ROOT, '$&x-')}</root>`);
  checkDepth($);
  const title = boundedTitle($('title').first().text()) ?? boundedTitle($('h1').first().text());
  $(LEFT_OUT).remove();
  $('img').each((_, image) => void $(image).replaceWith($('<span></span>').text($(image).attr('alt') ?? '')));
  const root = mainPartOf($);
  const { text, isCut } = boundedText(textOfPage(root.toArray()));
  const tables = new BoundedTables();
  takeTables($, root, tables);
  const markdown = boundedText(markdownOfPage($, root, tables.tables));
  return {
    text,
    markdown: markdown.text,
    pages: null,
    title,
    tables: tables.tables,
    isCut: isCut || markdown.isCut || tables.isCut,
  };
}

/** More cost the parser seconds, because it takes from the front of its stack. */
const UNCLOSED_TAGS_MAX = 5_000;
const TAG =
  /<(\/?)(?!(?:area|base|br|col|dd|dt|hr|img|input|li|link|meta|option|p|source|t[dhr]|wbr)\b)[a-z][^<>]*>/gi;

/** Before parsing, refuses far more start tags than end tags. @throws FileTooComplex */
function checkTags(html: string): void {
  let depth = 0;
  for (const [tag, closes] of html.matchAll(TAG)) {
    depth = closes === '/' ? Math.max(depth - 1, 0) : depth + (tag.endsWith('/>') ? 0 : 1);
    if (depth > UNCLOSED_TAGS_MAX) {
      throw tooDeep();
    }
  }
}

function tooDeep(): FileTooComplex {
  return new FileTooComplex(`The elements of the page are nested more than ${NESTING_MAX} levels deep.`);
}

/** Without recursion, which the depth would overflow. */
function checkDepth($: CheerioAPI): void {
  let level: PageNode[] = $.root().toArray();
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > NESTING_MAX) {
      throw tooDeep();
    }
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
}

function mainPartOf($: CheerioAPI): Cheerio<PageNode> {
  const main = $('main, [role=main]').first();
  if (main.text().trim() !== '') {
    return main;
  }
  const body = $('body').first();
  $('head').remove();
  return body.length > 0 ? body : $('root').first();
}

function takeTables($: CheerioAPI, root: Cheerio<PageNode>, tables: BoundedTables): void {
  const outer = root.find(':scope table').filter((_, table) => $(table).parents('table').length === 0);
  outer.each((_, table) => {
    const before = tables.tables.length;
    tables.add(rowsOf($, table));
    if (tables.tables.length > before) {
      $(table).replaceWith($(`<${TABLE_MARK}></${TABLE_MARK}>`).text(String(before)));
    }
  });
}

function rowsOf($: CheerioAPI, table: PageNode): string[][] {
  const spans: Span[] = [];
  let cellsLeft = TABLE_CELLS_MAX;
  return $(table)
    .find(':scope tr')
    .filter((_, row) => $(row).closest('table').is(table))
    .toArray()
    .flatMap((row) => {
      const cells = $(row).children('th, td').toArray();
      const sized = cells.map((cell) => ({
        text: textOfPage([cell]).trim(),
        columns: spanOf($(cell).attr('colspan')),
        rows: spanOf($(cell).attr('rowspan')),
      }));
      const texts = sized.map(({ text }) => text);
      const repeated = cellsLeft > 0 ? repeatedCells(sized, spans) : texts;
      cellsLeft -= repeated.length;
      return texts.some(Boolean) ? [repeated] : [];
    });
}

interface Span {
  readonly text: string;
  rowsLeft: number;
}

function repeatedCells(
  cells: readonly { readonly text: string; readonly columns: number; readonly rows: number }[],
  spans: Span[],
): string[] {
  const row: string[] = [];
  const repeat = () => {
    for (let span = spans[row.length]; span && span.rowsLeft > 0; span = spans[row.length]) {
      span.rowsLeft -= 1;
      row.push(span.text);
    }
  };
  for (const { text, columns, rows } of cells) {
    repeat();
    const end = row.length + Math.max(1, Math.min(columns, TABLE_COLUMNS_MAX - row.length));
    while (row.length < end) {
      spans[row.length] = { text, rowsLeft: rows - 1 };
      row.push(text);
    }
  }
  repeat();
  return row;
}

const SPAN_MAX = 65_534;

function spanOf(attribute: string | undefined): number {
  return Math.min(Math.max(Number.parseInt(attribute ?? '', 10) || 1, 1), SPAN_MAX);
}

const DECLARED_WITHIN_BYTES = 2_048;

export function readHtml(bytes: Buffer): ReadFile {
  const beginning = bytes.toString('latin1', 0, DECLARED_WITHIN_BYTES);
  const charset = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(beginning)?.[1] ?? null;
  return readPage(decodeText(bytes, charset));
}
