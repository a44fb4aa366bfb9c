import { professionalApi } from '../../../generated/contract';
import type {
  GenerateProfessionalRequest,
  ProfessionalAnalysis,
  ProfessionalDocument,
  ProfessionalMetrics,
} from '../../../generated/types';
import { answered, answeredModule, type AnswerNotes } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, modelTask } from '../../models/generation/typed-answers';
import { schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { changesSchema, changesTask, placed } from '../../models/generation/quoted-output';
import { placeOf } from '../../text/places';
import { textCounts, textReadability, type TextStatistics } from '../../text/text-statistics';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { wordList } from '../../text/word-list';

type Measures = Pick<ProfessionalAnalysis, 'readability' | 'structure' | 'truncated'>;

/** Models cannot count, so rules take the measures. */
type Judgement = Pick<ProfessionalAnalysis, 'tone' | 'issues'> & { measures?: Measures };

const ANALYSIS_PROMPT = new PromptFile('writing-analysis');

const ISSUE_TYPES = [
  ...wordList('long_sentence passive_voice wordy_phrase repeated_word weasel_word adverb cliche'),
  ...wordList('duplicate_sentence spacing unclear grammar other'),
];
const ANALYSIS_SCHEMA = schema.object({
  tone: schema.object({
    formality: schema.oneOf(['informal', 'neutral', 'formal']),
    sentiment: schema.oneOf(['negative', 'neutral', 'positive']),
    signals: schema.list(schema.text),
  }),
  issues: schema.list(
    schema.object({
      type: schema.oneOf(ISSUE_TYPES),
      before: schema.text,
      after: schema.orNull(schema.string()),
      reason: schema.text,
    }),
    { maxItems: 1_000 },
  ),
});

function analysisTask(text: string, threads: TextThreads): AnswerTask<Judgement> {
  return modelTask([text], {
    prompt: ANALYSIS_PROMPT.fill({ choices: { language: languageOf(text) }, material: { text } }),
    name: 'writing_analysis',
    schema: ANALYSIS_SCHEMA,
    read: ({ tone, issues }, tally): Judgement => ({
      tone,
      issues: placed(issues, ({ before }) => before, text, tally).map(
        ({ output: { type, after, reason }, place: { text: before, start, end } }) => ({
          ...{ type, start, end, before, after, reason },
        }),
      ),
    }),
    embedded: {
      method: 'text-measures',
      answer: async (signal) => ({
        tone: null,
        issues: null,
        measures: await measuresOf(text, threads, signal),
      }),
    },
  });
}

function metricsOf(statistics: TextStatistics): ProfessionalMetrics {
  return { ...textCounts(statistics), ...textReadability(statistics) };
}

const LISTED_MAX = 1_000;

async function measuresOf(text: string, threads: TextThreads, signal: AbortSignal): Promise<Measures> {
  const statistics = await threads.run(textJobs.analyzeStatistics, text, [text], signal);
  const headings = await threads.run(textJobs.outlineText, text, [text], signal);
  const structure = headings.slice(0, LISTED_MAX).map(({ anchor: _, ...heading }) => heading);
  return { readability: metricsOf(statistics), structure, truncated: headings.length > LISTED_MAX };
}

type Written = Omit<ProfessionalDocument, AnswerNotes>;

const DOCUMENT_PROMPT = new PromptFile('document');

const DOCUMENT_SCHEMA = schema.object({
  title: schema.string({ minLength: 1, maxLength: 300 }),
  sections: schema.list(
    schema.object({ heading: schema.string({ minLength: 1, maxLength: 300 }), text: schema.text }),
    { minItems: 1, maxItems: 100 },
  ),
});

const TO_FILL_IN = /\[[^[\]\n]{1,200}\](?!\()/g;

function writingTask(order: GenerateProfessionalRequest): AnswerTask<Written> {
  const { kind, brief, audience = null, tone } = order;
  return modelTask([brief], {
    prompt: DOCUMENT_PROMPT.fill({
      choices: {
        kind: kind.replace('_', ' '),
        tone,
        language: languageOf(brief, 'the language of the brief'),
      },
      material: { audience, brief },
    }),
    name: 'document',
    schema: DOCUMENT_SCHEMA,
    read: writtenOf,
  });
}

function writtenOf({ title, sections }: Pick<Written, 'title' | 'sections'>): Written {
  const parts = sections.map(({ heading, text }) => `## ${heading}\n\n${text}`);
  const text = [`# ${title}`, ...parts].join('\n\n');
  return { title, sections, text, to_fill_in: [...text.matchAll(TO_FILL_IN)].map(placeOf) };
}

const OPTIMIZATION = {
  goals: 'clear, correct, short',
  name: 'changes',
  schema: changesSchema(1_000, schema.text),
};

export const ProfessionalModule = answeredModule(professionalApi, {
  analyzeProfessional: answered(
    async (call, { textOf, threads }) => analysisTask(await textOf(call), threads),
    async ({ measures = null, ...judged }, call, { textOf, threads }) => {
      const measured = measures ?? (await measuresOf(await textOf(call), threads, call.signal));
      return { ...measured, ...judged, truncated: measured.truncated || judged.truncated };
    },
  ),
  generateProfessional: answered(({ body }) => {
    if (!/[\p{L}\p{N}]/u.test(body.brief)) {
      throw new Unprocessable('The brief has no letter and no digit: there is nothing to write.');
    }
    return writingTask(body);
  }),
  optimizeProfessional: answered(
    async (call, { textOf }) => changesTask(await textOf(call), OPTIMIZATION),
    async (answer, call, { textOf, threads }) => {
      const metrics = async (text: string) =>
        metricsOf(await threads.run(textJobs.analyzeStatistics, text, [text], call.signal));
      const before = await metrics(await textOf(call));
      return { ...answer, metrics: { before, after: await metrics(answer.text) } };
    },
  ),
});
