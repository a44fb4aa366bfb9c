import { Injectable, Logger } from '@nestjs/common';
import {
  ApiError,
  Conflict,
  OperationTimedOut,
  OutcomeUnknown,
  ShuttingDown,
  Unprocessable,
  type ValidationDetail,
  ValidationFailed,
} from '../../errors/api-errors';
import { errorText } from '../../errors/error-text';
import { usdToNano } from '../../ledger/usd';
import { withOrigin, originOf } from '../../observability/tracing';
import { newId } from '../../runtime/ids';
import { BatchOperations } from '../../contract/internal-operations';

interface ItemFailure {
  readonly status: number;
  readonly error: string;
  readonly message: string;
  readonly details: readonly ValidationDetail[];
  readonly isUnexpected: boolean;
}

/** Of an error that is unexpected no more is told than that it was. */
function failureOf(thrown: unknown): ItemFailure {
  if (thrown instanceof ApiError) {
    const { status, error, message } = thrown;
    const details = thrown instanceof ValidationFailed ? thrown.details : [];
    return { status, error, message, details, isUnexpected: false };
  }
  return {
    status: 500,
    error: 'Internal Server Error',
    message:
      thrown instanceof OutcomeUnknown
        ? 'Nobody can tell yet whether this item was charged. Its receipt will.'
        : 'Something went wrong on our side.',
    details: [],
    isUnexpected: true,
  };
}

const AT_ONCE_MAX = 3;
/** Less than what the call of a batch has, so that a batch always tells what became of its items. */
const TIME_MS_MAX = 100_000;
/** Of the answers of all items together, in UTF-16 units. */
const ANSWERS_LENGTH_MAX = 16 * 1024 * 1024;

interface BatchItem {
  operationId: string;
  body: unknown;
}

interface BatchOrder {
  keyId: string;
  items: readonly BatchItem[];
  /** The same for every retry of the batch; null where none is expected. */
  idempotencyId: string | null;
  signal: AbortSignal;
}

export type ItemOutcome = { requestId: string } & (
  { data: unknown; chargedNanoUsd: bigint } | { failure: ItemFailure }
);

/** Three items at once. One that fails costs nothing and keeps no other from its end. */
@Injectable()
export class BatchRuns {
  private readonly logger = new Logger('Batches');
  readonly answersLengthMax: number = ANSWERS_LENGTH_MAX;

  constructor(private readonly operations: BatchOperations) {}

  /**
   * @throws ShuttingDown or Conflict where a retry of the batch has to go on with what is not done; the reason of the signal where
   *   it aborts before any item has succeeded
   */
  async run({ items, keyId, idempotencyId, signal }: BatchOrder): Promise<ItemOutcome[]> {
    const cancel = new AbortController();
    withOrigin(cancel.signal, originOf(signal));
    const timer = setTimeout(() => cancel.abort(new OperationTimedOut(TIME_MS_MAX)), TIME_MS_MAX);
    const leave = () => cancel.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const room = new AnswerRoom(this.answersLengthMax);
    const outcomes: ItemOutcome[] = [];
    const waiting = [...items.entries()];
    let unfinished: Error | null = null;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, item] = next;
        const idempotencyKey = idempotencyId === null ? null : `batch-${idempotencyId}-${index}`;
        const call = { ...item, keyId, idempotencyKey, requestId: newId(), cancel: cancel.signal };
        try {
          cancel.signal.throwIfAborted();
          const text = await this.operations.run({ ...call, accept: (answer) => room.take(answer) });
          outcomes[index] = answered(text);
        } catch (error) {
          outcomes[index] = { requestId: call.requestId, failure: this.failure(error) };
          unfinished ??= idempotencyId !== null && isUnfinished(error) ? error : null;
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE_MAX }, work));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
    return this.ended(outcomes, unfinished, signal);
  }

  private ended(outcomes: ItemOutcome[], unfinished: Error | null, signal: AbortSignal): ItemOutcome[] {
    if (unfinished) {
      throw unfinished;
    }
    if (signal.aborted && outcomes.every((outcome) => 'failure' in outcome)) {
      throw signal.reason;
    }
    return outcomes;
  }

  private failure(error: unknown): ItemFailure {
    const failure = failureOf(error);
    if (failure.isUnexpected) {
      this.logger.error({ message: 'an item of a batch failed', error: errorText(error) });
    }
    return failure;
  }
}

/** Items that a shutdown has kept from running, or that an earlier run of the batch still holds, a retry has to run. */
function isUnfinished(error: unknown): error is Error {
  return error instanceof ShuttingDown || error instanceof Conflict;
}

class AnswerRoom {
  constructor(private left: number) {}

  /** @throws Unprocessable where an answer has no room left */
  take(answer: unknown): void {
    const { length } = JSON.stringify(answer);
    if (length > this.left) {
      throw new Unprocessable(
        'The answers of a batch have at most 16 MiB together, and this one has no room left; ask for it by itself.',
      );
    }
    this.left -= length;
  }
}

interface Answer {
  readonly data: unknown;
  readonly metadata: { readonly cost: number; readonly request_id: string };
}

/** An answer that was kept by an earlier run of the item tells that run's id and cost. */
function answered(text: string): ItemOutcome {
  const { data, metadata } = JSON.parse(text) as Answer;
  return { data, chargedNanoUsd: usdToNano(metadata.cost), requestId: metadata.request_id };
}
