import type { ScholarSummary } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { quoteFaults, quotesIn, type Quote } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { toSummary } from './scholar.mapper';

/** A summary; of a model's, the quotes are not under their sections yet. */
export interface SummaryAnswer {
  readonly answer:
    | Omit<ScholarSummary, 'model' | 'usage'>
    | { readonly text: string; readonly told: { readonly summary: string; readonly quotes: Quote[] } };
}

interface Told {
  readonly summary: string;
  readonly key_points: readonly string[];
}

const TEMPLATE = new PromptTemplate(
  'Summarize this scholarly text in at most {{sentences}} sentences and in the language of the text:\n{{text}}\n' +
    'Say what was asked, what was done, what was found and what follows; add nothing that does not stand in it. As key_points ' +
    'give, for each section that matters, at most {{points}} sentences of the text that your summary rests on, word for word.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  },
};

export function summaryTask(
  text: string,
  limits: { readonly sentencesMax: number; readonly pointsMax: number },
  threads: TextThreads,
): AnswerTask<SummaryAnswer> {
  const { sentencesMax, pointsMax } = limits;
  return {
    question: {
      template: TEMPLATE,
      variables: { text, sentences: String(sentencesMax), points: String(pointsMax) },
      name: 'scholar_summary',
      schema: SCHEMA,
      check: (told: Told) => quoteFaults(told.key_points, text),
      read: ({ summary, key_points: points }: Told) => ({
        answer: { text, told: { summary, quotes: quotesIn(points, text) } },
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const input = { text, sentencesMax, pointsMax };
        return { answer: toSummary(await threads.run('summarizePaper', input, [text], signal)) };
      },
    },
    reads: [text],
  };
}
