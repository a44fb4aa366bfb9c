import { professionalApi } from '../../../generated/contract';
import type {
  GenerateProfessionalRequest,
  ProfessionalAnalysis,
  ProfessionalDocument,
} from '../../../generated/types';
import { answered, answeredModule } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, inEnglishAlone } from '../../models/generation/model-task';
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
import type { StyleIssueType } from '../../text/style-issues';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { wordList } from '../../text/word-list';
import { type ProfessionalDocument as Document, documentText } from './document-skeleton';
import { metricsOf, professionalJobs, type WritingAnalysis } from './professional.jobs';

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
      method: 'style-rules',
      answer: async (signal) => {
        const found = await threads.run(professionalJobs.analyzeWriting, text, [text], signal);
        const { formality, sentiment, signals } = found.tone ?? {};
        const tone = formality && sentiment && signals ? { formality, sentiment, signals } : null;
        return { tone, issues: found.issues, measures: measuresOf(found) };
      },
    },
    reads: [text],
  };
}

function measuresOf({ statistics, headings }: WritingAnalysis): Measures {
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

function writingTask(order: GenerateProfessionalRequest, threads: TextThreads): AnswerTask<Written> {
  const { kind, brief, audience = null, tone } = order;
  return {
    question: modelQuestion({
      template: DOCUMENT_TEMPLATE,
      variables: { kind: kind.replace('_', ' '), brief, audience: audience ?? 'not named', tone },
      name: 'document',
      schema: DOCUMENT_SCHEMA,
      read: writtenOf,
    }),
    embedded: {
      method: 'document-skeleton',
      answer: async (signal) =>
        writtenOf(
          await threads.run(
            professionalJobs.outlineDocument,
            { kind, brief, audience, tone },
            [brief],
            signal,
          ),
        ),
    },
    reads: [brief],
  };
}

function writtenOf(document: Document): Written {
  const text = documentText(document);
  const places = [...text.matchAll(TO_FILL_IN)].map(({ 0: words, index }) => ({
    text: words,
    start: index,
    end: index + words.length,
  }));
  const { title, sections } = document;
  return { title, sections: sections.map((section) => ({ ...section })), text, to_fill_in: places };
}

/** Faults that can be mended without changing what the text says. */
const SAFE_TYPES: readonly StyleIssueType[] = [
  'wordy_phrase',
  'repeated_word',
  'duplicate_sentence',
  'spacing',
];

const OPTIMIZATION_TEMPLATE = new PromptTemplate(
  'Improve the wording of this professional text, so that it is clear, correct and short, and says the same:\n{{text}}\nGive the ' +
    'changes only. Each has as before the words to replace, word for word and so many that they occur once in the text, as after ' +
    'what stands there instead, empty if they can go, and the reason in the language of the text. Changes do not overlap. Keep ' +
    'names, numbers, dates and amounts.',
);

const OPTIMIZATION_SCHEMA = objectOf({
  changes: listOf(objectOf({ before: TEXT, after: stringOf(), reason: TEXT }), { maxItems: 1_000 }),
});

function optimizationTask(text: string, threads: TextThreads): AnswerTask<ChangedText> {
  return {
    question: modelQuestion({
      template: OPTIMIZATION_TEMPLATE,
      variables: { text },
      name: 'changes',
      schema: OPTIMIZATION_SCHEMA,
      check: ({ changes }) => changeFaults(changes, text),
      read: ({ changes }) => changedBy(changes, text),
    }),
    ...inEnglishAlone(text, {
      method: 'style-rules',
      answer: async (signal) => {
        const found = await threads.run(textJobs.tightenText, { text, types: SAFE_TYPES }, [text], signal);
        const changes = found.changes.map(({ start, end, before, after, reason }) => ({
          ...{ start, end, before, after, reason },
        }));
        return { text: found.text, changes };
      },
    }),
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
      const found = await threads.run(professionalJobs.analyzeWriting, text, [text], call.signal);
      return { ...measuresOf(found), ...judged };
    },
  ),
  generateProfessional: answered(({ body }, { threads }) => {
    if (!/[\p{L}\p{N}]/u.test(body.brief)) {
      throw new Unprocessable('The brief has no letter and no digit: there is nothing to write.');
    }
    return writingTask(body, threads);
  }),
  optimizeProfessional: answered(
    async (call, { textOf, threads }) => optimizationTask(await textOf(call), threads),
    async (answer, call, { textOf, threads }) => {
      const metrics = async (text: string) =>
        metricsOf(await threads.run(textJobs.analyzeStatistics, text, [text], call.signal));
      const before = await metrics(await textOf(call));
      return { ...answer, metrics: { before, after: await metrics(answer.text) } };
    },
  ),
});
