import type { ScholarAnalysis } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { faultsIn, type ToldPaper } from '../../core/text/scholar/paper-analysis';
import { SECTION_KINDS } from '../../core/text/scholar/sections';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { toAnalysis } from './scholar.mapper';

/** An analysis; what a model told has no places yet. */
export interface AnalysisAnswer {
  readonly answer:
    Omit<ScholarAnalysis, 'model' | 'usage'> | { readonly text: string; readonly told: ToldPaper };
}

const TEMPLATE = new PromptTemplate(
  'Say what this scholarly text consists of:\n{{text}}\n' +
    'As sections give every heading, word for word and in the order of the text, with what its section is. As references give ' +
    'every entry of the list of references: raw is the whole entry word for word, and each of the other fields is copied from it; ' +
    'null stands for what it does not say. Give no sections or references where the text has none.',
);

const TEXT = { type: 'string', minLength: 1, maxLength: 3_000 };
const TEXT_OR_NULL = { ...TEXT, type: ['string', 'null'] };

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['sections', 'references'],
  properties: {
    sections: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['heading', 'kind'],
        properties: { heading: TEXT, kind: { type: 'string', enum: [...SECTION_KINDS] } },
      },
    },
    references: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['raw', 'authors', 'year', 'title', 'doi', 'url'],
        properties: {
          raw: TEXT,
          authors: { type: 'array', items: TEXT },
          year: TEXT_OR_NULL,
          title: TEXT_OR_NULL,
          doi: TEXT_OR_NULL,
          url: TEXT_OR_NULL,
        },
      },
    },
  },
};

export function analysisTask(text: string, threads: TextThreads): AnswerTask<AnalysisAnswer> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text },
      name: 'scholar_analysis',
      schema: SCHEMA,
      check: (told: ToldPaper) => faultsIn(text, told),
      read: (told: ToldPaper) => ({ answer: { text, told } }),
    },
    embedded: {
      method: 'paper-rules',
      answer: async (signal) => ({
        answer: toAnalysis(await threads.run('analyzePaper', text, [text], signal)),
      }),
    },
    reads: [text],
  };
}
