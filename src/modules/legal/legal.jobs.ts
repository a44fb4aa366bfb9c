import { textChanges, type TextChanges } from './text-changes';

export { legalAnalysis as analyzeLegalText, legalFacts as findLegalFacts } from './legal-analysis';
export { documentSkeleton as outlineDocument } from '../professional/document-skeleton';
export { writingAnalysis as analyzeWriting } from '../professional/writing-analysis';

/** What differs between two texts. */
export function compareTexts({ before, after }: { before: string; after: string }): TextChanges {
  return textChanges(before, after);
}
