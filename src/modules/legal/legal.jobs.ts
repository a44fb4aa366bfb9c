import { textJobsOf } from '../../text/text-job';
import { legalAnalysis, legalFacts } from './legal-analysis';
import { textChanges, type TextChanges } from './text-changes';

/** What differs between two texts. */
function compareTexts({ before, after }: { before: string; after: string }): TextChanges {
  return textChanges(before, after);
}

export const legalJobs = textJobsOf(__filename, {
  analyzeLegalText: legalAnalysis,
  compareTexts,
  findLegalFacts: legalFacts,
});
