import { Injectable, type OnModuleInit } from '@nestjs/common';
import type {
  AnalyzeScholarRequest,
  CiteScholarRequest,
  ScholarAnalysis,
  ScholarCitations,
  ScholarSummary,
  SummarizeScholarRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import { analysisTask, type AnalysisAnswer } from './analyze-scholar.task';
import { citationsTask, type Citations } from './cite-scholar.task';
import { toAnalysis, toSummary } from './scholar.mapper';
import { summaryTask, type SummaryAnswer } from './summarize-scholar.task';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Answers on scholarly texts and sources. */
@Injectable()
export class ScholarService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<CiteScholarRequest>('citeScholar', ({ body }) =>
      citationsTask(body, this.threads),
    );
    this.answered.register<SummarizeScholarRequest>('summarizeScholar', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      const limits = { sentencesMax: body.sentences, pointsMax: body.points_per_section };
      return summaryTask(text, limits, this.threads);
    });
    this.answered.register<AnalyzeScholarRequest>('analyzeScholar', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return analysisTask(text, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws. */
  cite(call: AnsweredCall): Promise<ScholarCitations> {
    return this.answered.answer<Citations>(call);
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async summarize(call: AnsweredCall): Promise<ScholarSummary> {
    const { answer, model, usage } = await this.answered.answer<SummaryAnswer>(call);
    if (!('told' in answer)) {
      return { ...answer, model, usage };
    }
    const { text, told } = answer;
    const placed = await this.threads.run('summarizePaperAsTold', { text, ...told }, [text], call.signal);
    return { ...toSummary(placed), model, usage };
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async analyze(call: AnsweredCall): Promise<ScholarAnalysis> {
    const { answer, model, usage } = await this.answered.answer<AnalysisAnswer>(call);
    if (!('told' in answer)) {
      return { ...answer, model, usage };
    }
    const { text } = answer;
    const placed = await this.threads.run('analyzePaperAsTold', answer, [text], call.signal);
    return { ...toAnalysis(placed), model, usage };
  }
}
