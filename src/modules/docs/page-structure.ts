import type { Heading } from '../../text/outline';
import { markdownPage } from './markdown-page';
import { numberingGaps, type NumberingGap } from './numbering-gaps';

/** A heading with those below it. */
export interface OutlineNode extends Heading {
  readonly children: OutlineNode[];
}

export interface PageStructure {
  readonly outline: OutlineNode[];
  /** Markdown. */
  readonly tableOfContents: string;
  readonly headings: Heading[];
  readonly gaps: NumberingGap[];
  /** How many further headings there are. */
  readonly more: number;
}

const HEADINGS_MAX = 1_000;

/**
 * The headings of a text as a tree, a table of contents and a list with anchors.
 * @param depthMax how deep the table of contents goes; a page's title is not in it
 */
export function pageStructure({ text, depthMax }: { text: string; depthMax: number }): PageStructure {
  const all = markdownPage(text).headings;
  const headings = all.slice(0, HEADINGS_MAX);
  const outline = treeOf(headings);
  const [only] = outline;
  const isTitled = outline.length === 1 && only?.level === 1 && only.children.length > 0;
  const listed = isTitled ? only.children : outline;
  return {
    outline,
    tableOfContents: contentsOf(listed, depthMax, ''),
    headings,
    gaps: numberingGaps(headings, text),
    more: all.length - headings.length,
  };
}

/** A tree is at most six deep, because there are six levels. */
function treeOf(headings: readonly Heading[]): OutlineNode[] {
  const roots: OutlineNode[] = [];
  const path: OutlineNode[] = [];
  for (const heading of headings) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) {
      path.pop();
    }
    const node = { ...heading, children: [] };
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function contentsOf(nodes: readonly OutlineNode[], depthMax: number, indent: string): string {
  if (depthMax === 0) {
    return '';
  }
  return nodes
    .map(({ title, anchor, children }) => {
      const line = `${indent}- [${title.replaceAll(/[[\]\\]/gu, '\\$&')}](#${anchor})`;
      return [line, contentsOf(children, depthMax - 1, `${indent}  `)]
        .filter((each) => each !== '')
        .join('\n');
    })
    .join('\n');
}
