import type { TextTone } from '../../../../generated/types';
import { Unprocessable } from '../../../core/errors/request-errors';
import type { AnswerTask } from '../../../core/models/generation/answer-task';
import { PromptTemplate } from '../../../core/models/structured/prompt-template';
import { mayBeEnglish } from '../../../core/text/language/detect-language';
import { quoteFaults, quotesIn } from '../../../core/text/quotes-in';
import type { TextThreads } from '../../../core/text/threads/text-threads';
import { textTone } from '../text-measures';
import { countedKeywords, keywordFaults, KEYWORDS_SCHEMA } from '../told-keywords';
import { TONE_SCHEMA, toneFaults } from '../told-tone';
import type { Result } from './processing.task';

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
        const found = await threads.run('summarizeText', { text, sentencesMax }, [text], signal);
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
        keywords: await threads.run('findKeywords', { text, countMax }, [text], signal),
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
        return { type: 'sentiment', tone: textTone(await threads.run('analyzeTone', text, [text], signal)) };
      },
    },
    reads: [text],
  };
}
