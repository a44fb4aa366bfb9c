import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../contract/request-validator';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { type InternalCallOptions, MeteredCalls } from './metered-calls';

export type { RunStage } from './metered-calls';

interface OperationOfKey {
  operationId: string;
  keyId: string;
}

type BatchedCall = OperationOfKey & {
  body: unknown;
  /** Null where no retry is expected. */
  idempotencyKey: string | null;
} & Required<Pick<InternalCallOptions, 'requestId' | 'cancel' | 'accept' | 'reached' | 'charged'>>;

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

/** Under the claim the run's answer is kept, by the same transaction that charges it. */
export type RunOrder = OperationOfKey & {
  parameters: string;
} & Required<Pick<InternalCallOptions, 'claim' | 'clientRequestId' | 'cancel' | 'reached'>>;

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
