import type { Cheerio, CheerioAPI } from 'cheerio/slim';
import type { PageNode } from './page-node';
import TurndownService from 'turndown';
import { strikethrough, taskListItems } from 'turndown-plugin-gfm';
import type { ReadTable } from '../read-file';
import { markdownTable } from './markdown-table';

/** Stands in the page where a table was; its text is the number of the table. */
export const TABLE_MARK = 'x-read-table';

/** A converter copies all that it has written with each block that it adds, so it gets blocks in lots of this many. */
const BLOCKS_AT_ONCE = 100;
const DOCUMENT_NODE = 9;
const SAFE_LINK = /^(?:https?:|mailto:|#|\/|[^:]*$)/i;

/** A page as Markdown. */
export function markdownOfPage($: CheerioAPI, root: Cheerio<PageNode>, tables: readonly ReadTable[]): string {
  root.find('a[href]').each((_, link) => {
    if (!SAFE_LINK.test($(link).attr('href') ?? '')) {
      $(link).removeAttr('href');
    }
  });
  const converter = converterWith(tables);
  return lotsOf(root.toArray())
    .map((lot) => converter.turndown(lot.map((node) => $.html(node)).join('')))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** As much of a node of the converter's own tree as is used here. */
interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
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
  return converter;
}

/** Elements that group blocks, which are opened until there is more than one in them. */
const GROUPS = new Set(['root', 'html', 'body', 'main', 'div', 'section', 'article']);

/** The blocks of a page in lots, each small enough for the converter. */
function lotsOf(nodes: readonly PageNode[]): PageNode[][] {
  const lots: PageNode[][] = [];
  let lot: PageNode[] = [];
  for (const node of nodes) {
    if (isGroup(node)) {
      lots.push(lot, ...lotsOf(node.children));
      lot = [];
      continue;
    }
    // Only a block ends a lot: what stands in a line stays together.
    if (lot.length >= BLOCKS_AT_ONCE && 'children' in node) {
      lots.push(lot);
      lot = [];
    }
    lot.push(node);
  }
  lots.push(lot);
  return lots.filter((each) => each.length > 0);
}

function isGroup(node: PageNode): node is PageNode & { children: PageNode[] } {
  return node.nodeType === DOCUMENT_NODE || ('name' in node && GROUPS.has(node.name));
}
