import { ApiError } from '../../errors/api-error';
import { ValidationFailed, type ValidationDetail } from '../../errors/request-errors';
import { OutcomeUnknown } from '../../errors/service-errors';

/** Why an item of a batch has no answer, as its caller is told. */
export interface ItemFailure {
  readonly status: number;
  readonly error: string;
  readonly message: string;
  readonly details: readonly ValidationDetail[];
  /** Whether it is a fault of ours, which the log has to tell. */
  readonly isUnexpected: boolean;
}

/** What a caller is told of an error that ended an item: of one that is unexpected no more than that it was. */
export function failureOf(thrown: unknown): ItemFailure {
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
