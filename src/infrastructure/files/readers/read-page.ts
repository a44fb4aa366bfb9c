import { load, type Cheerio, type CheerioAPI } from 'cheerio/slim';

import { FileTooComplex } from '../file-errors';
import { NESTING_MAX } from '../file-limits';
import type { ReadFile } from '../read-file';
import { BoundedTables } from './bounded-tables';
import { boundedText, boundedTitle } from './bounded-text';
import { markdownOfPage, TABLE_MARK } from './page-markdown';
import type { PageNode } from './page-node';
import { cellTextOf, textOfPage } from './page-text';

/** What is no text of a page: code, what frames embed, what is hidden, and the way to other pages. */
const LEFT_OUT =
  'script, style, noscript, template, iframe, object, embed, svg, math, canvas, audio, video, nav, dialog, select, ' +
  `[hidden], [role=navigation], ${TABLE_MARK}`;

/**
 * The main text of HTML, its tables and its title: what <main> holds where there is one, else the body without navigation.
 * The parser behind it (htmlparser2) takes linear time for any input.
 * @throws FileTooComplex for elements that are nested too deeply
 */
export function readPage(html: string): ReadFile {
  judgeTags(html);
  const $ = load(html);
  judgeDepth($);
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

/** Beyond it the parser's stack, from whose front it takes, costs seconds; what elements close by themselves is not seen. */
const UNCLOSED_TAGS_MAX = 5_000;
const TAG =
  /<(\/?)(?!(?:area|base|br|col|dd|dt|hr|img|input|li|link|meta|option|p|source|t[dhr]|wbr)\b)[a-z][^<>]*>/gi;

/** @throws FileTooComplex before anything is parsed, for far more beginnings than ends of elements that need an end */
function judgeTags(html: string): void {
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

/** Without calling itself: the depth that it looks for would overflow the stack. */
function judgeDepth($: CheerioAPI): void {
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
  return body.length > 0 ? body : $.root();
}

/** Takes the tables out of the page, and leaves a mark where each was, from which its Markdown is written. */
function takeTables($: CheerioAPI, root: Cheerio<PageNode>, tables: BoundedTables): void {
  const outer = root.find('table').filter((_, table) => $(table).parents('table').length === 0);
  outer.each((_, table) => {
    const rows = rowsOf($, table);
    if (rows.length === 0) {
      return;
    }
    const before = tables.tables.length;
    tables.add(rows);
    if (tables.tables.length > before) {
      $(table).replaceWith($(`<${TABLE_MARK}></${TABLE_MARK}>`).text(String(before)));
    }
  });
}

function rowsOf($: CheerioAPI, table: PageNode): string[][] {
  return $(table)
    .find('tr')
    .filter((_, row) => $(row).closest('table').is(table))
    .toArray()
    .map((row) => $(row).children('th, td').toArray().map(cellTextOf))
    .filter((cells) => cells.some((cell) => cell !== ''));
}
