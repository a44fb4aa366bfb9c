import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  type AnalyzeScholarCall,
  type CiteScholarCall,
  type ResearchScholarCall,
  scholarApi,
  type ScholarApi,
  type SummarizeScholarCall,
} from '../../../generated/contract';
import type {
  AnalyzeScholarRequest,
  CiteScholarRequest,
  ResearchScholarRequest,
  ScholarAnalysis,
  ScholarCitations,
  ScholarResearch,
  ScholarSummary,
  SummarizeScholarRequest,
} from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import type { AnswerTask } from '../../models/generation/model-task';
import { type AnswerTerms, TypedAnswers } from '../../models/generation/typed-answers';
import { ANY_MODEL, Models } from '../../models/models';
import { limitMetadata } from '../../retrieval/limit-metadata';
import { SOURCE_TOKENS_MAX, sourcesTokensMax } from '../../retrieval/rag-prompt';
import { ChunkRetrieval, type FoundChunk, type RetrieveOrder } from '../../retrieval/rag-retrieval';
import { SourceTexts } from '../../retrieval/source-texts';
import { fitToTokens } from '../../text/fit-to-tokens';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { readSources } from './read-sources';
import {
  type AnalysisAnswer,
  analysisTask,
  type Findings,
  researchTask,
  type SummaryAnswer,
  summaryTask,
  toAnalysis,
  toSummary,
} from './scholar.tasks';
import { scholarJobs } from './scholar.jobs';

type Citations = Omit<ScholarCitations, 'model' | 'usage'>;

/**
 * Citations follow rules to the character, so no model is asked.
 * @throws Unprocessable for sources that readSources refuses
 */
function citationsTask(
  { sources: given, style }: CiteScholarRequest,
  threads: TextThreads,
): AnswerTask<Citations> {
  const sources = readSources(given);
  const reads = [JSON.stringify(given)];
  return {
    question: null,
    embedded: {
      method: 'citation-styles',
      answer: async (signal) => {
        const { citations, bibliography } = await threads.run(
          scholarJobs.writeCitations,
          { sources, style },
          reads,
          signal,
        );
        return {
          style,
          citations: citations.map(({ inText, ...citation }) => ({ ...citation, in_text: inText })),
          bibliography,
        };
      },
    },
    reads,
  };
}

type ResearchCall = Pick<CallContext, 'signal' | 'setHeader' | 'setEngine' | 'plan'> & {
  readonly account: { readonly id: string };
  readonly meter: Meter;
};

/** The question that a call was priced by, which its handler then answers. */
class PlannedResearch {
  constructor(
    readonly retrieve: RetrieveOrder,
    readonly findingsMax: number,
    readonly terms: AnswerTerms,
  ) {}
}

/** A question that is asked again reads its sources again. */
const ATTEMPTS_MAX = 2;

/** Answers questions from an account's own documents, with findings that cite them. */
@Injectable()
class ResearchService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly answers: TypedAnswers,
    private readonly retrieval: ChunkRetrieval,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('researchScholar', (call) => this.estimate(call));
  }

  /** Throws what RagRetrieval.retrieve, TokenCounter.count and TypedAnswers.answer throw. */
  async research(call: ResearchCall): Promise<ScholarResearch> {
    const { retrieve, findingsMax, terms } = planOf(call, PlannedResearch);
    const { signal } = call;
    const { chunks, engine } = await this.retrieval.retrieve(call.account.id, retrieve, signal);
    if (chunks.length === 0) {
      call.setEngine(engine);
      call.meter.report({ inputTokens: 0, outputTokens: 0 });
      return { ...NOTHING, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    }
    const sources = await this.sources(chunks, signal);
    const task = researchTask({ question: retrieve.query, findingsMax, chunks, sources }, this.threads);
    const { value, model, inputTokens, outputTokens } = await this.answers.answer<Findings>(
      task,
      terms,
      call,
    );
    return {
      found: value.findings.length > 0,
      findings: value.findings,
      bibliography: value.cited.map(toEntry),
      retrieved: chunks.length,
      model,
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    };
  }

  /**
   * The most that an answer may use, whatever is retrieved. Nothing is retrieved to know it more exactly: callers without
   * credit could have their documents searched free of charge.
   */
  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as ResearchScholarRequest;
    limitMetadata(asked.filter ?? {}, 'filter');
    const allowDegraded = asked.allow_degraded ?? false;
    const terms = {
      route: await this.models.route('chat', asked.model ?? ANY_MODEL, allowDegraded),
      outputTokensMax: asked.max_tokens ?? this.configuration.defaultOutputTokensMax,
    };
    const order = { question: asked.question, findingsMax: asked.findings, chunks: [], sources: [] };
    const bound = await this.answers.bound(researchTask(order, this.threads), terms, signal);
    const retrieve: RetrieveOrder = {
      query: asked.question,
      topK: asked.top_k,
      collection: asked.collection ?? null,
      filter: asked.filter ?? null,
      minScore: asked.min_score ?? null,
      allowDegraded,
    };
    return {
      ...bound,
      inputTokens: bound.inputTokens + ATTEMPTS_MAX * sourcesTokensMax(asked.top_k),
      choices: 1,
      plan: new PlannedResearch(retrieve, asked.findings, terms),
    };
  }

  /** What a model reads of the chunks, none of it longer than was reserved. */
  private async sources(chunks: readonly FoundChunk[], signal: AbortSignal): Promise<string[]> {
    const sources: string[] = [];
    for (const { text } of chunks) {
      sources.push(await fitToTokens(text, SOURCE_TOKENS_MAX, this.counter, signal));
    }
    return sources;
  }
}

const NOTHING = { found: false, findings: [], bibliography: [], retrieved: 0, model: null };

function toEntry(
  { documentId, collection, metadata }: FoundChunk,
  index: number,
): ScholarResearch['bibliography'][number] {
  const { title } = metadata;
  return {
    index: index + 1,
    document_id: documentId,
    collection,
    title: typeof title === 'string' ? title : null,
    metadata,
  };
}

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Answers on scholarly texts and sources. */
@Injectable()
class ScholarService implements OnModuleInit {
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
    const placed = await this.threads.run(
      scholarJobs.summarizePaperAsTold,
      { text, ...told },
      [text],
      call.signal,
    );
    return { ...toSummary(placed), model, usage };
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async analyze(call: AnsweredCall): Promise<ScholarAnalysis> {
    const { answer, model, usage } = await this.answered.answer<AnalysisAnswer>(call);
    if (!('told' in answer)) {
      return { ...answer, model, usage };
    }
    const { text } = answer;
    const placed = await this.threads.run(scholarJobs.analyzePaperAsTold, answer, [text], call.signal);
    return { ...toAnalysis(placed), model, usage };
  }
}

@Serves(scholarApi)
class ScholarController implements ScholarApi {
  constructor(
    private readonly scholar: ScholarService,
    private readonly research: ResearchService,
  ) {}

  researchScholar(call: ResearchScholarCall): Promise<ScholarResearch> {
    return this.research.research(call);
  }

  citeScholar(call: CiteScholarCall): Promise<ScholarCitations> {
    return this.scholar.cite(call);
  }

  summarizeScholar(call: SummarizeScholarCall): Promise<ScholarSummary> {
    return this.scholar.summarize(call);
  }

  analyzeScholar(call: AnalyzeScholarCall): Promise<ScholarAnalysis> {
    return this.scholar.analyze(call);
  }
}

@Module({
  controllers: [ScholarController],
  providers: [ScholarService, ResearchService],
})
export class ScholarModule {}
