export type LintRule =
  | 'heading_level_skipped'
  | 'several_titles'
  | 'duplicate_heading'
  | 'bare_url'
  | 'empty_link'
  | 'missing_alt_text'
  | 'broken_anchor'
  | 'trailing_spaces'
  | 'fence_without_language'
  | 'fence_not_closed'
  | 'long_line'
  | 'long_sentence'
  | 'unfinished'
  | 'list_markers_differ'
  | 'list_number_skipped';

/** A fault of a page. Offsets are in UTF-16 units. */
export interface LintFinding {
  readonly rule: LintRule;
  /** From 1. */
  readonly line: number;
  /** A sentence for the author. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A fault before its line is known. */
export type PlacedFault = Omit<LintFinding, 'line'>;
