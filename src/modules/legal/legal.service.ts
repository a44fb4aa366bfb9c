import { Injectable, type OnModuleInit } from '@nestjs/common';
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
import type { CompareLegalCall } from '../../../generated/contract';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import { analysisTask, type FoundAnalysis } from './analyze-legal.task';
import { compared, comparisonTask, type ComparisonSummary } from './compare-legal.task';
import { DISCLAIMER } from './disclaimer';
import { factsTask, type FoundFacts } from './extract-legal.task';
import { summaryTask, type Summary } from './summarize-legal.task';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Answers on legal texts. All answers throw what AnsweredOperations.answer throws. */
@Injectable()
export class LegalService implements OnModuleInit {
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
