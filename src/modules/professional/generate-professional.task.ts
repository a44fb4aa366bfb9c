import type { ProfessionalDocument, GenerateProfessionalRequest } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import {
  documentText,
  type ProfessionalDocument as Document,
} from '../../core/text/professional/document-skeleton';
import type { TextThreads } from '../../core/text/threads/text-threads';

export type Written = Omit<ProfessionalDocument, 'model' | 'usage'>;

const TEMPLATE = new PromptTemplate(
  'Write a document of the kind {{kind}} for the audience {{audience}} in the tone {{tone}} and in the language of this brief:\n{{brief}}\n' +
    'Give a title and the sections in order. State no fact, name, number or date that the brief does not give: where one is ' +
    'needed, put in square brackets what has to be filled in.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'sections'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 300 },
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['heading', 'text'],
        properties: {
          heading: { type: 'string', minLength: 1, maxLength: 300 },
          text: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};

/** A place to fill in; what is followed by a bracket is a link. */
const TO_FILL_IN = /\[[^[\]\n]{1,200}\](?!\()/g;

export function writingTask(order: GenerateProfessionalRequest, threads: TextThreads): AnswerTask<Written> {
  const { kind, brief, audience = null, tone } = order;
  return {
    question: {
      template: TEMPLATE,
      variables: { kind: kind.replace('_', ' '), brief, audience: audience ?? 'not named', tone },
      name: 'document',
      schema: SCHEMA,
      read: (told: Document) => writtenOf(told),
    },
    embedded: {
      method: 'document-skeleton',
      answer: async (signal) =>
        writtenOf(await threads.run('outlineDocument', { kind, brief, audience, tone }, [brief], signal)),
    },
    reads: [brief],
  };
}

function writtenOf(document: Document): Written {
  const text = documentText(document);
  const places = [...text.matchAll(TO_FILL_IN)].map(({ 0: words, index }) => ({
    text: words,
    start: index,
    end: index + words.length,
  }));
  const { title, sections } = document;
  return { title, sections: sections.map((section) => ({ ...section })), text, to_fill_in: places };
}
