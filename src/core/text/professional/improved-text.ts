import { styleIssues, type StyleIssue } from '../analysis/style-issues';
import { applyEdits, type Edit, type EditedText } from './apply-edits';

/** A text without the faults of style that can be mended without changing what it says. */
export function improvedText(text: string): EditedText {
  return applyEdits(
    text,
    styleIssues(text).flatMap((issue) => editOf(text, issue)),
  );
}

/** A sentence that goes takes the white space before it along, so that no gap remains. */
function editOf(text: string, { type, start, end, before, after, reason }: StyleIssue): Edit[] {
  if (after === null) {
    return [];
  }
  if (type !== 'duplicate_sentence') {
    return [{ start, end, before, after, reason }];
  }
  const gap = /[ \t]{0,8}$/.exec(text.slice(Math.max(0, start - 8), start))?.[0].length ?? 0;
  return [{ start: start - gap, end, before: text.slice(start - gap, end), after, reason }];
}
