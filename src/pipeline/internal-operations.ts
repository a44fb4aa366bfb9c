import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../contract/request-validator';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import type { Claim } from '../ledger/idempotency';
import type { FinalNumbers } from '../models/streamed-answer';
import { MeteredCalls, type RunStage } from './metered-calls';

export type { RunStage } from './metered-calls';

export interface BatchedCall {
  operationId: string;
  keyId: string;
  body: unknown;
  requestId: string;
  /** Null where no retry is expected. */
  idempotencyKey: string | null;
  cancel: AbortSignal;
  accept: (answer: unknown) => void;
  reached: (stage: RunStage) => void;
  /** Is told what the item was charged, also where it then fails. */
  charged: (charge: FinalNumbers) => void;
}

/** Our operations for batches: an item passes the same steps as a request, but is not counted, because its batch was. */
@Injectable()
export class BatchOperations {
  constructor(private readonly calls: MeteredCalls) {}

  /** @returns JSON text, and the tokens charged. @throws ApiError for a failed item */
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
  parameters: string;
  /** Under it the run's answer is kept, by the same transaction that charges it; its call id is the run's request id. */
  claim: Claim;
  clientRequestId: string;
  cancel: AbortSignal;
  reached: (stage: RunStage) => void;
}

@Injectable()
export class TaskOperations {
  constructor(
    private readonly validator: RequestValidator,
    private readonly calls: MeteredCalls,
  ) {}

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

  /** @throws ApiError, charged nothing but what a cancelled call had used; OutcomeUnknown where nobody can say */
  async run({ operationId, keyId, parameters, ...options }: RunOrder): Promise<void> {
    const input = { body: JSON.parse(parameters) as unknown };
    await this.calls.run(operationId, { kind: 'key', keyId }, input, options);
  }
}
