import { textJobsOf } from '../../text/text-job';
import type { Quote } from '../../text/quotes';
import { citeSources, type CitationStyle, type CitedSources } from './cite-sources';
import type { CitedSource } from './cited-source';
import { analysisOf, type PaperAnalysis, type PaperOutput, placedAnalysis } from './paper-analysis';
import { type PaperSummary, paperSummaryOf, placedSummary } from './paper-summary';

/** What a model says of a paper, with its places. */
function placePaperAnalysis({ text, output }: { text: string; output: PaperOutput }): PaperAnalysis {
  return placedAnalysis(text, output);
}

/** The abstract of a paper, its most central sentences, and those of each section. */
function summarizePaper(input: { text: string; sentencesMax: number; pointsMax: number }): PaperSummary {
  return paperSummaryOf(input.text, input.sentencesMax, input.pointsMax);
}

/** A model's summary of a paper, with its quotes under their sections. */
function placePaperSummary(input: { text: string; summary: string; quotes: readonly Quote[] }): PaperSummary {
  return placedSummary(input.text, input.summary, input.quotes);
}

/** The references of sources in a style. */
function writeCitations(input: { sources: readonly CitedSource[]; style: CitationStyle }): CitedSources {
  return citeSources(input.sources, input.style);
}

export const scholarJobs = textJobsOf(__filename, {
  analyzePaper: analysisOf,
  placePaperAnalysis,
  placePaperSummary,
  summarizePaper,
  writeCitations,
});
