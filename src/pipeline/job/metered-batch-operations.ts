import { Injectable } from '@nestjs/common';
import { BatchOperations, type BatchedCall } from '../../core/work/batches/batch-operations';
import { MeteredCalls } from './metered-calls';

/** The items of batches, as calls that pass the same steps as a request; their rate was counted with the batch. */
@Injectable()
export class MeteredBatchOperations extends BatchOperations {
  constructor(private readonly calls: MeteredCalls) {
    super();
  }

  async run({ operationId, keyId, body, idempotencyKey, ...options }: BatchedCall): Promise<string> {
    const { body: answer } = await this.calls.run(
      operationId,
      { kind: 'key', keyId },
      { body },
      { ...options, isPart: true, ...(idempotencyKey !== null && { idempotencyKey }) },
    );
    if (answer === null) {
      throw new Error(`${operationId} answers with no body, so no batch can have it`);
    }
    return answer;
  }
}
