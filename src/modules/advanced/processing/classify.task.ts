import type { ProcessingLabel } from '../../../../generated/types';
import type { AnswerTask } from '../../../core/models/generation/answer-task';
import { PromptTemplate } from '../../../core/models/structured/prompt-template';
import { quoteFaults, quotesIn } from '../../../core/text/quotes-in';
import type { TextThreads } from '../../../core/text/threads/text-threads';
import type { Result } from './processing.task';

const TEMPLATE = new PromptTemplate(
  'Say which one of these labels this text belongs to, or null where none fits:\n{{text}}\nThe labels, with examples:\n{{labels}}\n' +
    'As evidence give the sentences of the text that show it, word for word; none for null.',
);
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['label', 'evidence'],
  properties: {
    label: { type: ['string', 'null'] },
    evidence: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1 } },
  },
};

interface ToldLabel {
  readonly label: string | null;
  readonly evidence: readonly string[];
}

/** Which of the caller's labels a text belongs to. */
export function classifyTask(
  text: string,
  given: readonly ProcessingLabel[],
  threads: TextThreads,
): AnswerTask<Result> {
  const labels = given.map(({ name, examples }) => ({ name, examples }));
  const examples = labels.flatMap((label) => label.examples);
  return {
    question: {
      template: TEMPLATE,
      variables: { text, labels: JSON.stringify(labels) },
      name: 'label',
      schema: SCHEMA,
      check: ({ label, evidence }: ToldLabel) => [
        ...(label === null || labels.some(({ name }) => name === label)
          ? []
          : [`${label.slice(0, 100)} is no label.`]),
        ...(label !== null && evidence.length === 0 ? ['The label has no evidence.'] : []),
        ...quoteFaults(evidence, text),
      ],
      read: ({ label, evidence }: ToldLabel) => ({
        type: 'classify',
        label,
        evidence: label === null ? [] : quotesIn(evidence, text),
      }),
    },
    embedded: {
      method: 'shared-words',
      answer: async (signal) => ({
        type: 'classify',
        ...(await threads.run('classifyText', { text, labels }, [text, ...examples], signal)),
      }),
    },
    reads: [text, ...labels.map(({ name }) => name), ...examples],
  };
}
