import type { AnalyzeAdvancedRequest, FoundKeyword, TextTone } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { mayBeEnglish } from '../../text/detect-language';
import { type Quote, quoteFaults, quotesIn } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import {
  countedKeywords,
  keywordFaults,
  KEYWORDS_SCHEMA,
  textTone,
  TONE_SCHEMA,
  toneFaults,
} from './model-output';
import type { Result } from './processing';

/** The part of an analysis that a model can do better than rules. */
export interface ToldAnalysis {
  summary: string;
  key_points: Quote[];
  keywords: FoundKeyword[];
  tone: TextTone | null;
}

interface Told {
  readonly summary: string;
  readonly key_points: readonly string[];
  readonly keywords: readonly string[];
  readonly tone: TextTone;
}

const TEMPLATE = new PromptTemplate(
  'Analyze this text:\n{{text}}\nsummary: at most {{sentences}} sentences in the language of the text; add nothing that does not ' +
    'stand in it. key_points: the sentences that the summary rests on, word for word. keywords: at most {{keywords}} words or ' +
    'phrases from the text, written as there, the most telling first. tone: its sentiment with a score from -1 to 1, its formality, ' +
    'and as signals the words that show them.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points', 'keywords', 'tone'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string', minLength: 1 } },
    keywords: KEYWORDS_SCHEMA,
    tone: TONE_SCHEMA,
  },
};

/** Summary, key points, keywords and tone of a text. */
export function analysisTask(
  text: string,
  { sentences: sentencesMax, keywords_max: keywordsMax }: AnalyzeAdvancedRequest,
  threads: TextThreads,
): AnswerTask<ToldAnalysis> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text, sentences: String(sentencesMax), keywords: String(keywordsMax) },
      name: 'text_analysis',
      schema: SCHEMA,
      check: ({ key_points: points, keywords, tone }: Told) => [
        ...quoteFaults(points, text),
        ...keywordFaults(keywords, text),
        ...toneFaults(tone),
      ],
      read: ({ summary, key_points: points, keywords, tone }: Told) => ({
        summary,
        key_points: quotesIn(points, text),
        keywords: countedKeywords(keywords, keywordsMax, text),
        tone,
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const [summary, keywords, tone] = await Promise.all([
          threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal),
          threads.run(textJobs.findKeywords, { text, countMax: keywordsMax }, [text], signal),
          mayBeEnglish(text) ? threads.run(textJobs.analyzeTone, text, [text], signal) : null,
        ]);
        return {
          summary: summary.text,
          key_points: summary.sentences,
          keywords,
          tone: tone && textTone(tone),
        };
      },
    },
    reads: [text],
  };
}

const SUMMARIZE = new PromptTemplate(
  'Summarize this text in at most {{sentences}} sentences and in its own language:\n{{text}}\nAdd nothing that does not stand in ' +
    'it. As key_points give the sentences of the text that your summary rests on, word for word.',
);
const SUMMARY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', minLength: 1 } },
  },
};

interface ToldSummary {
  readonly summary: string;
  readonly key_points: readonly string[];
}

export function summarizeTask(text: string, sentencesMax: number, threads: TextThreads): AnswerTask<Result> {
  return {
    question: {
      template: SUMMARIZE,
      variables: { text, sentences: String(sentencesMax) },
      name: 'summary',
      schema: SUMMARY_SCHEMA,
      check: (told: ToldSummary) => quoteFaults(told.key_points, text),
      read: ({ summary, key_points: points }: ToldSummary) => ({
        type: 'summarize',
        summary,
        key_points: quotesIn(points, text),
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const found = await threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal);
        return { type: 'summarize', summary: found.text, key_points: found.sentences };
      },
    },
    reads: [text],
  };
}

const KEYWORDS = new PromptTemplate(
  'Give the words and phrases that tell best what this text is about, at most {{count}}, written as in the text, the most telling ' +
    'first:\n{{text}}',
);
const TOLD_KEYWORDS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['keywords'],
  properties: { keywords: KEYWORDS_SCHEMA },
};

interface ToldKeywords {
  readonly keywords: readonly string[];
}

export function keywordsTask(text: string, countMax: number, threads: TextThreads): AnswerTask<Result> {
  return {
    question: {
      template: KEYWORDS,
      variables: { text, count: String(countMax) },
      name: 'keywords',
      schema: TOLD_KEYWORDS_SCHEMA,
      check: (told: ToldKeywords) => keywordFaults(told.keywords, text),
      read: (told: ToldKeywords) => ({
        type: 'keywords',
        keywords: countedKeywords(told.keywords, countMax, text),
      }),
    },
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

const SENTIMENT = new PromptTemplate(
  'Judge the tone of this text: its sentiment with a score from -1 (negative) to 1 (positive), its formality, and as signals the ' +
    'words that show them:\n{{text}}',
);

export function sentimentTask(text: string, threads: TextThreads): AnswerTask<Result> {
  return {
    question: {
      template: SENTIMENT,
      variables: { text },
      name: 'tone',
      schema: TONE_SCHEMA,
      check: toneFaults,
      read: (tone: TextTone) => ({ type: 'sentiment', tone }),
    },
    embedded: {
      method: 'word-lists',
      answer: async (signal) => {
        if (!mayBeEnglish(text)) {
          throw new Unprocessable('Without an upstream model, sentiment is measured in English texts only.');
        }
        return {
          type: 'sentiment',
          tone: textTone(await threads.run(textJobs.analyzeTone, text, [text], signal)),
        };
      },
    },
    reads: [text],
  };
}
