import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  type AnalyzeLegalCall,
  type CompareLegalCall,
  type ExtractLegalCall,
  legalApi,
  type LegalApi,
  type SummarizeLegalCall,
} from '../../../generated/contract';
import type {
  AnalyzeLegalRequest,
  CompareLegalRequest,
  ExtractLegalRequest,
  LegalAnalysis,
  LegalComparison,
  LegalFacts,
  LegalSummary,
  SummarizeLegalRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { SourceTexts } from '../../retrieval/source-texts';
import { type Quote, quoteFaults, quotesIn } from '../../text/quotes';
import { TextThreads } from '../../text/text-threads';
import { analysisTask, factsTask, type FoundAnalysis, type FoundFacts } from './analyze-legal.task';
import type { TextChanges } from './text-changes';
import { legalJobs } from './legal.jobs';
import { textJobs } from '../../text/text.jobs';

/** Stands in every answer on a legal text. */
const DISCLAIMER = 'This answer was found automatically and is not legal advice.';

type Comparison = Pick<LegalComparison, 'similarity' | 'changes'>;

/** A model writes the summary only: what differs is found by rule, exactly, whoever writes it. */
interface ComparisonSummary {
  summary: string;
  comparison?: Comparison;
}

interface ToldComparison {
  readonly summary: string;
  readonly quotes: readonly string[];
}

/** The most changes that are listed. */
const CHANGES_MAX = 5_000;

const COMPARISON_TEMPLATE = new PromptTemplate(
  'Two versions of a legal text follow. The one before:\n{{before}}\nThe one after:\n{{after}}\nSummarize in plain words, in the ' +
    'language of the texts, what changed and what that means for each party. Add nothing that does not stand there. As quotes ' +
    'give the sentences of either text that your summary rests on, word for word; none if the texts are the same.',
);

const COMPARISON_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'quotes'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    quotes: { type: 'array', items: { type: 'string', minLength: 1 } },
  },
};

function comparisonTask(before: string, after: string, threads: TextThreads): AnswerTask<ComparisonSummary> {
  return {
    question: {
      template: COMPARISON_TEMPLATE,
      variables: { before, after },
      name: 'legal_comparison',
      schema: COMPARISON_SCHEMA,
      check: (told: ToldComparison) => faultsOf(told, before, after),
      read: ({ summary }: ToldComparison) => ({ summary }),
    },
    embedded: {
      method: 'sentence-diff',
      answer: async (signal) => {
        const found = await compareTexts(before, after, threads, signal);
        return { summary: summaryOf(found), comparison: comparisonOf(found) };
      },
    },
    reads: [before, after],
  };
}

/** Throws what TextThreads.run throws. */
async function compared(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Comparison> {
  return comparisonOf(await compareTexts(before, after, threads, signal));
}

function compareTexts(
  before: string,
  after: string,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<TextChanges> {
  return threads.run(legalJobs.compareTexts, { before, after }, [before, after], signal);
}

/** A quote is a fault where neither text has it. A summary of texts that differ rests on at least one. */
function faultsOf({ quotes }: ToldComparison, before: string, after: string): string[] {
  const missing = new Set(quoteFaults(quotes, after));
  const faults = quoteFaults(quotes, before).filter((fault) => missing.has(fault));
  return quotes.length === 0 && before !== after
    ? ['The texts differ; quote the sentences that do.']
    : faults;
}

function comparisonOf({ similarity, changes }: TextChanges): Comparison {
  return {
    similarity,
    changes: changes.slice(0, CHANGES_MAX).map(({ kind, before, after, ...places }) => ({
      ...{ kind, before, after },
      before_start: places.beforeStart,
      before_end: places.beforeEnd,
      after_start: places.afterStart,
      after_end: places.afterEnd,
    })),
  };
}

function summaryOf({ changes }: TextChanges): string {
  if (changes.length === 0) {
    return 'The texts do not differ, but perhaps in white space.';
  }
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  const [changed, added, removed] = [count('changed'), count('added'), count('removed')];
  const verb = changed === 1 ? 'sentence was' : 'sentences were';
  const listed = changes.length > CHANGES_MAX ? ` The first ${CHANGES_MAX} changes are listed.` : '';
  return `${changed} ${verb} changed, ${added} added and ${removed} removed.${listed}`;
}

interface Summary {
  summary: string;
  key_points: Quote[];
}

interface ToldSummary {
  readonly summary: string;
  readonly key_points: readonly string[];
}

const SUMMARY_TEMPLATE = new PromptTemplate(
  'Summarize this legal text in plain words, in at most {{sentences}} sentences and in the language of the text:\n{{text}}\n' +
    'Add nothing that does not stand in it. As key_points give the sentences of the text that your summary rests on, word for ' +
    'word.',
);

const SUMMARY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  },
};

