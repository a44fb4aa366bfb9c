import { classification, type Classification, type Label } from '../../analysis/classify';
import { keywords, type Keyword } from '../../analysis/keywords';
import type { StyleIssueType } from '../../analysis/style-issues';
import { summaryOf, type Summary } from '../../analysis/summary';
import { tightenedText, type TightenedText } from '../../analysis/tighten';

export { amountsIn as findAmounts } from '../../analysis/amounts';
export { datesIn as findDates } from '../../analysis/dates';
export { entitiesIn as findEntities } from '../../analysis/entities';
export { keyValuesIn as findKeyValues } from '../../analysis/key-values';
export { outlineOf as outlineText } from '../../analysis/outline';
export { styleIssues as findStyleIssues } from '../../analysis/style-issues';
export { tablesIn as findTables } from '../../analysis/tables';
export { textStatistics as analyzeStatistics } from '../../analysis/text-statistics';
export { toneOf as analyzeTone } from '../../analysis/tone';

/** The best keywords of a text. */
export function findKeywords({ text, countMax }: { text: string; countMax: number }): Keyword[] {
  return keywords(text, countMax);
}

/** The most central sentences of a text. */
export function summarizeText({ text, sentencesMax }: { text: string; sentencesMax: number }): Summary {
  return summaryOf(text, { sentencesMax });
}

/** The label that a text belongs to. */
export function classifyText({ text, labels }: { text: string; labels: readonly Label[] }): Classification {
  return classification(text, labels);
}

/** A text with the changes that leave its meaning as it is. */
export function tightenText({
  text,
  types,
}: {
  text: string;
  types: readonly StyleIssueType[];
}): TightenedText {
  return tightenedText(text, types);
}

export { detectLanguage as findLanguage } from '../../language/detect-language';
