import type {
  EntityType,
  FoundEntity,
  ProcessedContent,
  ProcessingLabel,
  ProcessingParameters,
  ProcessingType,
} from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, mapTask } from '../../models/generation/model-task';
import {
  listOf,
  modelQuestion,
  objectOf,
  oneOf,
  orNull,
  type OutputOf,
  stringOf,
  TEXT,
} from '../../models/generation/output-schema';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { detectedLanguage, detectLanguage } from '../../text/detect-language';
import { entitiesIn } from '../../text/entities';
import { withoutOverlaps } from '../../text/places';
import { quoteFaults, quotePlaces, quotesIn } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { wordList } from '../../text/word-list';
import {
  keywordsTask,
  type Result,
  sentimentTask,
  summarizeTask,
  textCounts,
  textReadability,
} from './text-analysis';

type Field = keyof ProcessingParameters;

const FIELDS: Readonly<Record<ProcessingType, readonly Field[]>> = {
  summarize: ['sentences'],
  keywords: ['keywords_max'],
  entities: ['entity_types'],
  classify: ['labels'],
  sentiment: [],
  language: [],
  readability: [],
  statistics: [],
  outline: ['level_max'],
  tables: [],
  key_values: [],
  translate: ['target_language', 'source_language'],
  rewrite: ['style', 'length', 'instruction'],
};

/**
 * Refuses parameters that the type does not have, because who sends them expects something of them, and a type without those
 * that it needs.
 * @throws Unprocessable
 */
export function checkParameters(type: ProcessingType, parameters: ProcessingParameters): void {
  const given = (Object.keys(parameters) as Field[]).filter((field) => (parameters[field] ?? null) !== null);
  const foreign = given.filter((field) => !FIELDS[type].includes(field));
  if (foreign.length > 0) {
    throw new Unprocessable(`parameters of ${type} have no ${foreign.join(', ')}.`);
  }
  if (type === 'classify') {
    const names = (parameters.labels ?? []).map(({ name }) => name);
    if (names.length === 0 || new Set(names).size < names.length) {
      throw new Unprocessable('classify needs parameters.labels, each name once.');
    }
  }
  if (type === 'translate' && !given.includes('target_language')) {
    throw new Unprocessable('translate needs parameters.target_language.');
  }
  if (type === 'rewrite' && given.length === 0) {
    throw new Unprocessable('rewrite needs at least one of parameters.style, length and instruction.');
  }
}

const CLASSIFY_TEMPLATE = new PromptTemplate(
  'Say which one of these labels this text belongs to, or null where none fits:\n{{text}}\nThe labels, with examples:\n{{labels}}\n' +
    'As evidence give the sentences of the text that show it, word for word; none for null.',
);
const LABEL_SCHEMA = objectOf({ label: orNull(stringOf()), evidence: listOf(TEXT, { maxItems: 50 }) });

/** Which of the caller's labels a text belongs to. */
function classifyTask(
  text: string,
  given: readonly ProcessingLabel[],
  threads: TextThreads,
): AnswerTask<Result> {
  const labels = given.map(({ name, examples }) => ({ name, examples }));
  const examples = labels.flatMap((label) => label.examples);
  return {
    question: modelQuestion({
      template: CLASSIFY_TEMPLATE,
      variables: { text, labels: JSON.stringify(labels) },
      name: 'label',
      schema: LABEL_SCHEMA,
      check: ({ label, evidence }) => [
        ...(label === null || labels.some(({ name }) => name === label)
          ? []
          : [`${label.slice(0, 100)} is no label.`]),
        ...(label !== null && evidence.length === 0 ? ['The label has no evidence.'] : []),
        ...quoteFaults(evidence, text),
      ],
      read: ({ label, evidence }): Result => ({
        type: 'classify',
        label,
        evidence: label === null ? [] : quotesIn(evidence, text),
      }),
    }),
    // The words of a label's name alone tell nothing.
    embedded: labels.every((label) => label.examples.length > 0)
      ? {
          method: 'shared-words',
          answer: async (signal) => ({
            type: 'classify',
            ...(await threads.run(textJobs.classifyText, { text, labels }, [text, ...examples], signal)),
          }),
        }
      : null,
    without: 'Without one each label needs examples.',
    reads: [text, ...labels.map(({ name }) => name), ...examples],
  };
}

const TYPES = wordList(
  'person organization location date time duration money percentage email url phone identifier',
) satisfies readonly EntityType[];
const ENTITIES_TEMPLATE = new PromptTemplate(
  'Find the entities of these types in this text: {{types}}.\n{{text}}\nGive each one word for word as it stands in the text, once.',
);
const ENTITIES_SCHEMA = objectOf({
  entities: listOf(objectOf({ type: oneOf(TYPES), text: stringOf({ minLength: 1, maxLength: 500 }) }), {
    maxItems: 500,
  }),
});

/** @param wanted which types; null for all */
function entitiesTask(
  text: string,
  wanted: readonly EntityType[] | null,
  threads: TextThreads,
): AnswerTask<Result> {
  const types: readonly EntityType[] = wanted ?? TYPES;
  return {
    question: modelQuestion({
      template: ENTITIES_TEMPLATE,
      variables: { text, types: types.join(', ') },
      name: 'entities',
      schema: ENTITIES_SCHEMA,
      check: ({ entities }) =>
        quoteFaults(
          entities.map((entity) => entity.text),
          text,
        ),
      read: ({ entities }): Result => ({
        type: 'entities',
        entities: placedEntities(entities, types, text),
      }),
    }),
    embedded: {
      method: 'rules',
      answer: async (signal) => {
        const found = await threads.run(textJobs.findEntities, text, [text], signal);
        return { type: 'entities', entities: found.filter(({ type }) => types.includes(type)) };
      },
    },
    reads: [text],
  };
}

