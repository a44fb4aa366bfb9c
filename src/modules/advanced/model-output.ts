import type { FoundKeyword, TextCounts, TextReadability, TextTone } from '../../../generated/types';
import type { TextStatistics } from '../../text/text-statistics';
import type { Tone } from '../../text/tone';

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

/** The schema of keywords that a model tells. */
export const KEYWORDS_SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', minLength: 1, maxLength: 200 },
};

/** A sentence for the model about each keyword that is not in the text. */
export function keywordFaults(keywords: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  return keywords
    .filter((keyword) => keyword.trim() === '' || !lower.includes(keyword.toLowerCase()))
    .map((keyword) => `This keyword does not stand in the text: ${keyword.slice(0, 120)}`);
}

/** The keywords, best first as they were told, each once and with its count. The score tells the order only. */
export function countedKeywords(told: readonly string[], countMax: number, text: string): FoundKeyword[] {
  const lower = text.toLowerCase();
  const keywords = [...new Map(told.map((keyword) => [keyword.toLowerCase(), keyword])).values()].slice(
    0,
    countMax,
  );
  return keywords.map((keyword, index) => ({
    text: keyword,
    score: Math.round((1 - index / keywords.length) * 1000) / 1000,
    count: lower.split(keyword.toLowerCase()).length - 1,
  }));
}

/** The schema of a tone that a model tells. */
export const TONE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['sentiment', 'sentiment_score', 'formality', 'signals'],
  properties: {
    sentiment: { type: 'string', enum: ['negative', 'neutral', 'positive'] },
    sentiment_score: { type: 'number', minimum: -1, maximum: 1 },
    formality: { type: 'string', enum: ['informal', 'neutral', 'formal'] },
    signals: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 500 } },
  },
};

/** A sentence for the model where its word and its number contradict each other. */
export function toneFaults({ sentiment, sentiment_score: score }: TextTone): string[] {
  const contradicts = (sentiment === 'negative' && score > 0) || (sentiment === 'positive' && score < 0);
  return contradicts ? [`The sentiment is ${sentiment}, but its score is ${score}.`] : [];
}
