import { Client, type ClientConfig } from 'pg';
import { cut, within } from './cut-connection';
import { ANSWER_WITHIN_MS } from './deadlines';

const ENDED_WITHIN_MS = 1_000;

/**
 * A connection of the pool on which every statement has a deadline. One that passes it breaks the connection: the
 * server may no longer be there, and the system would notice that only after minutes.
 */
export class DeadlineClient extends Client {
  private statementMsMax = ANSWER_WITHIN_MS;
  private nextStatementMsMax: number | null = null;

  /**
   * Between the pool, which gives the connection away, and whoever then listens to it, an error of the connection would
   * find no listener and end the process. Its next statement fails all the same.
   */
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }

  /** Lets statements take this long; without a number as long as those of calls. */
  allow(statementMsMax = ANSWER_WITHIN_MS): void {
    this.statementMsMax = statementMsMax;
  }

  /** Leaves the next statement less time, because its caller has waited for the connection already. */
  hurry(statementMsMax: number): void {
    this.nextStatementMsMax = statementMsMax;
  }

  // `never` fits all the forms in which the driver's method may be called; they are passed on as they come.
  override query(...parameters: never[]): never {
    const timeoutMs = this.nextStatementMsMax ?? this.statementMsMax;
    this.nextStatementMsMax = null;
    const answer: unknown = super.query(...(parameters as [never]));
    // TypeORM uses the forms with a callback only while it starts, and what they answer is no promise.
    return (answer instanceof Promise ? within(timeoutMs, this, answer) : answer) as never;
  }

  /** Says goodbye to the server, but does not wait for long until it has heard. */
  override end(...parameters: never[]): never {
    const timer = setTimeout(() => cut(this), ENDED_WITHIN_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return super.end(...(parameters as [never])) as never;
  }
}
