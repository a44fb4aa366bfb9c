/** Words of a text and what is to stand in their place. `before === text.slice(start, end)`, in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

/** A text with edits made, and those that were. */
export interface EditedText {
  readonly text: string;
  readonly changes: Edit[];
}

/** Makes edits in the order of their places. One that overlaps an earlier one is left out, and so is one that changes nothing. */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const changes: Edit[] = [];
  const parts: string[] = [];
  let from = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (edit.start < from || edit.before === edit.after) {
      continue;
    }
    parts.push(text.slice(from, edit.start), edit.after);
    changes.push(edit);
    from = edit.end;
  }
  return { text: [...parts, text.slice(from)].join(''), changes };
}
