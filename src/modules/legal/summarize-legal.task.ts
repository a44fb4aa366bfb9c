import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { quoteFaults, quotesIn, type Quote } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';

export interface Summary {
  summary: string;
  key_points: Quote[];
}

interface ToldSummary {
  readonly summary: string;
  readonly key_points: readonly string[];
}

const TEMPLATE = new PromptTemplate(
  'Summarize this legal text in plain words, in at most {{sentences}} sentences and in the language of the text:\n{{text}}\n' +
    'Add nothing that does not stand in it. As key_points give the sentences of the text that your summary rests on, word for ' +
    'word.',
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

/** @param sentencesMax of the summary */
export function summaryTask(text: string, sentencesMax: number, threads: TextThreads): AnswerTask<Summary> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text, sentences: String(sentencesMax) },
      name: 'legal_summary',
      schema: SCHEMA,
      check: (told: ToldSummary) => quoteFaults(told.key_points, text),
      read: ({ summary, key_points: points }: ToldSummary) => ({
        summary,
        key_points: quotesIn(points, text),
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const found = await threads.run('summarizeText', { text, sentencesMax }, [text], signal);
        return { summary: found.text, key_points: found.sentences };
      },
    },
    reads: [text],
  };
}
