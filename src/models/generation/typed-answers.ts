import { Injectable } from '@nestjs/common';
import { ApiError } from '../../errors/api-errors';
import type { TokenUse } from '../../ledger/money';
import { TokenCounter } from '../../text/token-counter';
import { EMBEDDED_OUTPUT_TOKENS_MAX } from '../embedded-provider';
import { AnswerLacksForm, ModelNotConfigured, UpstreamFailure } from '../errors';
import { AnswerSoFar } from '../usage';
import { Models, type ModelRoute } from '../models';
import { estimateRequestTokens } from '../request-tokens';
import {
  type OutputRoom,
  outputRoom,
  StructuredAnswers,
  usesTogether,
  type StructuredQuestion,
} from './structured-answers';
import type { TextBound, TextCall } from './text-order';
import { ENGLISH_ALONE, mayBeEnglish } from '../../text/detect-language';
import type { SchemaQuestion, FaultTally } from './output-schema';

export interface AnswerTask<Value> {
  readonly question: StructuredQuestion<Value> | null;
  /** Null where there is no honest answer without a model. */
  readonly embedded: EmbeddedMethod<Value> | null;
  /** For a caller without a model: a sentence, or the error where the caller can mend it. */
  readonly without?: string | ApiError;
  readonly reads: readonly string[];
  /** The most tokens of what is read only after payment; absent for none. */
  readonly furtherInputTokens?: number;
}

export interface EmbeddedMethod<Value> {
  /** A name such as `text-rank`, which makes the model's name `embedded-text-rank-1`. */
  readonly method: string;
  readonly repeats?: readonly string[];
  answer(signal: AbortSignal): Promise<Value>;
}

/** Without `embedded` only a model can answer. @param reads the texts that the prompt shows */
export function modelTask<Output, Value>(
  reads: readonly string[],
  {
    embedded = null,
    without,
    ...question
  }: SchemaQuestion<Output, Value> & Partial<Pick<AnswerTask<Value>, 'embedded' | 'without'>>,
): AnswerTask<Value> {
  return { question, embedded, without, reads };
}

/** Where a rule answers better than any model would. */
export function ruleTask<Value>(
  method: string,
  reads: readonly string[],
  answer: EmbeddedMethod<Value>['answer'],
  repeats: EmbeddedMethod<Value>['repeats'] = [],
): AnswerTask<Value> {
  return { question: null, embedded: { method, answer, repeats }, reads };
}

export function inEnglishAlone<Value>(
  text: string,
  embedded: EmbeddedMethod<Value>,
): Pick<AnswerTask<Value>, 'embedded' | 'without'> {
  return { embedded: mayBeEnglish(text) ? embedded : null, without: ENGLISH_ALONE };
}

export function mapQuestion<Value, Mapped>(
  question: StructuredQuestion<Value>,
  map: (value: Value) => Mapped,
): StructuredQuestion<Mapped> {
  return { ...question, read: (output: never, tally: FaultTally) => map(question.read(output, tally)) };
}

export function mapTask<Value, Mapped>(
  { question, embedded, ...task }: AnswerTask<Value>,
  map: (value: Value) => Mapped,
): AnswerTask<Mapped> {
  return {
    ...task,
    question: question && mapQuestion(question, map),
    embedded: embedded && { ...embedded, answer: async (signal) => map(await embedded.answer(signal)) },
  };
}

export interface TypedAnswer<Value> {
  readonly value: Value;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isCut: boolean;
  readonly dropped: number;
}

export interface AnswerTerms extends OutputRoom {
  /** Null where the task asks no model. With a stand-in the embedded method may answer for a failed upstream. */
  readonly route: ModelRoute | null;
  /** Whether the operation declares X-Model-Used, which then is sent also where a rule answers. */
  readonly declaresModel: boolean;
}

@Injectable()
export class TypedAnswers {
  constructor(
    private readonly models: Models,
    private readonly structured: StructuredAnswers,
    private readonly counter: TokenCounter,
  ) {}

  terms(
    route: ModelRoute | null,
    outputTokensMax: number | null,
    answerTokensDefault: number,
    declaresModel = true,
  ): AnswerTerms {
    const upstreams = route && this.models.parted(route).upstreams;
    if (upstreams !== null) {
      return { route, declaresModel, ...outputRoom(upstreams, outputTokensMax, answerTokensDefault) };
    }
    const tokensMax = outputTokensMax ?? Math.min(answerTokensDefault, EMBEDDED_OUTPUT_TOKENS_MAX);
    const room = { answerTokensMax: tokensMax, outputTokensMax: tokensMax, isOutputOpen: false };
    return { route, declaresModel, ...room };
  }

