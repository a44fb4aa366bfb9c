import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { usageFields } from '../ledger/money';
import type { AnswerTask } from '../models/generation/model-task';
import { TypedAnswers, type AnswerTerms } from '../models/generation/typed-answers';
import { ANY_MODEL, Models } from '../models/models';
import { Estimates, planOf, type Estimate, type EstimatedCall } from './estimates';
import type { CallContext, Meter } from './operation';

/** The fields by which a body says who answers it; an operation that asks no model has none of them. */
interface AnsweringFields {
  readonly model?: string | null;
  readonly max_tokens?: number | null;
  readonly allow_degraded?: boolean | null;
}

/** An answer as it is sent: the operation's own fields, what answered, and the tokens that it used. */
export type Answered<Value> = Value & { model: string; usage: ReturnType<typeof usageFields> };

/** The task that a call was priced by, which its handler then has answered. */
class PlannedTask {
  constructor(
    readonly task: AnswerTask<object>,
    readonly terms: AnswerTerms,
  ) {}
}

/**
 * The operations that answer with typed fields, found by a model of an upstream or by an embedded method. A module says
 * for each of them which task a call is; what remains, from the estimate to the use, is the same for all.
 */
@Injectable()
export class AnsweredOperations {
  constructor(
    private readonly estimates: Estimates,
    private readonly answers: TypedAnswers,
    private readonly models: Models,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Says what task a call of the operation is. What `taskOf` throws costs nothing.
   * @throws Error when the operation has an estimator already
   */
  register<Body>(
    operationId: string,
    taskOf: (
      call: EstimatedCall & { readonly body: Body },
    ) => Promise<AnswerTask<object>> | AnswerTask<object>,
  ): void {
    this.estimates.register(operationId, async (call) =>
      this.estimate(await taskOf(call as EstimatedCall & { readonly body: Body }), call),
    );
  }

  /**
   * Answers a call of a registered operation. `Value` has to be the type of its task's answers. Throws what
   * TypedAnswers.answer throws.
   */
  async answer<Value extends object>(
    call: CallContext & { readonly meter: Meter },
  ): Promise<Answered<Value>> {
    const { task, terms } = planOf(call, PlannedTask);
    const { value, model, inputTokens, outputTokens } = await this.answers.answer(task, terms, call);
    return { ...(value as Value), model, usage: usageFields({ inputTokens, outputTokens }) };
  }

  private async estimate(task: AnswerTask<object>, { body, signal }: EstimatedCall): Promise<Estimate> {
    const fields = (body ?? {}) as AnsweringFields;
    const route =
      task.question === null
        ? null
        : await this.models.route('chat', fields.model ?? ANY_MODEL, fields.allow_degraded ?? false);
    const terms = {
      route,
      outputTokensMax: fields.max_tokens ?? this.configuration.defaultOutputTokensMax,
    };
    const { model, ...bound } = await this.answers.bound(task, terms, signal);
    return {
      ...bound,
      model: route === null ? null : model,
      choices: 1,
      plan: new PlannedTask(task, terms),
    };
  }
}
