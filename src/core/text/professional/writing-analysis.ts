import { outlineOf, type Heading } from '../analysis/outline';
import { styleIssues, type StyleIssue } from '../analysis/style-issues';
import { textStatistics, type TextStatistics } from '../analysis/text-statistics';
import { toneOf, type Tone } from '../analysis/tone';
import { mayBeEnglish } from '../language/detect-language';

/** How a text is written. */
export interface WritingAnalysis {
  readonly statistics: TextStatistics;
  readonly headings: Heading[];
  /** Null for a text that is not English. */
  readonly tone: Tone | null;
  readonly issues: StyleIssue[];
}

/** The most headings, and the most issues, that are returned for a text. */
const LISTED_MAX = 1_000;

export function writingAnalysis(text: string): WritingAnalysis {
  return {
    statistics: textStatistics(text),
    headings: outlineOf(text).slice(0, LISTED_MAX),
    tone: mayBeEnglish(text) ? toneOf(text) : null,
    issues: styleIssues(text).slice(0, LISTED_MAX),
  };
}