/** The entities where they stand first, with the values that the rules read in them: a model's own are not trusted. */
function placedEntities(
  entities: OutputOf<typeof ENTITIES_SCHEMA>['entities'],
  types: readonly EntityType[],
  text: string,
): FoundEntity[] {
  const asked = entities.filter(({ type }) => types.includes(type));
  const places = quotePlaces(
    asked.map((entity) => entity.text),
    text,
  );
  const placed = asked.flatMap(({ type }, index) => {
    const place = places[index];
    return place ? [{ type, ...place, value: valueOf(type, place.text) }] : [];
  });
  return withoutOverlaps(placed);
}

function valueOf(type: EntityType, written: string): string | null {
  return entitiesIn(written).find((entity) => entity.type === type)?.value ?? null;
}

type RuleType = 'language' | 'readability' | 'statistics' | 'outline' | 'tables' | 'key_values';

/** What rules find exactly, or as well as anybody: no model is asked. */
function ruleTask(text: string, type: RuleType, levelMax: number, threads: TextThreads): AnswerTask<Result> {
  const answer = (signal: AbortSignal) => resultOf(text, type, levelMax, threads, signal);
  return { question: null, embedded: { method: 'rules', answer }, reads: [text] };
}

async function resultOf(
  text: string,
  type: RuleType,
  levelMax: number,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Result> {
  switch (type) {
    case 'language': {
      const { language, candidates } = detectedLanguage(text);
      return { type, language, candidates: [...candidates] };
    }
    case 'readability':
      return {
        type,
        readability: textReadability(await threads.run(textJobs.analyzeStatistics, text, [text], signal)),
      };
    case 'statistics':
      return {
        type,
        statistics: textCounts(await threads.run(textJobs.analyzeStatistics, text, [text], signal)),
      };
    case 'outline': {
      const headings = await threads.run(textJobs.outlineText, text, [text], signal);
      return { type, headings: headings.filter(({ level }) => level <= levelMax) };
    }
    case 'tables':
      return { type, tables: await threads.run(textJobs.findTables, text, [text], signal) };
    case 'key_values':
      return { type, key_values: await threads.run(textJobs.findKeyValues, text, [text], signal) };
  }
}

const TEXT_SCHEMA = objectOf({ text: stringOf({ pattern: '\\S' }) });

const TRANSLATE = new PromptTemplate(
  'Translate this text from {{source}} into the language {{target}}, with its line breaks and marks, and nothing added or left ' +
    'out:\n{{text}}',
);

/** A translation, which only a model can make. */
function translateTask(text: string, target: string, given: string | null): AnswerTask<Result> {
  const source = given ?? detectLanguage(text);
  return {
    question: modelQuestion({
      template: TRANSLATE,
      variables: { text, target, source: source ?? 'the language that it is in' },
      name: 'translation',
      schema: TEXT_SCHEMA,
      read: (output): Result => ({
        ...{ type: 'translate', text: output.text },
        ...{ source_language: source, target_language: target },
      }),
    }),
    embedded: null,
    reads: [text],
  };
}

const REWRITE = new PromptTemplate(
  'Rewrite this text in its own language, and keep what it says:\n{{text}}\nStyle: {{style}}. Length: {{length}}. Further wishes:\n' +
    '{{instruction}}',
);

/** Another wording, which only a model can find. */
function rewriteTask(text: string, { style, length, instruction }: ProcessingParameters): AnswerTask<Result> {
  return {
    question: modelQuestion({
      template: REWRITE,
      variables: {
        text,
        style: style ?? 'as it is',
        length: length ?? 'as it comes',
        instruction: instruction ?? 'none',
      },
      name: 'rewritten_text',
      schema: TEXT_SCHEMA,
      read: (output): Result => ({ type: 'rewrite', text: output.text }),
    }),
    embedded: null,
    reads: [text],
  };
}

/** The task of processing a text; the parameters have been checked. */
export function processingTask(
  text: string,
  type: ProcessingType,
  parameters: ProcessingParameters,
  threads: TextThreads,
): AnswerTask<Pick<ProcessedContent, 'processing_type' | 'result'>> {
  return mapTask(resultTask(text, type, parameters, threads), (result) => ({
    processing_type: type,
    result,
  }));
}

function resultTask(
  text: string,
  type: ProcessingType,
  parameters: ProcessingParameters,
  threads: TextThreads,
): AnswerTask<Result> {
  switch (type) {
    case 'summarize':
      return summarizeTask(text, parameters.sentences ?? 5, threads);
    case 'keywords':
      return keywordsTask(text, parameters.keywords_max ?? 20, threads);
    case 'entities':
      return entitiesTask(text, parameters.entity_types ?? null, threads);
    case 'classify':
      return classifyTask(text, parameters.labels ?? [], threads);
    case 'sentiment':
      return sentimentTask(text);
    case 'translate':
      return translateTask(text, parameters.target_language ?? '', parameters.source_language ?? null);
    case 'rewrite':
      return rewriteTask(text, parameters);
    case 'language':
    case 'readability':
    case 'statistics':
    case 'outline':
    case 'tables':
    case 'key_values':
      return ruleTask(text, type, parameters.level_max ?? 6, threads);
  }
}
