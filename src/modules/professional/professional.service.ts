import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AnalyzeProfessionalCall, OptimizeProfessionalCall } from '../../../generated/contract';
import type {
  AnalyzeProfessionalRequest,
  GenerateProfessionalRequest,
  OptimizedText,
  OptimizeProfessionalRequest,
  ProfessionalAnalysis,
  ProfessionalDocument,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { Unprocessable } from '../../core/errors/request-errors';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { TextThreads } from '../../core/text/threads/text-threads';
import { analysisTask, measured, type Judgement } from './analyze-professional.task';
import { writingTask, type Written } from './generate-professional.task';
import { metricsOf } from './metrics';
import { optimizationTask, type Optimized } from './optimize-professional.task';

/** Answers on professional texts. All answers throw what AnsweredOperations.answer throws. */
@Injectable()
export class ProfessionalService implements OnModuleInit {
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
    return metricsOf(await this.threads.run('analyzeStatistics', text, [text], signal));
  }
}
