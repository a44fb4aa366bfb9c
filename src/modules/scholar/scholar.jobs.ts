import { textJobsOf } from '../../text/text-job';
import type { Quote } from '../../text/quotes';
import { citeSources, type CitationStyle, type CitedSources } from './cite-sources';
import type { CitedSource } from './cited-source';
import { analysisAsTold, analysisOf, type PaperAnalysis, type ToldPaper } from './paper-analysis';
import { paperSummaryOf, summaryAsTold, type PaperSummary } from './paper-summary';

/** A paper with what a model told of it. */
function analyzePaperAsTold({ text, told }: { text: string; told: ToldPaper }): PaperAnalysis {
  return analysisAsTold(text, told);
}

/** The abstract of a paper, its most central sentences, and those of each section. */
function summarizePaper(input: { text: string; sentencesMax: number; pointsMax: number }): PaperSummary {
  return paperSummaryOf(input.text, input.sentencesMax, input.pointsMax);
}

/** A model's summary of a paper, with its quotes under their sections. */
function summarizePaperAsTold(input: {
  text: string;
  summary: string;
  quotes: readonly Quote[];
}): PaperSummary {
  return summaryAsTold(input.text, input.summary, input.quotes);
}

/** The references of sources in a style. */
function writeCitations(input: { sources: readonly CitedSource[]; style: CitationStyle }): CitedSources {
  return citeSources(input.sources, input.style);
}

export const scholarJobs = textJobsOf(__filename, {
  analyzePaper: analysisOf,
  analyzePaperAsTold,
  summarizePaper,
  summarizePaperAsTold,
  writeCitations,
});
