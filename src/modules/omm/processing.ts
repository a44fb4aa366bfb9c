import { Injectable } from '@nestjs/common';
import type { OmmEntity, OmmParameters, OmmResult, OmmTask } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { FILE_KINDS } from '../../files/sniff-file-kind';
import { ModelNotConfigured } from '../../models/errors';
import type { AnswerQuestion } from '../../models/generation/model-task';
import {
  integerOf,
  listOf,
  modelQuestion,
  objectOf,
  oneOf,
  orNull,
  type OutputOf,
  type OutputSchema,
  stringOf,
  TEXT,
} from '../../models/generation/output-schema';
import { PromptTemplate } from '../../models/generation/prompt-template';
import type { ReadInput } from '../../models/multimodal/inputs';
import type { ContentPart } from '../../models/model-provider';
import { quoteFaults, quotePlaces, quotesIn } from '../../text/quotes';
import { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { wordList } from '../../text/word-list';

interface ShownInputs {
  readonly lines: string;
  readonly variables: Record<string, string>;
}

/** A text by its place in the prompt, a picture by its number among those that go along. */
export function shownInputs(inputs: readonly ReadInput[]): ShownInputs {
  const pictures = inputs.filter(({ file }) => file === null);
  const lines = inputs.map((input) =>
    input.file === null
      ? `Input ${input.index} is picture number ${pictures.indexOf(input) + 1} of those that go along.`
      : `Input ${input.index} is this text:\n{{input_${input.index}}}`,
  );
  const texts = inputs.flatMap(({ index, file }) => (file ? [[`input_${index}`, file.text] as const] : []));
  return { lines: lines.join('\n'), variables: Object.fromEntries(texts) };
}

/** As documented. The text engine may find 10,000 in one text, and a call has up to 20 inputs. */
const ENTITIES_MAX = 2_000;

export function shownEntities(entities: readonly OmmEntity[]): OmmEntity[] {
  return entities.slice(0, ENTITIES_MAX);
}

function blankResult({ index, type, kind, file }: ReadInput): OmmResult {
  return {
    index,
    type,
    media_type: FILE_KINDS[kind].mediaType,
    truncated: file?.isCut ?? false,
    description: null,
    summary: null,
    entities: null,
    label: null,
    keywords: null,
    text: null,
  };
}

const SENTENCES_DEFAULT = 5;
const KEYWORDS_DEFAULT = 10;

export const RULE_METHODS: Partial<Record<OmmTask, string>> = {
  summarize: 'text-rank',
  extract: 'entities',
  keywords: 'rake',
  ocr: 'file-text',
};

/** No model is asked to read a document whose pages are pictures; it is asked to read pictures. */
export const SCANNED_PAGES =
  'Pages of a scan are read as pictures: send each as an input of type image to POST /api/omm/process with the task ocr.';

@Injectable()
export class ProcessingRules {
  constructor(private readonly threads: TextThreads) {}

  /** @throws ModelNotConfigured for a picture, Unprocessable for a document without text, such as a scanned one */
  async result(
    input: ReadInput,
    task: OmmTask,
    { sentences, count }: OmmParameters,
    signal: AbortSignal,
  ): Promise<OmmResult> {
    const blank = blankResult(input);
    const { file, name } = input;
    if (file === null) {
      throw new ModelNotConfigured();
    }
    const { text } = file;
    requireText(text, name, task === 'ocr' ? SCANNED_PAGES : '');
    switch (task) {
      case 'summarize': {
        const order = { text, sentencesMax: sentences ?? SENTENCES_DEFAULT };
        const found = await this.threads.run(textJobs.summarizeText, order, [text], signal);
        const quotes = found.sentences.map(({ text: quote, start, end }) => ({ text: quote, start, end }));
        return { ...blank, summary: { text: found.text, sentences: quotes } };
      }
      case 'extract':
        return {
          ...blank,
          entities: shownEntities(await this.threads.run(textJobs.findEntities, text, [text], signal)),
        };
      case 'keywords': {
        const order = { text, countMax: count ?? KEYWORDS_DEFAULT };
        return { ...blank, keywords: await this.threads.run(textJobs.findKeywords, order, [text], signal) };
      }
      case 'ocr':
        return { ...blank, text };
      default:
        throw new ModelNotConfigured();
    }
  }
}

/** @throws Unprocessable for a text that says nothing; the hint says what could be done, as a sentence */
export function requireText(text: string, name: string, hint = ''): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${name}: there is no text in it that could be read. ${hint}`.trimEnd());
  }
}

const ENTITY = objectOf({
  type: oneOf(
    wordList('person organization location date time duration money percentage email url phone identifier'),
  ),
  text: TEXT,
  value: orNull(stringOf()),
});

/** Which fields there are depends on the task. */
interface AskedFields {
  readonly description?: OutputSchema<string>;
  readonly summary?: OutputSchema<string>;
  readonly sentences?: OutputSchema<string[]>;
  readonly entities?: OutputSchema<OutputOf<typeof ENTITY>[]>;
  readonly label?: OutputSchema<string>;
  readonly keywords?: OutputSchema<string[]>;
  readonly text?: OutputSchema<string>;
}

interface Asking {
  readonly instruction: string;
  readonly fields: AskedFields;
}

function resultsSchema(fields: AskedFields) {
  return objectOf({ results: listOf(objectOf({ index: integerOf(), ...fields })) });
}
type InputOutput = OutputOf<ReturnType<typeof resultsSchema>>['results'][number];

/** All inputs in one question. @param media the pictures among them, in their order */
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
  return modelQuestion({
    template: new PromptTemplate(
      `${instruction}\nAnswer for each input by itself, under its index.\n${lines}`,
    ),
    variables: { ...variables, ...labels },
    media,
    name: `omm_${task}`,
    schema: resultsSchema(fields),
    check: ({ results }) => faultsOf(results, inputs),
    read: ({ results }) =>
      inputs.map((input) =>
        resultOf(
          input,
          results.find(({ index }) => index === input.index),
        ),
      ),
  });
}

function askingOf(task: OmmTask, { sentences, count, labels }: OmmParameters): Asking {
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
        fields: { summary: TEXT, sentences: listOf(TEXT) },
      };
    case 'extract':
      return {
        instruction:
          'Find the entities of each input. Give each as its text stands there, word for word, and as value what it means in one ' +
          'form: dates as ISO 8601, money such as USD 1250.00, null where there is none.',
        fields: { entities: listOf(ENTITY) },
      };
    case 'classify':
      return {
        instruction: 'Say which of these labels, one in a line, fits each input best:\n{{labels}}',
        fields: { label: oneOf(labels ?? []) },
      };
    case 'keywords':
      return {
        instruction: `Give at most ${count ?? KEYWORDS_DEFAULT} keywords for what each picture shows, the most telling first.`,
        fields: { keywords: listOf(TEXT, { minItems: 1, maxItems: count ?? KEYWORDS_DEFAULT }) },
      };
    default:
      return {
        instruction:
          'Give the text that stands in each picture, word for word and line for line; an empty text where there is none.',
        fields: { text: stringOf() },
      };
  }
}

function faultsOf(results: readonly InputOutput[], inputs: readonly ReadInput[]): string[] {
  const indexes = inputs.map(({ index }) => index);
  const given = results.map(({ index }) => index);
  if (given.length !== indexes.length || indexes.some((index) => !given.includes(index))) {
    return [`There has to be one result for each of the indexes ${indexes.join(', ')}, and no other.`];
  }
  return inputs.flatMap(({ index, file }) => {
    const one = results.find((result) => result.index === index);
    return file === null || one === undefined ? [] : textFaults(one, file.text);
  });
}

function textFaults({ sentences, entities }: InputOutput, text: string): string[] {
  const none = sentences?.length === 0 ? ['Give the sentences of the text that the summary rests on.'] : [];
  const quotes = [...(sentences ?? []), ...(entities ?? []).map(({ text: quote }) => quote)];
  return [...none, ...(quotes.length === 0 ? [] : quoteFaults(quotes, text))];
}

function resultOf(input: ReadInput, output: InputOutput | undefined): OmmResult {
  const blank = blankResult(input);
  if (output === undefined) {
    return blank;
  }
  const text = input.file?.text ?? null;
  return {
    ...blank,
    description: output.description ?? null,
    summary:
      output.summary === undefined
        ? null
        : { text: output.summary, sentences: text === null ? [] : quotesIn(output.sentences ?? [], text) },
    entities: output.entities === undefined ? null : placed(output.entities, text),
    label: output.label ?? null,
    keywords: output.keywords?.map((keyword) => ({ text: keyword, score: null, count: null })) ?? null,
    text: output.text ?? null,
  };
}

/** Each entity at its first place in the text, once; those of a picture have no place. */
function placed(output: NonNullable<InputOutput['entities']>, text: string | null): OmmEntity[] {
  const found = new Map<string, OmmEntity>();
  const quotes = output.map(({ text: quote }) => quote);
  const places = text === null ? [] : quotePlaces(quotes, text);
  for (const [index, { type, text: quote, value }] of output.entries()) {
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
