import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ResearchScholarRequest, ScholarResearch } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import type { CallContext, Meter } from '../../contract/call';
import { Estimates, planOf, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { SOURCE_TOKENS_MAX, sourcesTokensMax } from '../../core/knowledge/rag/answers/rag-prompt';
import { RagRetrieval, type FoundChunk, type RetrieveOrder } from '../../core/knowledge/rag/rag-retrieval';
import { TypedAnswers, type AnswerTerms } from '../../core/models/generation/typed-answers';
import { ANY_MODEL, Models } from '../../core/models/models';
import { TextThreads } from '../../core/text/threads/text-threads';
import { fitToTokens } from '../../core/text/tokens/fit-to-tokens';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import type { Findings } from './numbered-findings';
import { researchTask } from './research-scholar.task';

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
export class ResearchService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly answers: TypedAnswers,
    private readonly retrieval: RagRetrieval,
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
