import type { ScholarAnalysis, ScholarCitationPlace, ScholarSummary } from '../../../generated/types';
import type { PaperAnalysis } from '../../core/text/scholar/paper-analysis';
import type { PaperSummary } from '../../core/text/scholar/paper-summary';
import type { TextCitation } from '../../core/text/scholar/text-citations';

type Unused<Answer> = Omit<Answer, 'model' | 'usage'>;

export function toSummary({ abstract, summary, keyPoints }: PaperSummary): Unused<ScholarSummary> {
  return { abstract, summary, key_points: keyPoints };
}

export function toAnalysis(analysis: PaperAnalysis): Unused<ScholarAnalysis> {
  const { sections, references, citations, statistics } = analysis;
  return {
    sections: sections.map(({ bodyStart: _, ...section }) => section),
    references: references.map(({ families: _, authors, ...reference }, index) => ({
      index,
      ...reference,
      authors: [...authors],
    })),
    citations: {
      total: citations.length,
      numeric: citations.filter(({ kind }) => kind === 'numeric').length,
      author_year: citations.filter(({ kind }) => kind === 'author_year').length,
      places: citations.map(toPlace),
      unmatched: [...new Set(citations.flatMap(({ unmatched }) => unmatched))],
      uncited: [...references.keys()].filter((index) => references[index]?.citations === 0),
    },
    statistics: statistics.map(({ degreesOfFreedom, ...statistic }) => ({
      ...statistic,
      degrees_of_freedom: degreesOfFreedom,
    })),
  };
}

function toPlace(citation: TextCitation): ScholarCitationPlace {
  return { ...citation };
}
