import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AnalyzeAdvancedCall, OptimizeAdvancedCall } from '../../../generated/contract';
import type {
  AnalyzeAdvancedRequest,
  ContentAnalysis,
  GenerateAdvancedRequest,
  GeneratedContent,
  OptimizeAdvancedRequest,
  OptimizedContent,
  ProcessAdvancedRequest,
  ProcessedContent,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/answered-operations';
import type { CallContext, Meter } from '../../contract/call';
import { SourceTexts } from '../../core/knowledge/documents/source-texts';
import { detectLanguage } from '../../core/text/language/detect-language';
import { TextThreads } from '../../core/text/threads/text-threads';
import { analysisTask, type ToldAnalysis } from './analysis.task';
import { generationTask, type Generation } from './generation.task';
import { optimizationTask, type Optimization } from './optimization.task';
import { checkParameters } from './processing/processing-parameters';
import { processingTask, type Processed } from './processing/processing.task';
import { textCounts, textReadability } from './text-measures';

type AnsweredCall = CallContext & { readonly meter: Meter };

/** So many findings stand in an analysis; `process` returns all of them. */
const SHOWN_MAX = 1_000;

/** Processes, analyzes, writes and improves texts. */
@Injectable()
export class AdvancedService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    const { answered, sources, threads } = this;
    answered.register<ProcessAdvancedRequest>('processAdvanced', async ({ account, body }) => {
      const { processing_type: type, parameters = {} } = body;
      checkParameters(type, parameters);
      const { text } = await sources.of(account.id, body);
      return processingTask(text, type, parameters, threads);
    });
    answered.register<AnalyzeAdvancedRequest>('analyzeAdvanced', async ({ account, body }) =>
      analysisTask((await sources.of(account.id, body)).text, body, threads),
    );
    answered.register<GenerateAdvancedRequest>('generateAdvanced', ({ body }) => generationTask(body));
    answered.register<OptimizeAdvancedRequest>('optimizeAdvanced', async ({ account, body }) =>
      optimizationTask((await sources.of(account.id, body)).text, body.goals, threads),
    );
  }

  /** Throws what AnsweredOperations.answer throws. */
  process(call: AnsweredCall): Promise<ProcessedContent> {
    return this.answered.answer<Processed>(call);
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async analyze(call: AnalyzeAdvancedCall): Promise<ContentAnalysis> {
    const { account, body, signal } = call;
    const told = await this.answered.answer<ToldAnalysis>(call);
    const { text } = await this.sources.of(account.id, body);
    const [statistics, entities, headings] = await Promise.all([
      this.threads.run('analyzeStatistics', text, [text], signal),
      this.threads.run('findEntities', text, [text], signal),
      this.threads.run('outlineText', text, [text], signal),
    ]);
    return {
      ...told,
      language: detectLanguage(text),
      statistics: textCounts(statistics),
      readability: textReadability(statistics),
      entities: entities.slice(0, SHOWN_MAX),
      entities_total: entities.length,
      headings: headings.slice(0, SHOWN_MAX),
    };
  }

  /** Throws what AnsweredOperations.answer throws. */
  generate(call: AnsweredCall): Promise<GeneratedContent> {
    return this.answered.answer<Generation>(call);
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async optimize(call: OptimizeAdvancedCall): Promise<OptimizedContent> {
    const { account, body, signal } = call;
    const optimized = await this.answered.answer<Optimization>(call);
    const { text } = await this.sources.of(account.id, body);
    const [before, after] = await Promise.all(
      [text, optimized.text].map(async (each) => {
        const statistics = await this.threads.run('analyzeStatistics', each, [each], signal);
        return { statistics: textCounts(statistics), readability: textReadability(statistics) };
      }),
    );
    if (!before || !after) {
      throw new Error('two texts have two measures');
    }
    return { ...optimized, metrics: { before, after } };
  }
}
