import { Injectable } from '@nestjs/common';
import { RequestValidator } from '../../contract/request-validator';
import { ValidationFailed, type ValidationDetail } from '../../core/errors/request-errors';
import { TaskOperations, type RunOrder } from '../../core/work/tasks/task-operations';
import { MeteredCalls } from './metered-calls';

/** The operations that tasks run, as calls that pass the same steps as a request. */
@Injectable()
export class MeteredTaskOperations extends TaskOperations {
  constructor(
    private readonly validator: RequestValidator,
    private readonly calls: MeteredCalls,
  ) {
    super();
  }

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

  async run({
    operationId,
    keyId,
    parameters,
    claim,
    clientRequestId,
    cancel,
    reached,
  }: RunOrder): Promise<void> {
    const input = { body: JSON.parse(parameters) as unknown };
    const options = { claim, clientRequestId, cancel, reached };
    await this.calls.run(operationId, { kind: 'key', keyId }, input, options);
  }
}
