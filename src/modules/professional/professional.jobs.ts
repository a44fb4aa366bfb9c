import type { ProfessionalMetrics } from '../../../generated/types';
import { type Heading, outlineOf } from '../../text/outline';
import { textJobsOf } from '../../text/text-job';
import { textStatistics, type TextStatistics } from '../../text/text-statistics';

/** What can be measured of how a text is written. */
export interface WritingMeasures {
  readonly statistics: TextStatistics;
  readonly headings: Heading[];
}

/** The most headings that are returned for a text. */
const LISTED_MAX = 1_000;

function measureWriting(text: string): WritingMeasures {
  return {
    statistics: textStatistics(text),
    headings: outlineOf(text).slice(0, LISTED_MAX),
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

export const professionalJobs = textJobsOf(__filename, { measureWriting });
