import type { OmmEntity, OmmParameters, OmmResult, OmmTask } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { FILE_KINDS } from '../../files/sniff-file-kind';
import { ModelNotConfigured } from '../../models/errors';
import type { StructuredQuestion } from '../../models/generation/structured-answers';
import {
  modelQuestion,
  type OutputOf,
  type OutputSchema,
  schema,
  type FaultTally,
} from '../../models/generation/output-schema';
import { type Choices, languageOf, PromptFile } from '../../models/generation/prompt';
import { keptQuotes, placesOf } from '../../models/generation/quoted-output';
import type { ReadInput } from '../../models/multimodal/inputs';
import type { ContentPart } from '../../models/model-provider';
import { ENTITY_TYPES } from '../../text/places';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';

export function shownInputs(inputs: readonly ReadInput[]) {
  const pictures = inputs.filter(({ file }) => file === null);
  const descriptions = inputs.map((input) =>
    input.file === null
      ? `input ${input.index} is picture ${pictures.indexOf(input) + 1}`
      : `input ${input.index} is the text input_${input.index}`,
  );
  const texts = inputs.flatMap(({ index, file }) => (file ? [[`input_${index}`, file.text] as const] : []));
  return { inputs: descriptions.join('; ') || 'none', material: Object.fromEntries(texts) };
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

export const TASKS_OF_MODELS: readonly OmmTask[] = ['describe', 'summarize', 'extract', 'classify'];

export const RULE_METHODS: Partial<Record<OmmTask, string>> = {
  summarize: 'text-rank',
  extract: 'entities',
  keywords: 'rake',
  ocr: 'file-text',
};

const TASK_OF_PARAMETER: Record<keyof OmmParameters, OmmTask> = {
  sentences: 'summarize',
  count: 'keywords',
  labels: 'classify',
};

export function judgeParameters(task: OmmTask, parameters: OmmParameters): void {
  for (const [name, owner] of Object.entries(TASK_OF_PARAMETER)) {
    if (parameters[name as keyof OmmParameters] !== undefined && owner !== task) {
      throw new Unprocessable(`parameters.${name}: belongs to the task ${owner}.`);
    }
  }
  if (task === 'classify' && parameters.labels === undefined) {
    throw new Unprocessable('parameters.labels: the task classify needs them.');
  }
  if (task === 'transcribe') {
    throw new Unprocessable('Nothing here hears: no input carries sound, and no model is asked for speech.');
  }
}

/** No model reads scanned documents, only pictures. */
export const SCANNED_PAGES =
  'Pages of a scan are read as pictures: send each as an input of type image to POST /api/omm/process with the task ocr.';

export async function ruleResult(
  input: ReadInput,
  task: OmmTask,
  { sentences, count }: OmmParameters,
  { threads, signal }: { readonly threads: TextThreads; readonly signal: AbortSignal },
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
      const found = await threads.run(textJobs.summarizeText, order, [text], signal);
      const quotes = found.sentences.map(({ text: quote, start, end }) => ({ text: quote, start, end }));
      return { ...blank, summary: { text: found.text, sentences: quotes } };
    }
    case 'extract':
      return {
        ...blank,
        entities: shownEntities(await threads.run(textJobs.findEntities, text, [text], signal)),
      };
    case 'keywords': {
      const order = { text, countMax: count ?? KEYWORDS_DEFAULT };
      return { ...blank, keywords: await threads.run(textJobs.findKeywords, order, [text], signal) };
    }
    case 'ocr':
      return { ...blank, text };
    default:
      throw new ModelNotConfigured();
  }
}

