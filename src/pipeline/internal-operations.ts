import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../contract/request-validator';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import type { Claim } from '../ledger/idempotency';
import { MeteredCalls, type RunStage } from './metered-calls';

export type { RunStage } from './metered-calls';

export interface BatchedCall {
  operationId: string;
  keyId: string;
  /** The operation's body as it came, not validated. */
  body: unknown;
  /** Its receipt is found under it. */
  requestId: string;
  /** Null where no retry is expected. */
  idempotencyKey: string | null;
  cancel: AbortSignal;
  /** Is shown what the operation answers before that is charged. What it throws fails the call, which then costs nothing. */
  accept: (answer: unknown) => void;
  reached: (stage: RunStage) => void;
}

/** Our operations for batches: an item passes the same steps as a request, but is not counted, because its batch was. */
@Injectable()
export class BatchOperations {
  constructor(private readonly calls: MeteredCalls) {}

  /**
   * @returns the JSON text of the answer, in the operation's envelope, and the tokens that this run was charged for
   * @throws ApiError for an item that failed, which is charged nothing; any other error is unexpected
   */
  async run({
    operationId,
    keyId,
    body,
    idempotencyKey,
    ...options
  }: BatchedCall): Promise<{ text: string; tokens: number }> {
    const { body: text, headers } = await this.calls.run(
      operationId,
      { kind: 'key', keyId },
      { body },
      { ...options, isPart: true, ...(idempotencyKey !== null && { idempotencyKey }) },
    );
    if (text === null) {
      throw new Error(`${operationId} answers with no body, so no batch can have it`);
    }
    return { text, tokens: Number(headers['x-tokens-used']) };
  }
}

export interface RunOrder {
  operationId: string;
  keyId: string;
  /** JSON text of the operation's body. */
  parameters: string;
  /** Under it the run's answer is kept, by the same transaction that charges it; its call id is the run's request id. */
  claim: Claim;
  /** Finds the receipts of all attempts. */
  clientRequestId: string;
  cancel: AbortSignal;
  reached: (stage: RunStage) => void;
}

/** Our operations for tasks: a run passes the same steps as a request. */
@Injectable()
export class TaskOperations {
  constructor(
    private readonly validator: RequestValidator,
    private readonly calls: MeteredCalls,
  ) {}

  /** What is wrong with a body of the operation; nothing where it is valid. The paths of fields begin in the body. */
  judge(operationId: string, body: unknown): ValidationDetail[] {
    try {
      // A copy, because the validation fills in defaults.
      this.validator.validateBody(operationId, structuredClone(body));
      return [];
    } catch (error) {
      if (error instanceof ValidationFailed) {
        return error.details;
      }
      throw error;
    }
  }

  /**
   * When it resolves, the answer is kept under the claim.
   * @throws ApiError where the call failed or was ended, which is charged nothing but what a cancelled one had used;
   *   OutcomeUnknown where nobody can say if it was charged; any other error is unexpected
   */
  async run({ operationId, keyId, parameters, ...options }: RunOrder): Promise<void> {
    const input = { body: JSON.parse(parameters) as unknown };
    await this.calls.run(operationId, { kind: 'key', keyId }, input, options);
  }
}
