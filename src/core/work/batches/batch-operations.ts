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
}

/**
 * Our operations, as batches need them. The pipeline implements it, so that an item is a call like any other; only its rate is
 * not counted, because the batch was.
 */
export abstract class BatchOperations {
  /**
   * Runs an item.
   * @returns the JSON text of its answer, in the operation's envelope
   * @throws ApiError for an item that failed, which is charged nothing; any other error is unexpected
   */
  abstract run(call: BatchedCall): Promise<string>;
}