export function requireText(text: string, name: string, hint = ''): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${name}: there is no text in it that could be read. ${hint}`.trimEnd());
  }
}

const ENTITY = schema.object({
  type: schema.oneOf(ENTITY_TYPES),
  text: schema.text,
  value: schema.orNull(schema.string()),
});

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
  readonly prompt: PromptFile;
  readonly choices?: Choices;
  readonly fields: AskedFields;
}

function resultsSchema(fields: AskedFields) {
  return schema.object({ results: schema.list(schema.object({ index: schema.integer(), ...fields })) });
}
type InputOutput = OutputOf<ReturnType<typeof resultsSchema>>['results'][number];

export function processingQuestion(
  inputs: readonly ReadInput[],
  media: readonly ContentPart[],
  task: OmmTask,
  parameters: OmmParameters,
): StructuredQuestion<OmmResult[]> {
  const { prompt, choices, fields } = askingOf(inputs, task, parameters);
  const { inputs: described, material } = shownInputs(inputs);
  const labels = task === 'classify' ? (parameters.labels ?? []).join('\n') : null;
  return modelQuestion({
    prompt: prompt.fill({ choices: { ...choices, inputs: described }, material: { labels, ...material } }),
    media,
    name: `omm_${task}`,
    schema: resultsSchema(fields),
    check: ({ results }, isCut) => faultsOf(results, inputs, isCut),
    read: ({ results }, tally) =>
      inputs.map((input) => {
        const output = results.find(({ index }) => index === input.index);
        return resultOf(input, output, tally);
      }),
  });
}

const PROMPTS = {
  describe: new PromptFile('input-description'),
  summarize: new PromptFile('input-summaries'),
  extract: new PromptFile('input-entities'),
  classify: new PromptFile('input-labels'),
  keywords: new PromptFile('input-keywords'),
  ocr: new PromptFile('input-texts'),
};

function askingOf(
  inputs: readonly ReadInput[],
  task: OmmTask,
  { sentences, count, labels }: OmmParameters,
): Asking {
  switch (task) {
    case 'describe': {
      const language = languageOf(inputs.map(({ file }) => file?.text ?? '').join('\n'), 'English');
      return { prompt: PROMPTS.describe, choices: { language }, fields: { description: schema.text } };
    }
    case 'summarize':
      return {
        prompt: PROMPTS.summarize,
        choices: { sentences: sentences ?? SENTENCES_DEFAULT },
        fields: { summary: schema.text, sentences: schema.list(schema.text) },
      };
    case 'extract':
      return { prompt: PROMPTS.extract, fields: { entities: schema.list(ENTITY) } };
    case 'classify':
      return { prompt: PROMPTS.classify, fields: { label: schema.oneOf(labels ?? []) } };
    case 'keywords':
      return {
        prompt: PROMPTS.keywords,
        choices: { count: count ?? KEYWORDS_DEFAULT },
        fields: { keywords: schema.list(schema.text, { minItems: 1, maxItems: count ?? KEYWORDS_DEFAULT }) },
      };
    default:
      return { prompt: PROMPTS.ocr, fields: { text: schema.string() } };
  }
}

function faultsOf(results: readonly InputOutput[], inputs: readonly ReadInput[], isCut: boolean): string[] {
  const indexes = inputs.map(({ index }) => index);
  const given = results.map(({ index }) => index);
  if (isCut && given.length > 0) {
    return [];
  }
  if (given.length !== indexes.length || indexes.some((index) => !given.includes(index))) {
    return [`There has to be one result for each of the indexes ${indexes.join(', ')}, and no other.`];
  }
  return inputs.flatMap(({ index, file }) => {
    const one = results.find((result) => result.index === index);
    return file !== null && one?.sentences?.length === 0
      ? ['Give the sentences of the text that the summary rests on.']
      : [];
  });
}

function resultOf(input: ReadInput, output: InputOutput | undefined, tally: FaultTally): OmmResult {
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
        : {
            text: output.summary,
            sentences: text === null ? [] : keptQuotes(output.sentences ?? [], text, tally),
          },
    entities: output.entities === undefined ? null : placed(output.entities, text, tally),
    label: output.label ?? null,
    keywords: output.keywords?.map((keyword) => ({ text: keyword, score: null, count: null })) ?? null,
    text: output.text ?? null,
  };
}

function placed(
  output: NonNullable<InputOutput['entities']>,
  text: string | null,
  tally: FaultTally,
): OmmEntity[] {
  const found = new Map<string, OmmEntity>();
  const quotes = output.map(({ text: quote }) => quote);
  const places = text === null ? null : placesOf(quotes, text, tally);
  for (const [index, { type, text: quote, value }] of output.entries()) {
    const place = places?.[index] ?? null;
    if (places !== null && place === null) {
      continue;
    }
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
