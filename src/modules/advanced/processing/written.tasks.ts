import type { ProcessingParameters } from '../../../../generated/types';
import type { AnswerTask } from '../../../core/models/generation/answer-task';
import { PromptTemplate } from '../../../core/models/structured/prompt-template';
import { detectLanguage } from '../../../core/text/language/detect-language';
import type { Result } from './processing.task';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string', pattern: '\\S' } },
};

interface ToldText {
  readonly text: string;
}

const TRANSLATE = new PromptTemplate(
  'Translate this text from {{source}} into the language {{target}}, with its line breaks and marks, and nothing added or left ' +
    'out:\n{{text}}',
);

/** A translation, which only a model can make. */
export function translateTask(text: string, target: string, given: string | null): AnswerTask<Result> {
  const source = given ?? detectLanguage(text);
  return {
    question: {
      template: TRANSLATE,
      variables: { text, target, source: source ?? 'the language that it is in' },
      name: 'translation',
      schema: SCHEMA,
      read: (told: ToldText) => ({
        ...{ type: 'translate', text: told.text },
        ...{ source_language: source, target_language: target },
      }),
    },
    embedded: null,
    reads: [text],
  };
}

const REWRITE = new PromptTemplate(
  'Rewrite this text in its own language, and keep what it says:\n{{text}}\nStyle: {{style}}. Length: {{length}}. Further wishes:\n' +
    '{{instruction}}',
);

/** Another wording, which only a model can find. */
export function rewriteTask(
  text: string,
  { style, length, instruction }: ProcessingParameters,
): AnswerTask<Result> {
  return {
    question: {
      template: REWRITE,
      variables: {
        text,
        style: style ?? 'as it is',
        length: length ?? 'as it comes',
        instruction: instruction ?? 'none',
      },
      name: 'rewritten_text',
      schema: SCHEMA,
      read: (told: ToldText) => ({ type: 'rewrite', text: told.text }),
    },
    embedded: null,
    reads: [text],
  };
}