/** @param sentencesMax of the summary */
function summaryTask(text: string, sentencesMax: number, threads: TextThreads): AnswerTask<Summary> {
  return {
    question: {
      template: SUMMARY_TEMPLATE,
      variables: { text, sentences: String(sentencesMax) },
      name: 'legal_summary',
      schema: SUMMARY_SCHEMA,
      check: (told: ToldSummary) => quoteFaults(told.key_points, text),
      read: ({ summary, key_points: points }: ToldSummary) => ({
        summary,
        key_points: quotesIn(points, text),
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const found = await threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal);
        return { summary: found.text, key_points: found.sentences };
      },
    },
    reads: [text],
  };
}

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Answers on legal texts. All answers throw what AnsweredOperations.answer throws. */
@Injectable()
class LegalService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<SummarizeLegalRequest>('summarizeLegal', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return summaryTask(text, body.sentences, this.threads);
    });
    this.answered.register<AnalyzeLegalRequest>('analyzeLegal', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return analysisTask(text, this.threads);
    });
    this.answered.register<ExtractLegalRequest>('extractLegal', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return factsTask(text, this.threads);
    });
    this.answered.register<CompareLegalRequest>('compareLegal', async ({ account, body }) => {
      const [before, after] = await this.texts(account.id, body);
      return comparisonTask(before, after, this.threads);
    });
  }

  async summarize(call: AnsweredCall): Promise<LegalSummary> {
    return { ...(await this.answered.answer<Summary>(call)), disclaimer: DISCLAIMER };
  }

  async analyze(call: AnsweredCall): Promise<LegalAnalysis> {
    return { ...(await this.answered.answer<FoundAnalysis>(call)), disclaimer: DISCLAIMER };
  }

  async extract(call: AnsweredCall): Promise<LegalFacts> {
    return { ...(await this.answered.answer<FoundFacts>(call)), disclaimer: DISCLAIMER };
  }

  async compare(call: CompareLegalCall): Promise<LegalComparison> {
    const answer = await this.answered.answer<ComparisonSummary>(call);
    const { summary, model, usage, comparison = await this.comparison(call) } = answer;
    return { ...comparison, summary, disclaimer: DISCLAIMER, model, usage };
  }

  /** What differs, where a model has written the summary. */
  private async comparison({ account, body, signal }: CompareLegalCall) {
    const [before, after] = await this.texts(account.id, body);
    return compared(before, after, this.threads, signal);
  }

  private async texts(accountId: string, { before, after }: CompareLegalRequest): Promise<[string, string]> {
    const sources = [
      await this.sources.of(accountId, before),
      await this.sources.of(accountId, after),
    ] as const;
    return [sources[0].text, sources[1].text];
  }
}

@Serves(legalApi)
class LegalController implements LegalApi {
  constructor(private readonly legal: LegalService) {}

  summarizeLegal(call: SummarizeLegalCall): Promise<LegalSummary> {
    return this.legal.summarize(call);
  }

  analyzeLegal(call: AnalyzeLegalCall): Promise<LegalAnalysis> {
    return this.legal.analyze(call);
  }

  extractLegal(call: ExtractLegalCall): Promise<LegalFacts> {
    return this.legal.extract(call);
  }

  compareLegal(call: CompareLegalCall): Promise<LegalComparison> {
    return this.legal.compare(call);
  }
}

@Module({
  controllers: [LegalController],
  providers: [LegalService],
})
export class LegalModule {}
