import { Injectable } from '@nestjs/common';
import type { TokenUse, WatchedWork } from '../../ledger/money';
import { TokenCounter } from '../../text/token-counter';
import { AnswerLacksForm, ModelNotConfigured, UpstreamFailure } from '../errors';
import { AnswerSoFar } from '../usage';
import { Models, type ModelRoute } from '../models';
import { estimateRequestTokens } from '../request-tokens';
import type { AnswerQuestion, AnswerTask, EmbeddedMethod, TypedAnswer } from './model-task';
import { StructuredAnswers, type StructuredQuestion } from './structured-answers';
import type { TextBound, TextCall } from './text-order';

/** How a task is answered. */
export interface AnswerTerms {
  /** The result of Models.route for `chat`; null where the task asks no model. Its stand-in says whether the embedded method may answer for a failed upstream. */
  readonly route: ModelRoute | null;
  /** The most output tokens. What a model writes is cut there, and so is what is charged for an embedded answer. */
  readonly outputTokensMax: number;
}

/**
 * Finds answers of several fields: a model of an upstream is asked for JSON where the route leads to one, otherwise the
 * task's embedded method answers. That method also answers for an upstream that failed, where the route allows the
 * stand-in.
 */
@Injectable()
export class TypedAnswers {
  constructor(
    private readonly models: Models,
    private readonly structured: StructuredAnswers,
    private readonly counter: TokenCounter,
  ) {}

  /**
   * The most that an answer may use.
   * @throws ModelNotConfigured where neither a model nor an embedded method can answer, and what TokenCounter.countAll throws
   */
  async bound(task: AnswerTask<unknown>, terms: AnswerTerms, signal: AbortSignal): Promise<TextBound> {
    const { route, outputTokensMax } = terms;
    const read = task.embedded ? await this.counter.countAll(task.reads, signal) : 0;
    const asked = this.upstreamsOf(task, terms);
    if (asked === null) {
      if (task.embedded === null) {
        throw new ModelNotConfigured(task.without);
      }
      return { inputTokens: read, outputTokensMax, model: route?.model.id ?? EMBEDDED };
    }
    const use = await this.structured.estimate({ ...asked.question, outputTokensMax, signal });
    return { inputTokens: Math.max(read, use.inputTokens), outputTokensMax, model: asked.route.model.id };
  }

  /**
   * Answers a task and reports the use to the call's meter.
   * @throws AnswerLacksForm (502) for a model's answer that stays wrong after a repair, ModelNotConfigured, and what
   *   Models.chat and the embedded method throw
   */
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

  private upstreamsOf<Value>({ question }: AnswerTask<Value>, { route }: AnswerTerms): Asked<Value> | null {
    if (question === null || route === null) {
      return null;
    }
    const { upstreams, allowsStandIn } = this.models.parted(route);
    return upstreams === null ? null : { question, route: upstreams, allowsStandIn };
  }

  private async askModel<Value>(
    question: AnswerQuestion<Value>,
    route: ModelRoute,
    { outputTokensMax }: AnswerTerms,
    call: TextCall,
  ): Promise<TypedAnswer<Value>> {
    const { read = (output: never) => output, ...asked } = question;
    const attempts = new Attempts();
    call.meter.watch(attempts);
    const answer = await this.structured.ask<never>({
      ...asked,
      route,
      outputTokensMax,
      signal: call.signal,
      follow: (request) =>
        attempts.add(
          new AnswerSoFar(this.counter, async () => ({
            inputTokens: await estimateRequestTokens(request, this.counter.patient()),
            outputTokensMax: request.max_completion_tokens ?? outputTokensMax,
          })),
        ),
    });
    const value = read(answer.value);
    const use = call.meter.report(answer.usage);
    call.setEngine(answer.engine);
    call.setHeader('X-Model-Used', answer.model);
    return { value, model: answer.model, ...use };
  }

  private async embedded<Value>(
    { embedded, reads, without }: AnswerTask<Value>,
    { route, outputTokensMax }: AnswerTerms,
    call: TextCall,
  ): Promise<TypedAnswer<Value>> {
    if (embedded === null) {
      throw new ModelNotConfigured(without);
    }
    const { signal, meter } = call;
    meter.watch({ useSoFar: () => this.inputSoFar(reads, call) });
    const value = await embedded.answer(signal);
    const read = await this.counter.countAll(reads, signal);
    const written = await this.counter.count(JSON.stringify(value), signal);
    const use = meter.report({
      inputTokens: Math.min(read, meter.inputTokens),
      outputTokens: Math.min(written, outputTokensMax),
    });
    const model = modelOf(embedded);
    call.setEngine({ provider: EMBEDDED, method: embedded.method, quality: 'basic' });
    // An operation that never asks a model does not declare the header.
    if (route !== null) {
      call.setHeader('X-Model-Used', model);
    }
    return { value, model, ...use };
  }

  /** What is paid for an answer that an embedded method has begun: what it reads. */
  private async inputSoFar(reads: readonly string[], { meter }: TextCall): Promise<TokenUse> {
    const read = await this.counter.patient().countAll(reads);
    return { inputTokens: Math.min(read, meter.inputTokens), outputTokens: 0 };
  }
}

const EMBEDDED = 'embedded';

interface Asked<Value> {
  readonly question: AnswerQuestion<Value> & Pick<StructuredQuestion, 'template'>;
  readonly route: ModelRoute;
  readonly allowsStandIn: boolean;
}

/** The requests of one answer: the question and, where it was needed, its repair. */
class Attempts implements WatchedWork {
  private readonly made: AnswerSoFar[] = [];

  add(attempt: AnswerSoFar): AnswerSoFar {
    this.made.push(attempt);
    return attempt;
  }

  useSoFar(): Promise<TokenUse> | null {
    const uses = this.made.map((attempt) => attempt.useSoFar()).filter((use) => use !== null);
    return uses.length === 0 ? null : Promise.all(uses).then(together);
  }
}

function together(uses: readonly TokenUse[]): TokenUse {
  return {
    inputTokens: uses.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: uses.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

function modelOf({ method }: EmbeddedMethod<unknown>): string {
  return `${EMBEDDED}-${method}-1`;
}
