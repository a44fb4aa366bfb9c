import type { TextCounts, TextReadability, TextTone } from '../../../generated/types';
import type { TextStatistics } from '../../core/text/analysis/text-statistics';
import type { Tone } from '../../core/text/analysis/tone';

/** What can be counted in a text, as the document names it. */
export function textCounts(statistics: TextStatistics): TextCounts {
  const { characters, words, sentences, paragraphs, averageSentenceWords, readingTimeSeconds } = statistics;
  return {
    ...{ characters, words, sentences, paragraphs },
    average_sentence_words: averageSentenceWords,
    reading_time_seconds: readingTimeSeconds,
  };
}

/** How easy a text is to read, as the document names it. */
export function textReadability(statistics: TextStatistics): TextReadability {
  return {
    flesch_reading_ease: statistics.fleschReadingEase,
    flesch_kincaid_grade: statistics.fleschKincaidGrade,
    reading_level: statistics.readingLevel,
    average_sentence_words: statistics.averageSentenceWords,
    average_word_syllables: statistics.averageWordSyllables,
  };
}

/** A tone as the document names it. */
export function textTone({ sentiment, sentimentScore, formality, signals }: Tone): TextTone {
  return { sentiment, sentiment_score: sentimentScore, formality, signals };
}
