import { withoutOverlaps } from './places';
import { styleIssues, type StyleIssueType } from './style-issues';

/** `text.slice(start, end)` was `before`, in UTF-16 units of the text before any change. */
export interface MadeChange {
  readonly type: StyleIssueType;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export interface TightenedText {
  readonly text: string;
  readonly changes: MadeChange[];
}

/**
 * Makes the changes of `styleIssues` that keep the meaning.
 * @returns the text, and the changes in order; made in the text one by one they give the new one
 */
export function tightenedText(text: string, types: readonly StyleIssueType[]): TightenedText {
  const wanted = styleIssues(text).flatMap((issue) =>
    types.includes(issue.type) && issue.after !== null
      ? [withGap(text, { ...issue, after: issue.after })]
      : [],
  );
  const changes = withoutOverlaps(
    wanted.sort((one, other) => other.end - other.start - (one.end - one.start)),
  );
  return { text: changedText(text, changes), changes };
}

/** @param changes in order, without overlaps */
export function changedText(
  text: string,
  changes: readonly { readonly start: number; readonly end: number; readonly after: string }[],
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, after } of changes) {
    parts.push(text.slice(from, start), after);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** One of two spaces goes with what was between them; at the end of a line, the one before. */
function withGap(text: string, change: MadeChange): MadeChange {
  const { after } = change;
  let { start, end } = change;
  const isFirst = start === 0 || /\s/u.test(text[start - 1] ?? '');
  if (after === '' && isFirst && text[end] === ' ') {
    end += 1;
  } else if (after === '' && text[start - 1] === ' ' && /^(?:\n|$)/u.test(text.slice(end, end + 1))) {
    start -= 1;
  }
  return { ...change, start, end, before: text.slice(start, end) };
}
