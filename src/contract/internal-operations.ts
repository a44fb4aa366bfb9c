import type { ValidationDetail } from '../errors/api-errors';
import type { Claim } from '../ledger/idempotency';

/** One item of a batch, to be run in the name of a key. */
export interface BatchedCall {
  operationId: string;
  keyId: string;
  /** The operation's body as it came, not validated. */
  body: unknown;
  /** The id of its call, under which its receipt is found. */
  requestId: string;
  /** Under it the item's answer is kept, so that it runs once; null where no retry is expected. */
  idempotencyKey: string | null;
  /** Ends the call when it aborts, with the reason. */
  cancel: AbortSignal;
  /** Is shown what the operation answers before that is charged. What it throws fails the call, which then costs nothing. */
  accept: (answer: unknown) => void;
  /** Is told each stage when it is reached. */
  reached: (stage: RunStage) => void;
}

/**
 * Our operations, as batches need them. The pipeline implements it, so that an item is a call like any other; only its rate is
 * not counted, because the batch was.
 */
export abstract class BatchOperations {
  /**
   * Runs an item.
   * @returns the JSON text of its answer, in the operation's envelope, and the tokens that this run was charged for
   * @throws ApiError for an item that failed, which is charged nothing; any other error is unexpected
   */
  abstract run(call: BatchedCall): Promise<{ text: string; tokens: number }>;
}

/** How far a run has come: admitted to the reservation; reserved, its work begins; answered, it is being charged. */
export type RunStage = 'admitted' | 'reserved' | 'answered';

/** One run of an operation in the name of a key. */
export interface RunOrder {
  operationId: string;
  keyId: string;
  /** JSON text of the operation's body. */
  parameters: string;
  /** Under it the run's answer is kept, by the same transaction that charges it; its call id is the run's request id. */
  claim: Claim;
  /** Finds the receipts of all attempts. */
  clientRequestId: string;
  /** Ends the run when it aborts, by CallCancelled or CallStopped. */
  cancel: AbortSignal;
  /** Is told each stage when it is reached. */
  reached: (stage: RunStage) => void;
}

/** Our operations, as tasks need them. The pipeline implements it, so that a run is a call like any other. */
export abstract class TaskOperations {
  /** What is wrong with a body of the operation; nothing where it is valid. The paths of fields begin in the body. */
  abstract judge(operationId: string, body: unknown): ValidationDetail[];

  /**
   * Runs the operation. When it resolves, the answer is kept under the claim.
   * @throws ApiError where the call failed or was ended, which is charged nothing but what a cancelled one had used;
   *   OutcomeUnknown where nobody can say if it was charged; any other error is unexpected
   */
  abstract run(order: RunOrder): Promise<void>;
}
