import { Logger } from '@nestjs/common';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
} from 'cockatiel';
import { originForLog } from '../../../infrastructure/tracing/work-origin';
import type { CallOptions } from '../model-provider';
import { UpstreamBreakerOpen, UpstreamRefused } from './upstream-errors';
import { FailedAttempt } from './failed-attempt';
import type { AttemptOutcome, UpstreamSeries } from './upstream-metrics';

const RETRIES_MAX = 1;

/** When an upstream is asked again, and when it is left alone. */
export interface AttemptOptions {
  /** After so many outages in a row the upstream is left alone. */
  readonly failuresMax: number;
  /** How long it is left alone before one call tries it again. */
  readonly restMs: number;
  /** The wait before the second attempt, in milliseconds. */
  readonly backoffMs: () => number;
}

/** The call for which attempts are made. */
type AttemptedCall = Pick<CallOptions, 'signal' | 'progress'>;

/** The options outside of tests. */
export const ATTEMPT_OPTIONS: AttemptOptions = {
  failuresMax: 5,
  restMs: 10_000,
  backoffMs: () => 100 + Math.random() * 150,
};

/** Asks an upstream a second time where nothing can be billed twice, and leaves it alone for a while after outages. */
export class Attempts {
  private readonly breaker;
  private readonly retries;
  private restsUntilMs = 0;
  private readonly logger = new Logger('Upstream');

  constructor(
    private readonly upstream: string,
    private readonly options: AttemptOptions,
    private readonly series: UpstreamSeries | null = null,
  ) {
    this.breaker = circuitBreaker(
      handleWhen((error) => error instanceof FailedAttempt),
      { breaker: new ConsecutiveBreaker(options.failuresMax), halfOpenAfter: options.restMs },
    );
    this.breaker.onBreak(() => {
      this.restsUntilMs = performance.now() + options.restMs;
      this.logger.warn(`The upstream ${upstream} is left alone for ${options.restMs} ms.`);
    });
    this.breaker.onReset(() => this.logger.log(`The upstream ${upstream} answers again.`));
    this.retries = retry(
      handleWhen((error) => error instanceof FailedAttempt && error.isRetryable && this.isClosed),
      { maxAttempts: RETRIES_MAX, backoff: new DelegateBackoff(options.backoffMs) },
    );
  }

  /** Whether calls get through to the upstream. */
  get isClosed(): boolean {
    return this.breaker.state === CircuitState.Closed;
  }

  /**
   * Makes an attempt, and a second one where the first allows it.
   * @param attempt throws FailedAttempt; any other error is thrown on and does not count as an outage
   * @throws the ApiError of the last attempt; UpstreamBreakerOpen; the signal's reason
   */
  async run<Answer>(attempt: () => Promise<Answer>, options: AttemptedCall): Promise<Answer> {
    try {
      return await this.retries.execute(() => this.guarded(attempt, options), options.signal);
    } catch (error) {
      throw error instanceof FailedAttempt ? error.failure : error;
    }
  }

  private async guarded<Answer>(
    attempt: () => Promise<Answer>,
    { signal, progress }: AttemptedCall,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    // The library would let other calls wait for the one that tries the upstream, which may take minutes.
    if (this.breaker.state === CircuitState.HalfOpen) {
      this.series?.attempted('left_alone', null);
      throw new UpstreamBreakerOpen(this.upstream, 1);
    }
    try {
      const outcome = await this.breaker.execute(() =>
        outcomeOf(() => this.noted(attempt, { signal, progress })),
      );
      if (outcome instanceof FailedAttempt) {
        throw outcome;
      }
      return outcome.answer;
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        this.series?.attempted('left_alone', null);
        throw new UpstreamBreakerOpen(this.upstream, this.secondsToRest());
      }
      throw error;
    }
  }

  /**
   * Tells the call of every failed attempt, and logs it for the operator, except refusals, which are a fault of the
   * client's request.
   */
  private async noted<Answer>(
    attempt: () => Promise<Answer>,
    { signal, progress }: AttemptedCall,
  ): Promise<Answer> {
    const begunMs = performance.now();
    try {
      const answer = await attempt();
      this.series?.attempted('answered', performance.now() - begunMs);
      return answer;
    } catch (error) {
      progress?.dropped();
      this.series?.attempted(outcomeOfError(error), performance.now() - begunMs);
      if (error instanceof FailedAttempt && !(error.failure instanceof UpstreamRefused)) {
        const { status, message } = error.failure;
        const cause = codeOf(error.failure);
        this.logger.warn({
          message: 'an attempt at an upstream failed',
          ...originForLog(signal),
          status,
          error: message,
          cause,
        });
      }
      throw error;
    }
  }

  private secondsToRest(): number {
    return Math.max(1, Math.ceil((this.restsUntilMs - performance.now()) / 1000));
  }
}

/**
 * A failed attempt that is no outage shows that the upstream works: it is returned, so that it ends a row of outages.
 */
async function outcomeOf<Answer>(
  attempt: () => Promise<Answer>,
): Promise<{ answer: Answer } | FailedAttempt> {
  try {
    return { answer: await attempt() };
  } catch (error) {
    if (error instanceof FailedAttempt && !error.isOutage) {
      return error;
    }
    throw error;
  }
}

function outcomeOfError(error: unknown): AttemptOutcome {
  if (!(error instanceof FailedAttempt)) {
    return 'stopped';
  }
  return error.failure instanceof UpstreamRefused ? 'refused' : 'failed';
}

/**
 * The code of the error behind a failure, such as ECONNREFUSED. Its text is not logged, because it may hold anything.
 */
function codeOf(error: Error): string | undefined {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined) {
      return code;
    }
  }
  return undefined;
}
