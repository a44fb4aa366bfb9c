import type { ProfessionalMetrics } from '../../../generated/types';
import type { TextStatistics } from '../../core/text/analysis/text-statistics';

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
