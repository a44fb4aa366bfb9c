import type { ProfessionalMetrics } from '../../../generated/types';
import { mayBeEnglish } from '../../text/detect-language';
import { type Heading, outlineOf } from '../../text/outline';
import { type StyleIssue, styleIssues } from '../../text/style-issues';
import { textJobsOf } from '../../text/text-job';
import { textStatistics, type TextStatistics } from '../../text/text-statistics';
import { type Tone, toneOf } from '../../text/tone';
import { documentSkeleton } from './document-skeleton';

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

function writingAnalysis(text: string): WritingAnalysis {
  return {
    statistics: textStatistics(text),
    headings: outlineOf(text).slice(0, LISTED_MAX),
    tone: mayBeEnglish(text) ? toneOf(text) : null,
    issues: styleIssues(text).slice(0, LISTED_MAX),
  };
}

/** The measures of a text as they are sent. */
export function metricsOf(statistics: TextStatistics): ProfessionalMetrics {
  return {
    characters: statistics.characters,
    words: statistics.words,
    sentences: statistics.sentences,
    paragraphs: statistics.paragraphs,
    average_sentence_words: statistics.averageSentenceWords,
    average_word_syllables: statistics.averageWordSyllables,
    reading_time_seconds: statistics.readingTimeSeconds,
    flesch_reading_ease: statistics.fleschReadingEase,
    flesch_kincaid_grade: statistics.fleschKincaidGrade,
    reading_level: statistics.readingLevel,
  };
}

export const professionalJobs = textJobsOf(
  __filename,
  { analyzeWriting: writingAnalysis, outlineDocument: documentSkeleton },
  { analyzeWriting: 3 },
);
