import type { GenerateAdvancedRequest } from '../../../generated/types';
import { Unprocessable } from '../../core/errors/request-errors';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { filledTemplate } from './filled-template';

export interface Generation {
  kind: 'written' | 'filled_template';
  title: string | null;
  text: string;
}

const PROMPT = new PromptTemplate(
  'Write what is wanted here:\n{{request}}\nKeep to this material where there is any, and invent no facts beside it:\n{{material}}\n' +
    'Tone: {{tone}}. Length: {{length}}. Give the text, and a title or null where it needs none.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'text'],
  properties: { title: { type: ['string', 'null'] }, text: { type: 'string', pattern: '\\S' } },
};

/**
 * A text that a model writes, or a template that is filled without one.
 * @throws Unprocessable unless the fields belong together, and what filledTemplate throws
 */
export function generationTask(body: GenerateAdvancedRequest): AnswerTask<Generation> {
  const {
    prompt = null,
    template = null,
    context = null,
    tone = null,
    words_max: wordsMax = null,
    variables,
  } = body;
  if ((prompt === null) === (template === null)) {
    throw new Unprocessable('Give either prompt or template.');
  }
  if (template !== null) {
    if (context !== null || tone !== null || wordsMax !== null) {
      throw new Unprocessable('context, tone and words_max go with prompt only.');
    }
    const text = filledTemplate(template, variables);
    return {
      question: null,
      embedded: {
        method: 'template',
        answer: () => Promise.resolve({ kind: 'filled_template', title: null, text }),
      },
      reads: [template, ...variables.map(({ value }) => value)],
    };
  }
  if (variables.length > 0) {
    throw new Unprocessable('variables go with template only.');
  }
  return {
    question: {
      template: PROMPT,
      variables: {
        request: prompt ?? '',
        material: context ?? '',
        tone: tone ?? 'as the request wants it',
        length: wordsMax === null ? 'as the request wants it' : `at most about ${wordsMax} words`,
      },
      name: 'written_text',
      schema: SCHEMA,
      read: ({ title, text }: { title: string | null; text: string }) => ({ kind: 'written', title, text }),
    },
    embedded: null,
    reads: [prompt ?? '', context ?? ''],
  };
}
