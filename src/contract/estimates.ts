import { Injectable } from '@nestjs/common';
import type { AccountPrincipal } from '../accounts/accounts';
import type { CallContext } from './operation';

/** Input tokens that a caller may lower by naming a smaller max_input_tokens. */
export interface BoundedInput {
  readonly tokens: number;
  /** How often such a token is counted, as a model may read it again when it mends its answer. */
  readonly times: number;
}

/** The most that a call may use, worked out before anything is charged. */
export interface Estimate {
  inputTokens: number;
  /** The part of `inputTokens` that the request's max_input_tokens bounds; absent means none. */
  boundedInput?: BoundedInput | null;
  /** The most output tokens of all choices together. */
  outputTokensMax: number;
  /** The part of `outputTokensMax` that a smaller max_tokens would not reduce, such as an echoed prompt; absent means none. */
  outputTokensFixed?: number;
  choices: number;
  /** The id of the model that will answer, which may have a price of its own; null where the operation's price holds. */
  model: string | null;
  surcharge?: { readonly nanoUsd: bigint; readonly fields: readonly string[] } | null;
  /** The plan for fewer output tokens of each choice; absent where their number is not the service's to choose. */
  planFor?: (tokensMax: number) => object;
  plan?: object;
}

/** The tokens of what is stored or read without a model, by which a call is priced and then charged. */
export class CountedInput {
  constructor(readonly tokens: number) {}

  static estimate(tokens: number, inputTokens = tokens): Estimate {
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedInput(tokens) };
  }
}

/** Of a class that estimator and handler share, so that the handler does what was reserved for. @throws Error where there is none */
export function planOf<Plan extends object>(
  { plan }: Pick<CallContext, 'plan'>,
  kind: abstract new (...parts: never[]) => Plan,
): Plan {
  if (!(plan instanceof kind)) {
    throw new Error(`a call came without its ${kind.name}: its operation has no estimator that makes one`);
  }
  return plan;
}

export interface EstimatedCall {
  readonly operationId: string;
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly account: AccountPrincipal;
  readonly signal: CallContext['signal'];
}

/** Throws ApiError for a call that can't be served, which then costs nothing. */
export type Estimator = (call: EstimatedCall) => Promise<Estimate> | Estimate;

/** An operation without an estimator is estimated from its body alone. */
@Injectable()
export class Estimates {
  private readonly estimators = new Map<string, Estimator>();

  register(operationId: string, estimator: Estimator): void {
    if (this.estimators.has(operationId)) {
      throw new Error(`${operationId} has two estimators`);
    }
    this.estimators.set(operationId, estimator);
  }

  of(operationId: string): Estimator | null {
    return this.estimators.get(operationId) ?? null;
  }
}
