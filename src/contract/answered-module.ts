import { Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { type AnswerTask, type AnswerTerms, TypedAnswers } from '../models/generation/typed-answers';
import { ChunkRetrieval } from '../retrieval/rag-retrieval';
import { SourceTexts } from '../retrieval/source-texts';
import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import {
  type ApiTable,
  type CallContext,
  type Estimate,
  type EstimatedCall,
  Estimates,
  type Meter,
  type OperationPolicy,
  planOf,
  Serves,
} from './operation';
import { Configuration } from '../config/configuration';
import { usageFields } from '../ledger/money';
import type { TextRequest } from '../models/generation/text-generation';
import { ANY_MODEL, Models } from '../models/models';

export type AnswerNotes = 'truncated' | 'dropped' | 'model' | 'usage';

export type Answered<Value> = Value & {
  truncated: boolean;
  /** Items left out because the material lacks what they quote. */
  dropped: number;
  model: string;
  usage: ReturnType<typeof usageFields>;
};

type Eventually<Value> = Value | Promise<Value>;
type EstimatedWith<Body> = EstimatedCall & { readonly body: Body };

class PlannedTask {
  constructor(
    readonly task: AnswerTask<object>,
    readonly terms: AnswerTerms,
  ) {}
}

@Injectable()
export class AnsweredOperations {
  constructor(
    private readonly estimates: Estimates,
    private readonly answers: TypedAnswers,
    private readonly models: Models,
    private readonly configuration: Configuration,
  ) {}

  /** An error of `taskOf` costs nothing. @throws Error when the operation has an estimator already */
  register<Body>(
    policy: OperationPolicy,
    taskOf: (call: EstimatedWith<Body>) => Eventually<AnswerTask<object>>,
  ): void {
    this.estimates.register(policy.operationId, async (call) =>
      this.estimate(policy, await taskOf(call as EstimatedWith<Body>), call),
    );
  }

  /** @param task replaces the planned one, which gave the price */
  async answer<Value extends object>(
    call: CallContext & { readonly meter: Meter },
    task?: AnswerTask<Value>,
  ): Promise<Answered<Value>> {
    const { task: planned, terms } = planOf(call, PlannedTask);
    const { value, isCut, dropped, model, ...use } = await this.answers.answer<object>(
      task ?? planned,
      terms,
      call,
    );
    const truncated = isCut || (value as { readonly truncated?: boolean }).truncated === true;
    return { ...(value as Value), truncated, dropped, model, usage: usageFields(use) };
  }

  private async estimate(
    policy: OperationPolicy,
    task: AnswerTask<object>,
    { body, signal }: EstimatedCall,
  ): Promise<Estimate> {
    const fields = (body ?? {}) as TextRequest;
    const route =
      task.question === null
        ? null
        : await this.models.route('chat', fields.model ?? ANY_MODEL, fields.allow_degraded ?? false);
    const terms = this.answers.terms(
      route,
      fields.max_tokens ?? null,
      this.configuration.defaultOutputTokensMax,
      policy.model !== null,
    );
    const { model, ...bound } = await this.answers.bound(task, terms, signal);
    return {
      ...bound,
      inputTokens: bound.inputTokens + (task.furtherInputTokens ?? 0),
      model: route === null ? null : model,
      choices: 1,
      ...plansOf(terms, (planTerms) => new PlannedTask(task, planTerms)),
    };
  }
}

export function plansOf(
  terms: AnswerTerms,
  planWith: (terms: AnswerTerms) => object,
): Pick<Estimate, 'plan' | 'planFor'> {
  const planFor = (outputTokensMax: number) => {
    const answerTokensMax = Math.min(terms.answerTokensMax, outputTokensMax);
    return planWith({ ...terms, answerTokensMax, outputTokensMax, isOutputOpen: false });
  };
  return { plan: planWith(terms), ...(terms.isOutputOpen && { planFor }) };
}

type CallOf<Operation> = Operation extends (call: infer Call) => unknown ? Call : never;
type ResultOf<Operation> = Operation extends (call: never) => Promise<infer Result> ? Result : never;
type BodyOf<Operation> = CallOf<Operation> extends { body: infer Body } ? Body : never;

export interface AnswerTools {
  readonly counter: TokenCounter;
  readonly retrieval: ChunkRetrieval;
  readonly sources: SourceTexts;
  readonly threads: TextThreads;
  readonly textOf: (call: {
    readonly account: { readonly id: string };
    readonly body: Parameters<SourceTexts['of']>[1];
  }) => Promise<string>;
}

type TaskOf<Operation, Found> = (
  call: EstimatedWith<BodyOf<Operation>>,
  tools: AnswerTools,
) => Eventually<AnswerTask<Found>>;

type ResultFrom<Operation, Found> = (
  answer: Answered<Found>,
  call: CallOf<Operation>,
  tools: AnswerTools,
) => Eventually<ResultOf<Operation>>;

export interface AnsweredOperation<Operation> {
  readonly task: TaskOf<Operation, object>;
  readonly handle: (
    answer: <Found extends object>(task?: AnswerTask<Found>) => Promise<Answered<Found>>,
    call: CallOf<Operation>,
    tools: AnswerTools,
  ) => Promise<ResultOf<Operation>>;
}

/** An error of `task` costs nothing. `result` is absent where the task's answer is the operation's. */
export function answered<Operation>(
  task: TaskOf<Operation, Omit<ResultOf<Operation>, AnswerNotes>>,
): AnsweredOperation<Operation>;
export function answered<Operation, Found extends object>(
  task: TaskOf<Operation, Found>,
  result: ResultFrom<Operation, Found>,
): AnsweredOperation<Operation>;
export function answered<Operation, Found extends object>(
  task: TaskOf<Operation, Found>,
  result: ResultFrom<Operation, Found> = (answer) => answer as Eventually<ResultOf<Operation>>,
): AnsweredOperation<Operation> {
  return { task, handle: async (answer, call, tools) => result(await answer<Found>(), call, tools) };
}

type OperationTable<Api> = { readonly [Id in keyof Api]: AnsweredOperation<Api[Id]> };

/** Serves a model-answered tag by tasks. A missing operation or result field does not compile. */
export function answeredModule<Api>(table: ApiTable<Api>, operations: OperationTable<Api>): Type {
  const policies: Readonly<Record<string, OperationPolicy>> = table.operations;
  const entries = Object.entries<AnsweredOperation<unknown>>(operations);

  @Injectable()
  class AnsweringController implements OnModuleInit {
    private readonly tools: AnswerTools;

    constructor(
      private readonly answers: AnsweredOperations,
      counter: TokenCounter,
      retrieval: ChunkRetrieval,
      sources: SourceTexts,
      threads: TextThreads,
    ) {
      // A call reads its document once, because that may be deleted while a model answers.
      const texts = new WeakMap<object, string>();
      const textOf: AnswerTools['textOf'] = async ({ account, body }) => {
        const text = texts.get(body) ?? (await sources.of(account.id, body)).text;
        texts.set(body, text);
        return text;
      };
      this.tools = { counter, retrieval, sources, threads, textOf };
    }

    onModuleInit(): void {
      for (const [operationId, operation] of entries) {
        this.answers.register(policies[operationId] as OperationPolicy, (call) =>
          operation.task(call as EstimatedWith<never>, this.tools),
        );
      }
    }

    run(operation: AnsweredOperation<unknown>, call: CallContext & { readonly meter: Meter }) {
      return operation.handle((task) => this.answers.answer(call, task), call as never, this.tools);
    }
  }

  for (const [operationId, operation] of entries) {
    Object.defineProperty(AnsweringController.prototype, operationId, {
      value(this: AnsweringController, call: CallContext & { readonly meter: Meter }) {
        return this.run(operation, call);
      },
      configurable: true,
      writable: true,
    });
  }
  Serves(table)(AnsweringController as unknown as Type<Api>);

  class AnsweredModule {}
  Module({ controllers: [AnsweringController] })(AnsweredModule);
  return AnsweredModule;
}
