/**
 * The queue could not be asked, or gave no answer in time. Nobody knows then whether a job was added: whoever adds it
 * again under the same id does no harm. BullMQ knows by the code that the connection failed and not the job, and that
 * what it tried is to be tried again.
 */
export class QueueUnavailable extends Error {
  readonly code = 'ECONNREFUSED';

  constructor(cause: unknown) {
    super(`the queue cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = new.target.name;
  }
}
