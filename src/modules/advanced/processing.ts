import type {
  EntityType,
  FoundEntity,
  FoundKeyword,
  ProcessedContent,
  ProcessingLabel,
  ProcessingParameters,
  ProcessingType,
  SummarizeResult,
  TextTone,
} from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, mapTask, modelTask, ruleTask } from '../../models/generation/typed-answers';
import { type OutputOf, schema, type FaultTally } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { keptQuotes, placesOf, summarySchema, summaryTask } from '../../models/generation/quoted-output';
import { detectedLanguage, detectLanguage } from '../../text/detect-language';
import { entitiesIn } from '../../text/entities';
import { ENTITY_TYPES, withoutOverlaps } from '../../text/places';
import { textCounts, textReadability } from '../../text/text-statistics';
import type { TextJob } from '../../text/text-job';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';

type Field = keyof ProcessingParameters;

const FIELDS: Readonly<Partial<Record<ProcessingType, readonly Field[]>>> = {
  summarize: ['sentences'],
  keywords: ['keywords_max'],
  entities: ['entity_types'],
  classify: ['labels'],
  outline: ['level_max'],
  translate: ['target_language', 'source_language'],
  rewrite: ['style', 'length', 'instruction'],
};

export function checkParameters(type: ProcessingType, parameters: ProcessingParameters): void {
  const given = (Object.keys(parameters) as Field[]).filter((field) => (parameters[field] ?? null) !== null);
  const foreign = given.filter((field) => !FIELDS[type]?.includes(field));
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

type Result = ProcessedContent['result'];

/** The deprecated copy of the text is added after charging, so that it is paid for once. */
type FoundResult = Exclude<Result, SummarizeResult> | Omit<SummarizeResult, 'summary'>;

export const KEYWORD_LIST = schema.list(schema.string({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
});

export function countedKeywords(
  output: readonly string[],
  countMax: number,
  text: string,
  tally: FaultTally,
): FoundKeyword[] {
  const lower = text.toLowerCase();
  const named = new Map<string, { readonly text: string; readonly count: number }>();
  for (const keyword of output) {
    const key = keyword.toLowerCase();
    const count = keyword.trim() === '' ? 0 : countOf(key, lower);
    if (count === 0) {
      tally.drop(`This keyword does not stand in the text: ${keyword.slice(0, 120)}`);
    } else {
      tally.keep();
      named.set(key, { text: keyword, count });
    }
  }
  const keywords = [...named.values()].slice(0, countMax);
  return keywords.map((keyword, index) => ({
    ...keyword,
    score: Math.round((1 - index / keywords.length) * 1000) / 1000,
  }));
}

/** Of scripts that part words; others, such as Chinese, have a word anywhere. */
const PARTED = [/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u, /\p{N}/u];

/** Where it begins a word or follows a number, so that AI is not counted within "train", but a plant in "plants" and GB in "16GB". */
function countOf(keyword: string, text: string): number {
  const kind = PARTED.find((characters) => characters.test(keyword.charAt(0)));
  let count = 0;
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + keyword.length)) {
    count += kind?.test(text.charAt(at - 1)) ? 0 : 1;
  }
  return count;
}

export const TONE_SCHEMA = schema.object({
  sentiment: schema.oneOf(['negative', 'neutral', 'positive']),
  sentiment_score: schema.number({ minimum: -1, maximum: 1 }),
  formality: schema.oneOf(['informal', 'neutral', 'formal']),
  signals: schema.list(schema.string({ minLength: 1, maxLength: 500 }), { maxItems: 20 }),
});

export function toneFaults({ sentiment, sentiment_score: score }: TextTone): string[] {
  const contradicts = (sentiment === 'negative' && score > 0) || (sentiment === 'positive' && score < 0);
  return contradicts ? [`The sentiment is ${sentiment}, but its score is ${score}.`] : [];
}

const SUMMARY = { name: 'summary', prompt: new PromptFile('summary'), schema: summarySchema(200) };

function summarizeTask(text: string, sentencesMax: number, threads: TextThreads): AnswerTask<FoundResult> {
  return mapTask(summaryTask(text, sentencesMax, SUMMARY, threads), ({ summary, key_points }) => ({
    type: 'summarize',
    text: summary,
    key_points,
  }));
}

const KEYWORDS_PROMPT = new PromptFile('keywords');
const KEYWORDS_SCHEMA = schema.object({ keywords: KEYWORD_LIST });

function keywordsTask(text: string, countMax: number, threads: TextThreads): AnswerTask<Result> {
  return modelTask([text], {
    prompt: KEYWORDS_PROMPT.fill({ choices: { count: countMax }, material: { text } }),
    name: 'keywords',
    schema: KEYWORDS_SCHEMA,
    read: ({ keywords }, tally): Result => ({
      type: 'keywords',
      keywords: countedKeywords(keywords, countMax, text, tally),
    }),
    embedded: {
      method: 'rake',
      answer: async (signal) => ({
        type: 'keywords',
        keywords: await threads.run(textJobs.findKeywords, { text, countMax }, [text], signal),
      }),
    },
  });
}

const TONE_PROMPT = new PromptFile('tone');

function sentimentTask(text: string): AnswerTask<Result> {
  return modelTask([text], {
    prompt: TONE_PROMPT.fill({ material: { text } }),
    name: 'tone',
    schema: TONE_SCHEMA,
    check: toneFaults,
    read: (tone): Result => ({ type: 'sentiment', tone }),
  });
}

const LABEL_PROMPT = new PromptFile('label');
const LABEL_SCHEMA = schema.object({
  label: schema.orNull(schema.string()),
  evidence: schema.list(schema.text, { maxItems: 50 }),
});

