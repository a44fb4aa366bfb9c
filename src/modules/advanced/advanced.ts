import { advancedApi } from '../../../generated/contract';
import type {
  AnalyzeAdvancedRequest,
  FoundKeyword,
  GenerateAdvancedRequest,
  TemplateVariable,
  TextTone,
} from '../../../generated/types';
import { answered, answeredModule } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, mapTask, modelTask, ruleTask } from '../../models/generation/typed-answers';
import { schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import {
  changesSchema,
  changesTask,
  keptQuotes,
  type QuotedSummary,
} from '../../models/generation/quoted-output';
import { detectLanguage } from '../../text/detect-language';
import type { TextThreads } from '../../text/text-threads';
import { textCounts, textReadability } from '../../text/text-statistics';
import { textJobs } from '../../text/text.jobs';
import {
  checkParameters,
  countedKeywords,
  KEYWORD_LIST,
  processingTask,
  TONE_SCHEMA,
  toneFaults,
} from './processing';

interface TextJudgement extends QuotedSummary {
  keywords: FoundKeyword[];
  tone: TextTone | null;
}

const ANALYSIS_SCHEMA = schema.object({
  summary: schema.text,
  key_points: schema.list(schema.text, { minItems: 1, maxItems: 100 }),
  keywords: KEYWORD_LIST,
  tone: schema.orNull(TONE_SCHEMA),
});

const ANALYSIS_PROMPT = new PromptFile('text-analysis');

function analysisTask(
  text: string,
  { sentences: sentencesMax, keywords_max: keywordsMax }: AnalyzeAdvancedRequest,
  threads: TextThreads,
): AnswerTask<TextJudgement> {
  return modelTask([text], {
    prompt: ANALYSIS_PROMPT.fill({
      choices: { sentences: sentencesMax, keywords: keywordsMax, language: languageOf(text) },
      material: { text },
    }),
    name: 'text_analysis',
    schema: ANALYSIS_SCHEMA,
    check: ({ tone }) => (tone === null ? [] : toneFaults(tone)),
    read: ({ summary, key_points: points, keywords, tone }, tally) => ({
      summary,
      key_points: keptQuotes(points, text, tally),
      keywords: countedKeywords(keywords, keywordsMax, text, tally),
      tone,
    }),
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const [summary, keywords] = await Promise.all([
          threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal),
          threads.run(textJobs.findKeywords, { text, countMax: keywordsMax }, [text], signal),
        ]);
        return { summary: summary.text, key_points: summary.sentences, keywords, tone: null };
      },
    },
  });
}

/** In UTF-16 units, the most that another operation may read. A repeated place multiplies its value. */
const FILLED_LENGTH_MAX = 400_000;
const PLACE = /\{\{[ \t]{0,4}([A-Za-z_][A-Za-z0-9_]{0,63})[ \t]{0,4}\}\}/g;

/** Values are never read as templates. @throws Unprocessable for a template and variables that do not fit */
function filledTemplate(template: string, variables: readonly TemplateVariable[]): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  const places = [...template.matchAll(PLACE)].map(([place, name = '']) => ({ place, name }));
  const names = new Set(places.map(({ name }) => name));
  const faults = [
    ...(values.size < variables.length ? ['a variable is named twice'] : []),
    ...[...names].filter((name) => !values.has(name)).map((name) => `${name} has no variable`),
    ...[...values.keys()].filter((name) => !names.has(name)).map((name) => `${name} has no place`),
    ...(/\{\{|\}\}/.test(template.replace(PLACE, ' ')) ? ['a place is written {{name}}'] : []),
  ];
  if (faults.length > 0) {
    throw new Unprocessable(`The template can't be filled: ${faults.slice(0, 10).join(', ')}.`);
  }
  const length = places.reduce(
    (sum, { place, name }) => sum + (values.get(name) ?? '').length - place.length,
    template.length,
  );
  if (length > FILLED_LENGTH_MAX) {
    throw new Unprocessable(`The filled template has more than ${FILLED_LENGTH_MAX} characters.`);
  }
  return template.replace(PLACE, (_, name: string) => values.get(name) ?? '');
}

interface Generation {
  kind: 'written' | 'filled_template';
  title: string | null;
  text: string;
}

const WRITTEN_PROMPT = new PromptFile('written-text');

const GENERATION_SCHEMA = schema.object({
  title: schema.orNull(schema.string()),
  text: schema.string({ pattern: '\\S' }),
});

function generationTask(body: GenerateAdvancedRequest): AnswerTask<Generation> {
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
    const reads = [template, ...variables.map(({ value }) => value)];
    return ruleTask('template', reads, () => Promise.resolve({ kind: 'filled_template', title: null, text }));
  }
  if (variables.length > 0) {
    throw new Unprocessable('variables go with template only.');
  }
  return modelTask([prompt ?? '', context ?? ''], {
    prompt: WRITTEN_PROMPT.fill({
      choices: {
        language: languageOf(prompt ?? '', 'the language of the request'),
        length: wordsMax === null ? 'as the request wants it' : `at most about ${wordsMax} words`,
      },
      material: { request: prompt ?? '', tone, facts: context },
    }),
    name: 'written_text',
    schema: GENERATION_SCHEMA,
    read: ({ title, text }): Generation => ({ kind: 'written', title, text }),
  });
}

const CHANGES_SCHEMA = changesSchema(200, schema.string({ minLength: 1, maxLength: 1000 }));

async function measuresOf(text: string, threads: TextThreads, signal: AbortSignal) {
  const statistics = await threads.run(textJobs.analyzeStatistics, text, [text], signal);
  return { statistics: textCounts(statistics), readability: textReadability(statistics) };
}

const SHOWN_MAX = 1_000;

export const AdvancedModule = answeredModule(advancedApi, {
  processAdvanced: answered(
    async (call, { textOf, threads }) => {
      const { processing_type: type, parameters = {} } = call.body;
      checkParameters(type, parameters);
      const task = processingTask(await textOf(call), type, parameters, threads);
      return mapTask(task, (result) => ({ processing_type: type, result }));
    },
    ({ result, ...answer }) => ({
      ...answer,
      result: result.type === 'summarize' ? { ...result, summary: result.text } : result,
    }),
  ),
  analyzeAdvanced: answered(
    async (call, { textOf, threads }) => analysisTask(await textOf(call), call.body, threads),
    async (answer, call, { textOf, threads }) => {
      const { signal } = call;
      const text = await textOf(call);
      const [measures, entities, headings] = await Promise.all([
        measuresOf(text, threads, signal),
        threads.run(textJobs.findEntities, text, [text], signal),
        threads.run(textJobs.outlineText, text, [text], signal),
      ]);
      return {
        ...answer,
        ...measures,
        language: detectLanguage(text),
        entities: entities.slice(0, SHOWN_MAX),
        entities_total: entities.length,
        headings: headings.slice(0, SHOWN_MAX),
        truncated: answer.truncated || Math.max(entities.length, headings.length) > SHOWN_MAX,
      };
    },
  ),
  generateAdvanced: answered(({ body }) => generationTask(body)),
  optimizeAdvanced: answered(
    async (call, { textOf }) => {
      const goals = call.body.goals.join(', ');
      return changesTask(await textOf(call), { goals, name: 'text_changes', schema: CHANGES_SCHEMA });
    },
    async (answer, call, { textOf, threads }) => {
      const text = await textOf(call);
      const [before, after] = await Promise.all([
        measuresOf(text, threads, call.signal),
        measuresOf(answer.text, threads, call.signal),
      ]);
      return { ...answer, metrics: { before, after } };
    },
  ),
});
