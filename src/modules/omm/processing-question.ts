import type { OmmEntity, OmmParameters, OmmResult, OmmTask } from '../../../generated/types';
import type { ContentPart } from '../../core/models/chat-completion';
import type { AnswerQuestion } from '../../core/models/generation/answer-task';
import type { ReadInput } from '../../core/models/multimodal/input';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { quoteFaults, quotePlaces, quotesIn } from '../../core/text/quotes-in';
import { blankResult } from './blank-result';
import { KEYWORDS_DEFAULT, SENTENCES_DEFAULT } from './processing-rules';
import { shownEntities } from './shown-entities';
import { shownInputs } from './shown-inputs';

const TEXT = { type: 'string', minLength: 1 };
const ENTITY_TYPES = [
  'person',
  'organization',
  'location',
  'date',
  'time',
  'duration',
  'money',
  'percentage',
  'email',
  'url',
  'phone',
  'identifier',
];
const ENTITY = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'text', 'value'],
  properties: { type: { enum: ENTITY_TYPES }, text: TEXT, value: { type: ['string', 'null'] } },
};

/** What a model tells of one input; which fields there are depends on the task. */
interface Told {
  readonly index: number;
  readonly description?: string;
  readonly summary?: string;
  readonly sentences?: readonly string[];
  readonly entities?: readonly Pick<OmmEntity, 'type' | 'text' | 'value'>[];
  readonly label?: string;
  readonly keywords?: readonly string[];
  readonly text?: string;
}

/** How a model is asked to do a task. */
interface Asking {
  readonly instruction: string;
  readonly fields: Record<string, object>;
}

/**
 * Asks a model to do a task with inputs, all in one question.
 * @param inputs not empty
 * @param media the pictures among the inputs, in their order
 */
export function processingQuestion(
  inputs: readonly ReadInput[],
  media: readonly ContentPart[],
  task: OmmTask,
  parameters: OmmParameters,
): AnswerQuestion<OmmResult[]> {
  const { instruction, fields } = askingOf(task, parameters);
  const { lines, variables } = shownInputs(inputs);
  const labels: Record<string, string> =
    task === 'classify' ? { labels: (parameters.labels ?? []).join('\n') } : {};
  return {
    template: new PromptTemplate(
      `${instruction}\nAnswer for each input by itself, under its index.\n${lines}`,
    ),
    variables: { ...variables, ...labels },
    media,
    name: `omm_${task}`,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['results'],
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['index', ...Object.keys(fields)],
            properties: { index: { type: 'integer' }, ...fields },
          },
        },
      },
    },
    check: ({ results }: { results: readonly Told[] }) => faultsOf(results, inputs),
    read: ({ results }: { results: readonly Told[] }) =>
      inputs.map((input) =>
        resultOf(
          input,
          results.find(({ index }) => index === input.index),
        ),
      ),
  };
}

function askingOf(task: OmmTask, { sentences, count, labels }: OmmParameters): Asking {
  const strings = { type: 'array', items: TEXT };
  switch (task) {
    case 'describe':
      return {
        instruction:
          'Describe what each input shows or says, in a few plain sentences. Add nothing that is not in it.',
        fields: { description: TEXT },
      };
    case 'summarize':
      return {
        instruction:
          `Summarize each input in at most ${sentences ?? SENTENCES_DEFAULT} sentences, in its own language. Add nothing that is ` +
          'not in it. As sentences give those of its text that the summary rests on, word for word; none for a picture.',
        fields: { summary: TEXT, sentences: strings },
      };
    case 'extract':
      return {
        instruction:
          'Find the entities of each input. Give each as its text stands there, word for word, and as value what it means in one ' +
          'form: dates as ISO 8601, money such as USD 1250.00, null where there is none.',
        fields: { entities: { type: 'array', items: ENTITY } },
      };
    case 'classify':
      return {
        instruction: 'Say which of these labels, one in a line, fits each input best:\n{{labels}}',
        fields: { label: { enum: labels ?? [] } },
      };
    case 'keywords':
      return {
        instruction: `Give at most ${count ?? KEYWORDS_DEFAULT} keywords for what each picture shows, the most telling first.`,
        fields: { keywords: { ...strings, minItems: 1, maxItems: count ?? KEYWORDS_DEFAULT } },
      };
    default:
      return {
        instruction:
          'Give the text that stands in each picture, word for word and line for line; an empty text where there is none.',
        fields: { text: { type: 'string' } },
      };
  }
}

function faultsOf(results: readonly Told[], inputs: readonly ReadInput[]): string[] {
  const indexes = inputs.map(({ index }) => index);
  const told = results.map(({ index }) => index);
  if (told.length !== indexes.length || indexes.some((index) => !told.includes(index))) {
    return [`There has to be one result for each of the indexes ${indexes.join(', ')}, and no other.`];
  }
  return inputs.flatMap(({ index, file }) => {
    const one = results.find((result) => result.index === index);
    return file === null || one === undefined ? [] : textFaults(one, file.text);
  });
}

function textFaults({ sentences, entities }: Told, text: string): string[] {
  const none = sentences?.length === 0 ? ['Give the sentences of the text that the summary rests on.'] : [];
  const quotes = [...(sentences ?? []), ...(entities ?? []).map(({ text: quote }) => quote)];
  return [...none, ...(quotes.length === 0 ? [] : quoteFaults(quotes, text))];
}

function resultOf(input: ReadInput, told: Told | undefined): OmmResult {
  const blank = blankResult(input);
  if (told === undefined) {
    return blank;
  }
  const text = input.file?.text ?? null;
  return {
    ...blank,
    description: told.description ?? null,
    summary:
      told.summary === undefined
        ? null
        : { text: told.summary, sentences: text === null ? [] : quotesIn(told.sentences ?? [], text) },
    entities: told.entities === undefined ? null : placed(told.entities, text),
    label: told.label ?? null,
    keywords: told.keywords?.map((keyword) => ({ text: keyword, score: null, count: null })) ?? null,
    text: told.text ?? null,
  };
}

/** Each entity at its first place in the text, once; those of a picture have no place. */
function placed(told: NonNullable<Told['entities']>, text: string | null): OmmEntity[] {
  const found = new Map<string, OmmEntity>();
  const quotes = told.map(({ text: quote }) => quote);
  const places = text === null ? [] : quotePlaces(quotes, text);
  for (const [index, { type, text: quote, value }] of told.entries()) {
    const place = places[index];
    const entity = {
      type,
      value,
      text: place?.text ?? quote,
      start: place?.start ?? null,
      end: place?.end ?? null,
    };
    found.set(`${type} ${entity.start ?? quote}`, entity);
  }
  return shownEntities([...found.values()].sort((one, other) => (one.start ?? 0) - (other.start ?? 0)));
}
