import type {
  AnalyzeAdvancedRequest,
  FoundKeyword,
  ProcessedContent,
  TextCounts,
  TextReadability,
  TextTone,
} from '../../../generated/types';
import { type AnswerTask, mapTask } from '../../models/generation/model-task';
import {
  listOf,
  modelQuestion,
  numberOf,
  objectOf,
  oneOf,
  stringOf,
  TEXT,
} from '../../models/generation/output-schema';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { type QuotedSummary, summarySchema, summaryTask } from '../../models/generation/quoted-output';
import { quoteFaults, quotesIn } from '../../text/quotes';
import type { TextStatistics } from '../../text/text-statistics';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';

/** What processing a text finds, by the kind of processing. */
export type Result = ProcessedContent['result'];

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

const KEYWORDS = listOf(stringOf({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 });

/** A sentence for the model about each keyword that is not in the text. */
function keywordFaults(keywords: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  return keywords
    .filter((keyword) => keyword.trim() === '' || !lower.includes(keyword.toLowerCase()))
    .map((keyword) => `This keyword does not stand in the text: ${keyword.slice(0, 120)}`);
}

/** The keywords, best first as they were given, each once and with its count. The score tells the order only. */
function countedKeywords(output: readonly string[], countMax: number, text: string): FoundKeyword[] {
  const lower = text.toLowerCase();
  const keywords = [...new Map(output.map((keyword) => [keyword.toLowerCase(), keyword])).values()].slice(
    0,
    countMax,
  );
  return keywords.map((keyword, index) => ({
    text: keyword,
    score: Math.round((1 - index / keywords.length) * 1000) / 1000,
    count: lower.split(keyword.toLowerCase()).length - 1,
  }));
}

const TONE = objectOf({
  sentiment: oneOf(['negative', 'neutral', 'positive']),
  sentiment_score: numberOf({ minimum: -1, maximum: 1 }),
  formality: oneOf(['informal', 'neutral', 'formal']),
  signals: listOf(stringOf({ minLength: 1, maxLength: 500 }), { maxItems: 20 }),
});

/** A sentence for the model where its word and its number contradict each other. */
function toneFaults({ sentiment, sentiment_score: score }: TextTone): string[] {
  const contradicts = (sentiment === 'negative' && score > 0) || (sentiment === 'positive' && score < 0);
  return contradicts ? [`The sentiment is ${sentiment}, but its score is ${score}.`] : [];
}

/** The part of an analysis that a model can do better than rules. */
interface TextJudgement extends QuotedSummary {
  keywords: FoundKeyword[];
  tone: TextTone | null;
}

const ANALYSIS_SCHEMA = objectOf({
  summary: TEXT,
  key_points: listOf(TEXT, { minItems: 1, maxItems: 100 }),
  keywords: KEYWORDS,
  tone: TONE,
});

const ANALYSIS_TEMPLATE = new PromptTemplate(
  'Analyze this text:\n{{text}}\nsummary: at most {{sentences}} sentences in the language of the text; add nothing that does not ' +
    'stand in it. key_points: the sentences that the summary rests on, word for word. keywords: at most {{keywords}} words or ' +
    'phrases from the text, written as there, the most telling first. tone: its sentiment with a score from -1 to 1, its formality, ' +
    'and as signals the words that show them.',
);

/** Summary, key points, keywords and tone of a text. */
export function analysisTask(
  text: string,
  { sentences: sentencesMax, keywords_max: keywordsMax }: AnalyzeAdvancedRequest,
  threads: TextThreads,
): AnswerTask<TextJudgement> {
  return {
    question: modelQuestion({
      template: ANALYSIS_TEMPLATE,
      variables: { text, sentences: String(sentencesMax), keywords: String(keywordsMax) },
      name: 'text_analysis',
      schema: ANALYSIS_SCHEMA,
      check: ({ key_points: points, keywords, tone }) => [
        ...quoteFaults(points, text),
        ...keywordFaults(keywords, text),
        ...toneFaults(tone),
      ],
      read: ({ summary, key_points: points, keywords, tone }) => ({
        summary,
        key_points: quotesIn(points, text),
        keywords: countedKeywords(keywords, keywordsMax, text),
        tone,
      }),
    }),
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const [summary, keywords] = await Promise.all([
          threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal),
          threads.run(textJobs.findKeywords, { text, countMax: keywordsMax }, [text], signal),
        ]);
        return {
          summary: summary.text,
          key_points: summary.sentences,
          keywords,
          tone: null,
        };
      },
    },
    reads: [text],
  };
}

const SUMMARY = {
  name: 'summary',
  template: new PromptTemplate(
    'Summarize this text in at most {{sentences}} sentences and in its own language:\n{{text}}\nAdd nothing that does not stand in ' +
      'it. As key_points give the sentences of the text that your summary rests on, word for word.',
  ),
  schema: summarySchema(200),
};

export function summarizeTask(text: string, sentencesMax: number, threads: TextThreads): AnswerTask<Result> {
  return mapTask(summaryTask(text, sentencesMax, SUMMARY, threads), (summary) => ({
    type: 'summarize',
    ...summary,
  }));
}

const KEYWORDS_TEMPLATE = new PromptTemplate(
  'Give the words and phrases that tell best what this text is about, at most {{count}}, written as in the text, the most telling ' +
    'first:\n{{text}}',
);
const KEYWORDS_SCHEMA = objectOf({ keywords: KEYWORDS });

export function keywordsTask(text: string, countMax: number, threads: TextThreads): AnswerTask<Result> {
  return {
    question: modelQuestion({
      template: KEYWORDS_TEMPLATE,
      variables: { text, count: String(countMax) },
      name: 'keywords',
      schema: KEYWORDS_SCHEMA,
      check: ({ keywords }) => keywordFaults(keywords, text),
      read: ({ keywords }): Result => ({
        type: 'keywords',
        keywords: countedKeywords(keywords, countMax, text),
      }),
    }),
    embedded: {
      method: 'rake',
      answer: async (signal) => ({
        type: 'keywords',
        keywords: await threads.run(textJobs.findKeywords, { text, countMax }, [text], signal),
      }),
    },
    reads: [text],
  };
}

const SENTIMENT_TEMPLATE = new PromptTemplate(
  'Judge the tone of this text: its sentiment with a score from -1 (negative) to 1 (positive), its formality, and as signals the ' +
    'words that show them:\n{{text}}',
);

export function sentimentTask(text: string): AnswerTask<Result> {
  return {
    question: modelQuestion({
      template: SENTIMENT_TEMPLATE,
      variables: { text },
      name: 'tone',
      schema: TONE,
      check: toneFaults,
      read: (tone): Result => ({ type: 'sentiment', tone }),
    }),
    embedded: null,
    reads: [text],
  };
}
