import { textJobsOf } from '../../text/text-job';
import { documentSkeleton } from './document-skeleton';
import { writingAnalysis } from './writing-analysis';

export const professionalJobs = textJobsOf(
  __filename,
  { analyzeWriting: writingAnalysis, outlineDocument: documentSkeleton },
  { analyzeWriting: 3 },
);
