import type { Quote } from '../../text/quotes';
import { citeSources, type CitationStyle, type CitedSources } from './cite-sources';
import type { CitedSource } from './cited-source';
import { analysisAsTold, type PaperAnalysis, type ToldPaper } from './paper-analysis';
import { paperSummaryOf, summaryAsTold, type PaperSummary } from './paper-summary';

export { analysisOf as analyzePaper } from './paper-analysis';

/** A paper with what a model told of it. */
export function analyzePaperAsTold({ text, told }: { text: string; told: ToldPaper }): PaperAnalysis {
  return analysisAsTold(text, told);
}

/** The abstract of a paper, its most central sentences, and those of each section. */
export function summarizePaper(input: {
  text: string;
  sentencesMax: number;
  pointsMax: number;
}): PaperSummary {
  return paperSummaryOf(input.text, input.sentencesMax, input.pointsMax);
}

/** A model's summary of a paper, with its quotes under their sections. */
export function summarizePaperAsTold(input: {
  text: string;
  summary: string;
  quotes: readonly Quote[];
}): PaperSummary {
  return summaryAsTold(input.text, input.summary, input.quotes);
}

/** The references of sources in a style. */
export function writeCitations(input: {
  sources: readonly CitedSource[];
  style: CitationStyle;
}): CitedSources {
  return citeSources(input.sources, input.style);
}
