import type { PlacedFault } from './lint-finding';
import type { MarkdownPage } from './markdown-page';
import type { PageLine } from './page-lines';

const ITEM = /^([ \t]{0,200})(?:([-*+])|(\d{1,9})([.)]))[ \t]+\S/u;
const RULE_OF_SIGNS = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/u;
const DEPTH_MAX = 20;

/** The list that is open at one depth. */
interface OpenList {
  readonly indent: number;
  readonly marker: string | null;
  readonly number: number | null;
  /** Whether its numbers are all the same, which Markdown counts by itself. */
  readonly isConstant: boolean;
}

/** Lists whose items begin with different marks, or whose numbers leave some out. */
export function listFaults({ lines }: MarkdownPage): PlacedFault[] {
  const faults: PlacedFault[] = [];
  let open: OpenList[] = [];
  let wasBlank = false;
  for (const line of lines) {
    const item = itemIn(line);
    if (item !== null) {
      open = open.filter(({ indent }) => indent <= item.indent);
      const last = open.at(-1);
      const isSame = last?.indent === item.indent && (last.number === null) === (item.number === null);
      const { fault, isConstant } = isSame ? judged(last, item, line) : { fault: null, isConstant: true };
      open = isSame || last?.indent === item.indent ? open.slice(0, -1) : open;
      open = [...open.slice(-DEPTH_MAX), { ...item, isConstant }];
      faults.push(...(fault === null ? [] : [fault]));
    } else if (line.kind === 'text' && wasBlank && !/^[ \t]/u.test(line.text)) {
      // A paragraph or a heading at the margin ends all lists.
      open = [];
    }
    wasBlank = line.kind === 'blank';
    open = /^ {0,3}#{1,6}[ \t]/u.test(line.text) ? [] : open;
  }
  return faults;
}

function itemIn({ text, kind }: PageLine): Omit<OpenList, 'isConstant'> | null {
  const [, space, marker = null, digits, behind] = ITEM.exec(text) ?? [];
  if (kind !== 'text' || space === undefined || RULE_OF_SIGNS.test(text.slice(0, 200))) {
    return null;
  }
  const indent = space.replaceAll('\t', '    ').length;
  return { indent, marker: marker ?? behind ?? null, number: digits === undefined ? null : Number(digits) };
}

function judged(
  last: OpenList,
  item: Omit<OpenList, 'isConstant'>,
  { start, end }: PageLine,
): { fault: PlacedFault | null; isConstant: boolean } {
  if (last.marker !== item.marker) {
    const message = `The list's items begin with "${last.marker}", this one with "${item.marker}".`;
    return { fault: { rule: 'list_markers_differ', start, end, message }, isConstant: last.isConstant };
  }
  if (last.number === null || item.number === null) {
    return { fault: null, isConstant: true };
  }
  if (item.number === last.number && last.isConstant) {
    return { fault: null, isConstant: true };
  }
  const message = `${item.number} follows ${last.number} in the list.`;
  return {
    fault: item.number === last.number + 1 ? null : { rule: 'list_number_skipped', start, end, message },
    isConstant: false,
  };
}
