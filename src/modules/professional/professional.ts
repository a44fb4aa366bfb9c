import { professionalApi } from '../../../generated/contract';
import type {
  GenerateProfessionalRequest,
  ProfessionalAnalysis,
  ProfessionalDocument,
} from '../../../generated/types';
import { answered, answeredModule } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import {
  listOf,
  modelQuestion,
  objectOf,
  oneOf,
  orNull,
  stringOf,
  TEXT,
} from '../../models/generation/output-schema';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { changedBy, type ChangedText, changeFaults, placed } from '../../models/generation/quoted-output';
import { quoteFaults } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { wordList } from '../../text/word-list';
import { metricsOf, professionalJobs, type WritingMeasures } from './professional.jobs';

type Measures = Pick<ProfessionalAnalysis, 'readability' | 'structure'>;

/** A model tells tone and issues only: it can't count, and so measures are always taken by rule. */
type Judgement = Pick<ProfessionalAnalysis, 'tone' | 'issues'> & { measures?: Measures };

const ANALYSIS_TEMPLATE = new PromptTemplate(
  'Judge how this professional text is written:\n{{text}}\nGive its tone, with the words or habits that you read it from as signals, ' +
    'and its issues. For each issue give its type, as before the words that it is about, word for word and as few as possible, as ' +
    'after what should stand there, null if the writer has to decide, and the reason in the language of the text. An issue that ' +
    'is not there is worse than one that you miss.',
);

const ISSUE_TYPES = [
  ...wordList('long_sentence passive_voice wordy_phrase repeated_word weasel_word adverb cliche'),
  ...wordList('duplicate_sentence spacing unclear grammar other'),
];
const ANALYSIS_SCHEMA = objectOf({
  tone: objectOf({
    formality: oneOf(['informal', 'neutral', 'formal']),
    sentiment: oneOf(['negative', 'neutral', 'positive']),
    signals: listOf(TEXT),
  }),
  issues: listOf(
    objectOf({
      type: oneOf(ISSUE_TYPES),
      before: TEXT,
      after: orNull(stringOf()),
      reason: TEXT,
    }),
    { maxItems: 1_000 },
  ),
});

function analysisTask(text: string, threads: TextThreads): AnswerTask<Judgement> {
  return {
    question: modelQuestion({
      template: ANALYSIS_TEMPLATE,
      variables: { text },
      name: 'writing_analysis',
      schema: ANALYSIS_SCHEMA,
      check: ({ issues }) =>
        quoteFaults(
          issues.map(({ before }) => before),
          text,
        ),
      read: ({ tone, issues }) => ({
        tone,
        issues: placed(issues, ({ before }) => before, text).map(
          ({ output: { type, after, reason }, place: { text: before, start, end } }) => ({
            ...{ type, start, end, before, after, reason },
          }),
        ),
      }),
    }),
    embedded: {
      method: 'text-measures',
      answer: async (signal) => ({
        tone: null,
        issues: null,
        measures: measuresOf(await threads.run(professionalJobs.measureWriting, text, [text], signal)),
      }),
    },
    reads: [text],
  };
}

function measuresOf({ statistics, headings }: WritingMeasures): Measures {
  const structure = headings.map(({ title, level, start, end }) => ({ title, level, start, end }));
  return { readability: metricsOf(statistics), structure };
}

type Written = Omit<ProfessionalDocument, 'model' | 'usage'>;

const DOCUMENT_TEMPLATE = new PromptTemplate(
  'Write a document of the kind {{kind}} for the audience {{audience}} in the tone {{tone}} and in the language of this brief:\n{{brief}}\n' +
    'Give a title and the sections in order. State no fact, name, number or date that the brief does not give: where one is ' +
    'needed, put in square brackets what has to be filled in.',
);

const DOCUMENT_SCHEMA = objectOf({
  title: stringOf({ minLength: 1, maxLength: 300 }),
  sections: listOf(objectOf({ heading: stringOf({ minLength: 1, maxLength: 300 }), text: TEXT }), {
    minItems: 1,
    maxItems: 100,
  }),
});

/** A place to fill in; what is followed by a bracket is a link. */
const TO_FILL_IN = /\[[^[\]\n]{1,200}\](?!\()/g;

function writingTask(order: GenerateProfessionalRequest): AnswerTask<Written> {
  const { kind, brief, audience = null, tone } = order;
  return {
    question: modelQuestion({
      template: DOCUMENT_TEMPLATE,
      variables: { kind: kind.replace('_', ' '), brief, audience: audience ?? 'not named', tone },
      name: 'document',
      schema: DOCUMENT_SCHEMA,
      read: writtenOf,
    }),
    embedded: null,
    reads: [brief],
  };
}

/** As Markdown, with the title as a heading of the first level and the sections' below it. */
function documentText({ title, sections }: Pick<Written, 'title' | 'sections'>): string {
  return [`# ${title}`, ...sections.map(({ heading, text }) => `## ${heading}\n\n${text}`)].join('\n\n');
}

function writtenOf(document: Pick<Written, 'title' | 'sections'>): Written {
  const text = documentText(document);
  const places = [...text.matchAll(TO_FILL_IN)].map(({ 0: words, index }) => ({
    text: words,
    start: index,
    end: index + words.length,
  }));
  const { title, sections } = document;
  return { title, sections: sections.map((section) => ({ ...section })), text, to_fill_in: places };
}

const OPTIMIZATION_TEMPLATE = new PromptTemplate(
  'Improve the wording of this professional text, so that it is clear, correct and short, and says the same:\n{{text}}\nGive the ' +
    'changes only. Each has as before the words to replace, word for word and so many that they occur once in the text, as after ' +
    'what stands there instead, empty if they can go, and the reason in the language of the text. Changes do not overlap. Keep ' +
    'names, numbers, dates and amounts.',
);

const OPTIMIZATION_SCHEMA = objectOf({
  changes: listOf(objectOf({ before: TEXT, after: stringOf(), reason: TEXT }), { maxItems: 1_000 }),
});

function optimizationTask(text: string): AnswerTask<ChangedText> {
  return {
    question: modelQuestion({
      template: OPTIMIZATION_TEMPLATE,
      variables: { text },
      name: 'changes',
      schema: OPTIMIZATION_SCHEMA,
      check: ({ changes }) => changeFaults(changes, text),
      read: ({ changes }) => changedBy(changes, text),
    }),
    embedded: null,
    reads: [text],
  };
}

export const ProfessionalModule = answeredModule(professionalApi, {
  analyzeProfessional: answered(
    async (call, { textOf, threads }) => analysisTask(await textOf(call), threads),
    async ({ measures = null, ...judged }, call, { textOf, threads }) => {
      if (measures !== null) {
        return { ...measures, ...judged };
      }
      const text = await textOf(call);
      const found = await threads.run(professionalJobs.measureWriting, text, [text], call.signal);
      return { ...measuresOf(found), ...judged };
    },
  ),
  generateProfessional: answered(({ body }) => {
    if (!/[\p{L}\p{N}]/u.test(body.brief)) {
      throw new Unprocessable('The brief has no letter and no digit: there is nothing to write.');
    }
    return writingTask(body);
  }),
  optimizeProfessional: answered(
    async (call, { textOf }) => optimizationTask(await textOf(call)),
    async (answer, call, { textOf, threads }) => {
      const metrics = async (text: string) =>
        metricsOf(await threads.run(textJobs.analyzeStatistics, text, [text], call.signal));
      const before = await metrics(await textOf(call));
      return { ...answer, metrics: { before, after: await metrics(answer.text) } };
    },
  ),
});
