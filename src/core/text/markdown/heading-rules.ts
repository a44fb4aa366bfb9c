import type { Heading } from '../analysis/outline';
import type { PlacedFault } from './lint-finding';
import { isMarked, type MarkdownPage } from './markdown-page';

/** Faults of a page's headings. Only those with marks are judged, because others may be none. */
export function headingFaults({ headings, text }: MarkdownPage): PlacedFault[] {
  const marked = headings.filter((heading) => isMarked(heading, text));
  return [...skippedLevels(marked), ...furtherTitles(marked), ...duplicates(marked)];
}

function skippedLevels(headings: readonly Heading[]): PlacedFault[] {
  return headings.flatMap(({ level, start, end }, index) => {
    const before = headings[index - 1]?.level;
    return before !== undefined && level > before + 1
      ? [fault('heading_level_skipped', start, end, `Level ${level} follows level ${before}.`)]
      : [];
  });
}

function furtherTitles(headings: readonly Heading[]): PlacedFault[] {
  return headings
    .filter(({ level }) => level === 1)
    .slice(1)
    .map(({ start, end }) => fault('several_titles', start, end, 'A page has one heading of level 1.'));
}

/** The same title twice under the same heading; a changelog may have "Added" under each of its releases. */
function duplicates(headings: readonly Heading[]): PlacedFault[] {
  const seen: Set<string>[] = [];
  return headings.flatMap(({ title, level, start, end }) => {
    seen.length = level;
    const ofLevel = (seen[level - 1] ??= new Set());
    const key = title.toLowerCase();
    const isKnown = ofLevel.has(key);
    ofLevel.add(key);
    return isKnown
      ? [
          fault(
            'duplicate_heading',
            start,
            end,
            `Another heading here is called "${title.slice(0, 80)}" too.`,
          ),
        ]
      : [];
  });
}

function fault(rule: PlacedFault['rule'], start: number, end: number, message: string): PlacedFault {
  return { rule, message, start, end };
}
