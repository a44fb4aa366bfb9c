import type {
  AnalyzeAdvancedRequest,
  FoundKeyword,
  ProcessedContent,
  SummarizeResult,
  TextTone,
} from '../../../generated/types';
import { type AnswerTask, mapTask } from '../../models/generation/typed-answers';
import { modelQuestion, modelTask, schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import {
  keptQuotes,
  type QuotedSummary,
  summarySchema,
  summaryTask,
} from '../../models/generation/quoted-output';
import type { Tally } from '../../models/generation/tally';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';

export type Result = ProcessedContent['result'];

/** A result without its text under the deprecated name, which is added once the answer is charged, so that it is paid for once. */
export type FoundResult = Exclude<Result, SummarizeResult> | Omit<SummarizeResult, 'summary'>;

const KEYWORDS = schema.list(schema.string({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 });

/** Best first as they were given; the score tells the order only. */
function countedKeywords(
  output: readonly string[],
  countMax: number,
  text: string,
  tally: Tally,
): FoundKeyword[] {
  const lower = text.toLowerCase();
  const named = new Map<string, string>();
  for (const keyword of output) {
    if (keyword.trim() === '' || !lower.includes(keyword.toLowerCase())) {
      tally.drop(`This keyword does not stand in the text: ${keyword.slice(0, 120)}`);
    } else {
      tally.keep();
      named.set(keyword.toLowerCase(), keyword);
    }
  }
  const keywords = [...named.values()].slice(0, countMax);
  return keywords.map((keyword, index) => ({
    text: keyword,
    score: Math.round((1 - index / keywords.length) * 1000) / 1000,
    count: lower.split(keyword.toLowerCase()).length - 1,
  }));
}

const TONE = schema.object({
  sentiment: schema.oneOf(['negative', 'neutral', 'positive']),
  sentiment_score: schema.number({ minimum: -1, maximum: 1 }),
  formality: schema.oneOf(['informal', 'neutral', 'formal']),
  signals: schema.list(schema.string({ minLength: 1, maxLength: 500 }), { maxItems: 20 }),
});

/** A sentence for the model where its word and its number contradict each other. */
function toneFaults({ sentiment, sentiment_score: score }: TextTone): string[] {
  const contradicts = (sentiment === 'negative' && score > 0) || (sentiment === 'positive' && score < 0);
  return contradicts ? [`The sentiment is ${sentiment}, but its score is ${score}.`] : [];
}

interface TextJudgement extends QuotedSummary {
  keywords: FoundKeyword[];
  tone: TextTone | null;
}

const ANALYSIS_SCHEMA = schema.object({
  summary: schema.text,
  key_points: schema.list(schema.text, { minItems: 1, maxItems: 100 }),
  keywords: KEYWORDS,
  // An answer that is cut off may lack it.
  tone: schema.orNull(TONE),
});

const ANALYSIS_PROMPT = new PromptFile('text-analysis');

export function analysisTask(
  text: string,
  { sentences: sentencesMax, keywords_max: keywordsMax }: AnalyzeAdvancedRequest,
  threads: TextThreads,
): AnswerTask<TextJudgement> {
  return {
    question: modelQuestion({
      prompt: ANALYSIS_PROMPT.fill({
        choices: { sentences: sentencesMax, keywords: keywordsMax, language: languageOf(text) },
        material: { text },
      }),
      name: 'text_analysis',
      schema: ANALYSIS_SCHEMA,
      check: ({ tone }) => (tone === null ? [] : toneFaults(tone)),
      read: ({ summary, key_points: points, keywords, tone }, tally) => ({
        summary,
        key_points: keptQuotes(points, text, tally),
        keywords: countedKeywords(keywords, keywordsMax, text, tally),
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

const SUMMARY = { name: 'summary', prompt: new PromptFile('summary'), schema: summarySchema(200) };

export function summarizeTask(
  text: string,
  sentencesMax: number,
  threads: TextThreads,
): AnswerTask<FoundResult> {
  return mapTask(summaryTask(text, sentencesMax, SUMMARY, threads), ({ summary, key_points }) => ({
    type: 'summarize',
    text: summary,
    key_points,
  }));
}

const KEYWORDS_PROMPT = new PromptFile('keywords');
const KEYWORDS_SCHEMA = schema.object({ keywords: KEYWORDS });

export function keywordsTask(text: string, countMax: number, threads: TextThreads): AnswerTask<Result> {
  return {
    question: modelQuestion({
      prompt: KEYWORDS_PROMPT.fill({ choices: { count: countMax }, material: { text } }),
      name: 'keywords',
      schema: KEYWORDS_SCHEMA,
      read: ({ keywords }, tally): Result => ({
        type: 'keywords',
        keywords: countedKeywords(keywords, countMax, text, tally),
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

const TONE_PROMPT = new PromptFile('tone');

export function sentimentTask(text: string): AnswerTask<Result> {
  return modelTask([text], {
    prompt: TONE_PROMPT.fill({ material: { text } }),
    name: 'tone',
    schema: TONE,
    check: toneFaults,
    read: (tone): Result => ({ type: 'sentiment', tone }),
  });
}