function classifyTask(
  text: string,
  given: readonly ProcessingLabel[],
  threads: TextThreads,
): AnswerTask<Result> {
  const labels = given.map(({ name, examples }) => ({ name, examples }));
  const examples = labels.flatMap((label) => label.examples);
  return modelTask([text, ...labels.map(({ name }) => name), ...examples], {
    prompt: LABEL_PROMPT.fill({ material: { labels: JSON.stringify(labels), text } }),
    name: 'label',
    schema: LABEL_SCHEMA,
    check: ({ label, evidence }, isCut) => [
      ...(label === null || labels.some(({ name }) => name === label)
        ? []
        : [`${label.slice(0, 100)} is no label.`]),
      ...(label !== null && evidence.length === 0 && !isCut ? ['The label has no evidence.'] : []),
    ],
    read: ({ label, evidence }, tally): Result => ({
      type: 'classify',
      label,
      evidence: label === null ? [] : keptQuotes(evidence, text, tally),
    }),
    embedded: labels.every((label) => label.examples.length > 0)
      ? {
          method: 'shared-words',
          answer: async (signal) => ({
            type: 'classify',
            ...(await threads.run(textJobs.classifyText, { text, labels }, [text, ...examples], signal)),
          }),
        }
      : null,
    without: new Unprocessable('Without a model each label needs examples.'),
  });
}

const ENTITIES_PROMPT = new PromptFile('entities');
const ENTITIES_SCHEMA = schema.object({
  entities: schema.list(
    schema.object({
      type: schema.oneOf(ENTITY_TYPES),
      text: schema.string({ minLength: 1, maxLength: 500 }),
    }),
    { maxItems: 500 },
  ),
});

function entitiesTask(
  text: string,
  wanted: readonly EntityType[] | null,
  threads: TextThreads,
): AnswerTask<Result> {
  const types: readonly EntityType[] = wanted ?? ENTITY_TYPES;
  return modelTask([text], {
    prompt: ENTITIES_PROMPT.fill({ choices: { types: types.join(', ') }, material: { text } }),
    name: 'entities',
    schema: ENTITIES_SCHEMA,
    read: ({ entities }, tally): Result => ({
      type: 'entities',
      entities: placedEntities(entities, types, text, tally),
    }),
    embedded: {
      method: 'rules',
      answer: async (signal) => {
        const found = await threads.run(textJobs.findEntities, text, [text], signal);
        return { type: 'entities', entities: found.filter(({ type }) => types.includes(type)) };
      },
    },
  });
}

/** Each at its first place, with values that rules read: a model's own are not trusted. */
function placedEntities(
  entities: OutputOf<typeof ENTITIES_SCHEMA>['entities'],
  types: readonly EntityType[],
  text: string,
  tally: FaultTally,
): FoundEntity[] {
  const asked = entities.filter(({ type }) => types.includes(type));
  const quotes = asked.map((entity) => entity.text);
  const places = placesOf(quotes, text, tally);
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

async function resultOf(
  text: string,
  type: RuleType,
  levelMax: number,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Result> {
  const found = <Found>(job: TextJob<string, Found>) => threads.run(job, text, [text], signal);
  switch (type) {
    case 'language': {
      const { language, candidates } = detectedLanguage(text);
      return { type, language, candidates: [...candidates] };
    }
    case 'readability':
      return { type, readability: textReadability(await found(textJobs.analyzeStatistics)) };
    case 'statistics':
      return { type, statistics: textCounts(await found(textJobs.analyzeStatistics)) };
    case 'outline': {
      const headings = await found(textJobs.outlineText);
      return { type, headings: headings.filter(({ level }) => level <= levelMax) };
    }
    case 'tables':
      return { type, tables: await found(textJobs.findTables) };
    case 'key_values':
      return { type, key_values: await found(textJobs.findKeyValues) };
  }
}

const TEXT_SCHEMA = schema.object({ text: schema.string({ pattern: '\\S' }) });

const TRANSLATION_PROMPT = new PromptFile('translation');

function translateTask(text: string, target: string, given: string | null): AnswerTask<Result> {
  const source = given ?? detectLanguage(text);
  const from =
    given === null
      ? languageOf(text, 'the language that it is in')
      : 'the language that source_language names';
  return modelTask([text], {
    prompt: TRANSLATION_PROMPT.fill({
      choices: { source: from },
      material: { target_language: target, source_language: given, text },
    }),
    name: 'translation',
    schema: TEXT_SCHEMA,
    read: (output): Result => ({
      ...{ type: 'translate', text: output.text },
      ...{ source_language: source, target_language: target },
    }),
  });
}

const REWRITING_PROMPT = new PromptFile('rewriting');

function rewriteTask(text: string, { style, length, instruction }: ProcessingParameters): AnswerTask<Result> {
  return modelTask([text], {
    prompt: REWRITING_PROMPT.fill({
      choices: { language: languageOf(text, 'its own language'), length: length ?? 'as it comes' },
      material: { style: style ?? null, wishes: instruction ?? null, text },
    }),
    name: 'rewritten_text',
    schema: TEXT_SCHEMA,
    read: (output): Result => ({ type: 'rewrite', text: output.text }),
  });
}

export function processingTask(
  text: string,
  type: ProcessingType,
  parameters: ProcessingParameters,
  threads: TextThreads,
): AnswerTask<FoundResult> {
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
    default:
      return ruleTask('rules', [text], (signal) =>
        resultOf(text, type, parameters.level_max ?? 6, threads, signal),
      );
  }
}
