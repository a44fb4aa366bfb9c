import { Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AnswerTask } from '../models/generation/model-task';
import { SourceTexts } from '../retrieval/source-texts';
import { TextThreads } from '../text/text-threads';
import type { EstimatedCall } from './estimates';
import { type Answered, AnsweredOperations } from './model-operations';
import { type ApiTable, type CallContext, type Meter, Serves } from './operation';

type Eventually<Value> = Value | Promise<Value>;
type CallOf<Operation> = Operation extends (call: infer Call) => unknown ? Call : never;
type ResultOf<Operation> = Operation extends (call: never) => Promise<infer Result> ? Result : never;
type BodyOf<Operation> = CallOf<Operation> extends { body: infer Body } ? Body : never;

/** A call that is priced. */
type TaskCall<Operation> = EstimatedCall & { readonly body: BodyOf<Operation> };

/** What the tasks of all groups need. */
export interface AnswerTools {
  readonly sources: SourceTexts;
  readonly threads: TextThreads;
  /** The text that a call's body holds or names. Throws what SourceTexts.of throws. */
  readonly textOf: (call: {
    readonly account: { readonly id: string };
    readonly body: Parameters<SourceTexts['of']>[1];
  }) => Promise<string>;
}

/** An operation that a model or an embedded method answers. */
export interface AnsweredOperation<Operation> {
  readonly task: (call: TaskCall<Operation>, tools: AnswerTools) => Eventually<AnswerTask<object>>;
  readonly result: (
    answer: Answered<object>,
    call: CallOf<Operation>,
    tools: AnswerTools,
  ) => Eventually<ResultOf<Operation>>;
}

/**
 * @param task which task a call is. What it throws costs nothing
 * @param result makes the task's answer the operation's; absent where it is that already
 */
export function answered<Operation>(
  task: (
    call: TaskCall<Operation>,
    tools: AnswerTools,
  ) => Eventually<AnswerTask<Omit<ResultOf<Operation>, 'model' | 'usage'>>>,
): AnsweredOperation<Operation>;
export function answered<Operation, Found extends object>(
  task: (call: TaskCall<Operation>, tools: AnswerTools) => Eventually<AnswerTask<Found>>,
  result: (
    answer: Answered<Found>,
    call: CallOf<Operation>,
    tools: AnswerTools,
  ) => Eventually<ResultOf<Operation>>,
): AnsweredOperation<Operation>;
export function answered<Operation, Found extends object>(
  task: (call: TaskCall<Operation>, tools: AnswerTools) => Eventually<AnswerTask<Found>>,
  result = (answer: Answered<Found>, _call: CallOf<Operation>, _tools: AnswerTools) =>
    answer as Eventually<ResultOf<Operation>>,
): AnsweredOperation<Operation> {
  return { task, result: (answer, call, tools) => result(answer as Answered<Found>, call, tools) };
}

/** A provider that estimates and answers an operation by itself. */
export interface OwnOperation<Operation> {
  answer(call: CallOf<Operation>): Promise<ResultOf<Operation>>;
}

type OperationTable<Api> = {
  readonly [Id in keyof Api]: AnsweredOperation<Api[Id]> | Type<OwnOperation<Api[Id]>>;
};

/**
 * The Nest module of a tag whose operations are answered by models: it serves them, and prices each by its task. A missing
 * operation and a missing field of a result do not compile.
 */
export function answeredModule<Api>(table: ApiTable<Api>, operations: OperationTable<Api>): Type {
  const entries = Object.entries<AnsweredOperation<unknown> | Type<OwnOperation<unknown>>>(operations);

  @Injectable()
  class AnsweringController implements OnModuleInit {
    private readonly tools: AnswerTools;

    constructor(
      private readonly answers: AnsweredOperations,
      private readonly moduleRef: ModuleRef,
      sources: SourceTexts,
      threads: TextThreads,
    ) {
      const textOf: AnswerTools['textOf'] = async ({ account, body }) =>
        (await sources.of(account.id, body)).text;
      this.tools = { sources, threads, textOf };
    }

    onModuleInit(): void {
      for (const [operationId, operation] of entries) {
        if (typeof operation !== 'function') {
          this.answers.register(operationId, (call) => operation.task(call as TaskCall<unknown>, this.tools));
        }
      }
    }

    async run(operation: (typeof entries)[number][1], call: CallContext & { readonly meter: Meter }) {
      return typeof operation === 'function'
        ? this.moduleRef.get(operation).answer(call as never)
        : operation.result(await this.answers.answer<object>(call), call as never, this.tools);
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
  Module({
    controllers: [AnsweringController],
    providers: entries
      .map(([, operation]) => operation)
      .filter((operation) => typeof operation === 'function'),
  })(AnsweredModule);
  return AnsweredModule;
}