  /** @throws ModelNotConfigured where nothing can answer, and what TokenCounter.countAll throws */
  async bound(task: AnswerTask<unknown>, terms: AnswerTerms, signal: AbortSignal): Promise<TextBound> {
    const { route, outputTokensMax } = terms;
    const read = task.embedded ? await this.counter.countAll(task.reads, signal) : 0;
    const asked = this.upstreamsOf(task, terms);
    if (asked === null) {
      if (task.embedded === null) {
        throw unanswered(task);
      }
      return { inputTokens: read, outputTokensMax, model: route?.model.id ?? EMBEDDED };
    }
    const use = await this.structured.estimate(asked.question, { ...terms, signal });
    return { inputTokens: Math.max(read, use.inputTokens), outputTokensMax, model: asked.route.model.id };
  }

  /** @throws ModelNotConfigured, and what StructuredAnswers.ask and the embedded method throw */
  async answer<Value>(
    task: AnswerTask<Value>,
    terms: AnswerTerms,
    call: TextCall,
  ): Promise<TypedAnswer<Value>> {
    const asked = this.upstreamsOf(task, terms);
    if (asked === null) {
      return this.embedded(task, terms, call);
    }
    try {
      return await this.askModel(asked.question, asked.route, terms, call);
    } catch (error) {
      const mayStandIn = error instanceof UpstreamFailure || error instanceof AnswerLacksForm;
      if (mayStandIn && asked.allowsStandIn && task.embedded !== null) {
        return this.embedded(task, terms, call);
      }
      throw error;
    }
  }

  private upstreamsOf<Value>({ question }: AnswerTask<Value>, { route }: AnswerTerms) {
    if (question === null || route === null) {
      return null;
    }
    const { upstreams, allowsStandIn } = this.models.parted(route);
    return upstreams === null ? null : { question, route: upstreams, allowsStandIn };
  }

  private async askModel<Value>(
    question: StructuredQuestion<Value>,
    route: ModelRoute,
    terms: AnswerTerms,
    call: TextCall,
  ): Promise<TypedAnswer<Value>> {
    const attempts: AnswerSoFar[] = [];
    call.meter.watch({ useSoFar: () => usedSoFar(attempts) });
    const answer = await this.structured.ask(question, {
      ...terms,
      route,
      signal: call.signal,
      follow: (request) => {
        const attempt = new AnswerSoFar(this.counter, async () => ({
          inputTokens: await estimateRequestTokens(request, this.counter.withFallback()),
          outputTokensMax: request.max_completion_tokens ?? terms.outputTokensMax,
        }));
        attempts.push(attempt);
        return attempt;
      },
      used: (use) => call.meter.report(use),
    });
    const use = call.meter.report(answer.usage);
    call.setEngine(answer.engine);
    call.setHeader('X-Model-Used', answer.model);
    const { value, isCut, dropped, model } = answer;
    return { value, isCut, dropped, model, ...use };
  }

  private async embedded<Value>(
    task: AnswerTask<Value>,
    { declaresModel, outputTokensMax, isOutputOpen }: AnswerTerms,
    call: TextCall,
  ): Promise<TypedAnswer<Value>> {
    const { embedded, reads } = task;
    if (embedded === null) {
      throw unanswered(task);
    }
    const { signal, meter } = call;
    meter.watch({ useSoFar: () => this.inputSoFar(reads, call) });
    const value = await embedded.answer(signal);
    const read = await this.counter.countAll(reads, signal);
    const written = await this.counter.count(chargedText(value, embedded.repeats), signal);
    const use = meter.report({
      inputTokens: Math.min(read, meter.inputTokens),
      outputTokens: Math.min(written, isOutputOpen ? EMBEDDED_OUTPUT_TOKENS_MAX : outputTokensMax),
    });
    const model = `${EMBEDDED}-${embedded.method}-1`;
    call.setEngine({ provider: EMBEDDED, method: embedded.method, quality: 'basic' });
    if (declaresModel) {
      call.setHeader('X-Model-Used', model);
    }
    return { value, isCut: false, dropped: 0, model, ...use };
  }

  private async inputSoFar(reads: readonly string[], { meter }: TextCall): Promise<TokenUse> {
    const read = await this.counter.withFallback().countAll(reads);
    return { inputTokens: Math.min(read, meter.inputTokens), outputTokens: 0 };
  }
}

const EMBEDDED = 'embedded';

/** The text that an answer by rules is charged for: no repeats, and no flags for what was left out. */
export function chargedText(found: unknown, repeats: readonly string[] = []): string {
  return JSON.stringify(found, (name, field: unknown) =>
    name === 'truncated' || repeats.includes(name) ? undefined : field,
  );
}

function usedSoFar(attempts: readonly AnswerSoFar[]): Promise<TokenUse> | null {
  const uses = attempts.map((attempt) => attempt.useSoFar()).filter((use) => use !== null);
  return uses.length === 0 ? null : Promise.all(uses).then(usesTogether);
}

function unanswered({ without }: AnswerTask<unknown>): ApiError {
  return without instanceof ApiError ? without : new ModelNotConfigured(without);
}
