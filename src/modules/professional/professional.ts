import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  type AnalyzeProfessionalCall,
  type GenerateProfessionalCall,
  type OptimizeProfessionalCall,
  professionalApi,
  type ProfessionalApi,
} from '../../../generated/contract';
import type {
  AnalyzeProfessionalRequest,
  GenerateProfessionalRequest,
  OptimizedText,
  OptimizeProfessionalRequest,
  ProfessionalAnalysis,
  ProfessionalDocument,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { SourceTexts } from '../../retrieval/source-texts';
import { ENGLISH_ALONE, mayBeEnglish } from '../../text/detect-language';
import { withoutOverlaps } from '../../text/places';
import { quoteFaults, quotePlaces } from '../../text/quotes';
import type { StyleIssueType } from '../../text/style-issues';
import { TextThreads } from '../../text/text-threads';
import { changedText } from '../../text/tightened-text';
import { type ProfessionalDocument as Document, documentText } from './document-skeleton';
import { metricsOf, type WritingAnalysis } from './writing-analysis';
import { professionalJobs } from './professional.jobs';
import { textJobs } from '../../text/text.jobs';

type Measures = Pick<ProfessionalAnalysis, 'readability' | 'structure'>;

/** A model tells tone and issues only: it can't count, and so measures are always taken by rule. */
type Judgement = Pick<ProfessionalAnalysis, 'tone' | 'issues'> & { measures?: Measures };

type Issue = ProfessionalAnalysis['issues'][number];

interface ToldJudgement {
  readonly tone: NonNullable<ProfessionalAnalysis['tone']>;
  readonly issues: readonly Omit<Issue, 'start' | 'end'>[];
}

const ANALYSIS_TEMPLATE = new PromptTemplate(
  'Judge how this professional text is written:\n{{text}}\nGive its tone, with the words or habits that you read it from as signals, ' +
    'and its issues. For each issue give its type, as before the words that it is about, word for word and as few as possible, as ' +
    'after what should stand there, null if the writer has to decide, and the reason in the language of the text. An issue that ' +
    'is not there is worse than one that you miss.',
);

const ISSUE_TYPES = [
  ...['long_sentence', 'passive_voice', 'wordy_phrase', 'repeated_word', 'weasel_word', 'adverb', 'cliche'],
  ...['duplicate_sentence', 'spacing', 'unclear', 'grammar', 'other'],
];
const ANALYSIS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['tone', 'issues'],
  properties: {
    tone: {
      type: 'object',
      additionalProperties: false,
      required: ['formality', 'sentiment', 'signals'],
      properties: {
        formality: { type: 'string', enum: ['informal', 'neutral', 'formal'] },
        sentiment: { type: 'string', enum: ['negative', 'neutral', 'positive'] },
        signals: { type: 'array', items: { type: 'string', minLength: 1 } },
      },
    },
    issues: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'before', 'after', 'reason'],
        properties: {
          type: { type: 'string', enum: ISSUE_TYPES },
          before: { type: 'string', minLength: 1 },
          after: { type: ['string', 'null'] },
          reason: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};

function analysisTask(text: string, threads: TextThreads): AnswerTask<Judgement> {
  return {
    question: {
      template: ANALYSIS_TEMPLATE,
      variables: { text },
      name: 'writing_analysis',
      schema: ANALYSIS_SCHEMA,
      check: ({ issues }: ToldJudgement) =>
        quoteFaults(
          issues.map(({ before }) => before),
          text,
        ),
      read: (told: ToldJudgement) => ({ tone: told.tone, issues: placedIssues(told, text) }),
    },
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

/** Throws what TextThreads.run throws. */
async function measured(text: string, threads: TextThreads, signal: AbortSignal): Promise<Measures> {
  return measuresOf(await threads.run(professionalJobs.analyzeWriting, text, [text], signal));
}

function measuresOf({ statistics, headings }: WritingAnalysis): Measures {
  const structure = headings.map(({ title, level, start, end }) => ({ title, level, start, end }));
  return { readability: metricsOf(statistics), structure };
}

function placedIssues({ issues }: ToldJudgement, text: string): Issue[] {
  const places = quotePlaces(
    issues.map(({ before }) => before),
    text,
  );
  return issues
    .flatMap(({ type, after, reason }, index) => {
      const place = places[index];
      return place ? [{ type, start: place.start, end: place.end, before: place.text, after, reason }] : [];
    })
    .sort((one, other) => one.start - other.start);
}

type Written = Omit<ProfessionalDocument, 'model' | 'usage'>;

const DOCUMENT_TEMPLATE = new PromptTemplate(
  'Write a document of the kind {{kind}} for the audience {{audience}} in the tone {{tone}} and in the language of this brief:\n{{brief}}\n' +
    'Give a title and the sections in order. State no fact, name, number or date that the brief does not give: where one is ' +
    'needed, put in square brackets what has to be filled in.',
);

const DOCUMENT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'sections'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 300 },
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['heading', 'text'],
        properties: {
          heading: { type: 'string', minLength: 1, maxLength: 300 },
          text: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};

/** A place to fill in; what is followed by a bracket is a link. */
const TO_FILL_IN = /\[[^[\]\n]{1,200}\](?!\()/g;

function writingTask(order: GenerateProfessionalRequest, threads: TextThreads): AnswerTask<Written> {
  const { kind, brief, audience = null, tone } = order;
  return {
    question: {
      template: DOCUMENT_TEMPLATE,
      variables: { kind: kind.replace('_', ' '), brief, audience: audience ?? 'not named', tone },
      name: 'document',
      schema: DOCUMENT_SCHEMA,
      read: (told: Document) => writtenOf(told),
    },
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

/** The measures of both texts are taken afterwards, whoever proposed the changes. */
type Optimized = Pick<OptimizedText, 'text' | 'changes'>;

interface ToldChanges {
  readonly changes: readonly { readonly before: string; readonly after: string; readonly reason: string }[];
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

const OPTIMIZATION_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['before', 'after', 'reason'],
        properties: {
          before: { type: 'string', minLength: 1 },
          after: { type: 'string' },
          reason: { type: 'string', minLength: 1 },
        },
      },
    },
  },
};

/**
 * A model proposes changes and never the text: so all that the answer has beside them stood in the text that was given. The
 * embedded rules are for English; a text in another language has no answer without a model.
 */
function optimizationTask(text: string, threads: TextThreads): AnswerTask<Optimized> {
  return {
    question: {
      template: OPTIMIZATION_TEMPLATE,
      variables: { text },
      name: 'changes',
      schema: OPTIMIZATION_SCHEMA,
      check: (told: ToldChanges) => faultsOf(told, text),
      read: (told: ToldChanges) => editedBy(told, text),
    },
    embedded: mayBeEnglish(text)
      ? { method: 'style-rules', answer: (signal) => tightened(text, threads, signal) }
      : null,
    without: ENGLISH_ALONE,
    reads: [text],
  };
}

function faultsOf(told: ToldChanges, text: string): string[] {
  const { changes } = told;
  const missing = quoteFaults(
    changes.map(({ before }) => before),
    text,
  );
  if (missing.length > 0) {
    return missing;
  }
  const idle = changes.filter(({ before, after }) => before === after).length;
  const { changes: made } = editedBy(told, text);
  return made.length < changes.length - idle ? ['Some changes overlap or replace the same words twice.'] : [];
}

function editedBy({ changes }: ToldChanges, text: string): Optimized {
  const places = quotePlaces(
    changes.map(({ before }) => before),
    text,
  );
  const edits = changes.flatMap(({ before, after, reason }, index) => {
    const place = places[index];
    return place && before !== after
      ? [{ start: place.start, end: place.end, before: place.text, after, reason }]
      : [];
  });
  const made = withoutOverlaps(edits);
  return { text: changedText(text, made), changes: made };
}

async function tightened(text: string, threads: TextThreads, signal: AbortSignal): Promise<Optimized> {
  const found = await threads.run(textJobs.tightenText, { text, types: SAFE_TYPES }, [text], signal);
  const changes = found.changes.map(({ start, end, before, after, reason }) => ({
    ...{ start, end, before, after, reason },
  }));
  return { text: found.text, changes };
}

/** Answers on professional texts. All answers throw what AnsweredOperations.answer throws. */
@Injectable()
class ProfessionalService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<AnalyzeProfessionalRequest>('analyzeProfessional', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return analysisTask(text, this.threads);
    });
    this.answered.register<GenerateProfessionalRequest>('generateProfessional', ({ body }) => {
      if (!/[\p{L}\p{N}]/u.test(body.brief)) {
        throw new Unprocessable('The brief has no letter and no digit: there is nothing to write.');
      }
      return writingTask(body, this.threads);
    });
    this.answered.register<OptimizeProfessionalRequest>('optimizeProfessional', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return optimizationTask(text, this.threads);
    });
  }

  async analyze(call: AnalyzeProfessionalCall): Promise<ProfessionalAnalysis> {
    const answer = await this.answered.answer<Judgement>(call);
    const { measures = await this.measures(call), ...judged } = answer;
    return { ...measures, ...judged };
  }

  generate(call: CallContext & { readonly meter: Meter }): Promise<ProfessionalDocument> {
    return this.answered.answer<Written>(call);
  }

  async optimize(call: OptimizeProfessionalCall): Promise<OptimizedText> {
    const answer = await this.answered.answer<Optimized>(call);
    const { text: before } = await this.sources.of(call.account.id, call.body);
    const metrics = {
      before: await this.metrics(before, call.signal),
      after: await this.metrics(answer.text, call.signal),
    };
    return { ...answer, metrics };
  }

  private async measures({ account, body, signal }: AnalyzeProfessionalCall) {
    const { text } = await this.sources.of(account.id, body);
    return measured(text, this.threads, signal);
  }

  private async metrics(text: string, signal: AbortSignal) {
    return metricsOf(await this.threads.run(textJobs.analyzeStatistics, text, [text], signal));
  }
}

@Serves(professionalApi)
class ProfessionalController implements ProfessionalApi {
  constructor(private readonly professional: ProfessionalService) {}

  analyzeProfessional(call: AnalyzeProfessionalCall): Promise<ProfessionalAnalysis> {
    return this.professional.analyze(call);
  }

  generateProfessional(call: GenerateProfessionalCall): Promise<ProfessionalDocument> {
    return this.professional.generate(call);
  }

  optimizeProfessional(call: OptimizeProfessionalCall): Promise<OptimizedText> {
    return this.professional.optimize(call);
  }
}

@Module({
  controllers: [ProfessionalController],
  providers: [ProfessionalService],
})
export class ProfessionalModule {}
