import type { PageNode } from './page-node';

const TEXT_NODE = 3;
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol option p pre section summary table tbody tfoot thead ' +
    'tr ul'
  ).split(' '),
);
/** Between these and what is beside them stands an empty line, as between paragraphs. */
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 blockquote table ul ol dl pre section article'.split(' '));

/** What stands between two words: nothing, a space, a tab between cells, a line end, an empty line. */
type Gap = '' | ' ' | '\t' | '\n' | '\n\n';
const ORDER: readonly Gap[] = ['', ' ', '\t', '\n', '\n\n'];

/** The words of elements as a reader sees them: a line for each block, an empty line between paragraphs, tabs between cells. */
export function textOfPage(nodes: readonly PageNode[]): string {
  const writer = new TextWriter();
  nodes.forEach((node) => writer.node(node, false));
  return writer.text();
}

/** The words of a table's cell, on one line. */
export function cellTextOf(cell: PageNode): string {
  return textOfPage([cell]).trim();
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
      // A cell stays on its line, whatever blocks are in it.
      this.write(textOfPage(node.children).replaceAll(/\s+/g, ' '));
      this.widen('\t');
      return;
    }
    const around = PARAGRAPHS.has(name) ? '\n\n' : BLOCKS.has(name) ? '\n' : '';
    this.widen(around);
    node.children.forEach((child) => this.node(child, isPreformatted || name === 'pre'));
    this.widen(around);
  }

  private words(data: string, isPreformatted: boolean): void {
    if (isPreformatted) {
      this.write(data.replace(/\n$/, ''));
      return;
    }
    const words = data.replaceAll(/[\t\n\f\r ]+/g, ' ');
    if (words.startsWith(' ')) {
      this.widen(' ');
    }
    this.write(words.trim());
    if (words.endsWith(' ')) {
      this.widen(' ');
    }
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
