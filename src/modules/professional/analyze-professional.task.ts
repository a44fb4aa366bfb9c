import type { ProfessionalAnalysis } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type { WritingAnalysis } from '../../core/text/professional/writing-analysis';
import { quoteFaults, quotePlaces } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { metricsOf } from './metrics';

type Measures = Pick<ProfessionalAnalysis, 'readability' | 'structure'>;

/** A model tells tone and issues only: it can't count, and so measures are always taken by rule. */
export type Judgement = Pick<ProfessionalAnalysis, 'tone' | 'issues'> & { measures?: Measures };

type Issue = ProfessionalAnalysis['issues'][number];

interface ToldJudgement {
  readonly tone: NonNullable<ProfessionalAnalysis['tone']>;
  readonly issues: readonly Omit<Issue, 'start' | 'end'>[];
}

const TEMPLATE = new PromptTemplate(
  'Judge how this professional text is written:\n{{text}}\nGive its tone, with the words or habits that you read it from as signals, ' +
    'and its issues. For each issue give its type, as before the words that it is about, word for word and as few as possible, as ' +
    'after what should stand there, null if the writer has to decide, and the reason in the language of the text. An issue that ' +
    'is not there is worse than one that you miss.',
);

const ISSUE_TYPES = [
  ...['long_sentence', 'passive_voice', 'wordy_phrase', 'repeated_word', 'weasel_word', 'adverb', 'cliche'],
  ...['duplicate_sentence', 'spacing', 'unclear', 'grammar', 'other'],
];
const SCHEMA = {
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

export function analysisTask(text: string, threads: TextThreads): AnswerTask<Judgement> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text },
      name: 'writing_analysis',
      schema: SCHEMA,
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
        const found = await threads.run('analyzeWriting', text, [text], signal);
        const { formality, sentiment, signals } = found.tone ?? {};
        const tone = formality && sentiment && signals ? { formality, sentiment, signals } : null;
        return { tone, issues: found.issues, measures: measuresOf(found) };
      },
    },
    reads: [text],
  };
}

/** Throws what TextThreads.run throws. */
export async function measured(text: string, threads: TextThreads, signal: AbortSignal): Promise<Measures> {
  return measuresOf(await threads.run('analyzeWriting', text, [text], signal));
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
