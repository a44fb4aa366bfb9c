import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
} from 'cockatiel';
import type { ApiError } from '../../errors/api-errors';
import {
  AnswerTooLarge,
  ConnectionFailed,
  ConnectTimedOut,
  FirstByteTimedOut,
  TotalTimedOut,
} from '../../http/upstream-transport';
import type { Metrics } from '../../observability/metrics';
import { originForLog } from '../../observability/tracing';
import { UpstreamBreakerOpen, UpstreamFailed, UpstreamRefused, UpstreamTimedOut } from '../errors';
import type { CallOptions } from '../model-provider';

export class FailedAttempt extends Error {
  constructor(
    readonly failure: ApiError,
    readonly isRetryable: boolean,
    readonly isOutage: boolean,
    readonly reported?: { readonly status: number | null; readonly body: string },
  ) {
    super(failure.message, { cause: failure });
  }
}

/** @param afterFirstByte a stream before its first event may be retried: nothing has been delivered */
export function failedTransport(
  upstream: string,
  error: unknown,
  afterFirstByte: 'is final' | 'may be retried',
): unknown {
  if (error instanceof ConnectionFailed) {
    const isFinal = error.hadBody && afterFirstByte === 'is final';
    const what = error.hadBody ? 'broke off its answer' : 'could not be reached or closed the connection';
    const failure = new UpstreamFailed(upstream, what, error);
    return new FailedAttempt(isFinal ? failure.afterFirstByte() : failure, !isFinal, true);
  }
  if (error instanceof ConnectTimedOut) {
    return new FailedAttempt(new UpstreamTimedOut(upstream, 'connect', error.timeoutMs), false, true);
  }
  if (error instanceof FirstByteTimedOut) {
    return new FailedAttempt(new UpstreamTimedOut(upstream, 'begin to answer', error.timeoutMs), false, true);
  }
  if (error instanceof TotalTimedOut) {
    const failure = new UpstreamTimedOut(upstream, 'end its answer', error.timeoutMs);
    return new FailedAttempt(failure.afterFirstByte(), false, true);
  }
  if (error instanceof AnswerTooLarge) {
    return garbage(upstream, 'sent an answer that is too large', error);
  }
  return error;
}

/** An unreadable answer may be billed all the same, so no other provider is asked. */
export function garbage(upstream: string, what: string, cause?: unknown): FailedAttempt {
  return new FailedAttempt(new UpstreamFailed(upstream, what, cause).afterFirstByte(), false, false);
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** `left_alone`: not asked because of outages; `stopped`: the caller no longer waited. */
const OUTCOMES = ['answered', 'refused', 'failed', 'left_alone', 'stopped'] as const;

type AttemptOutcome = (typeof OUTCOMES)[number];

/** @param durationMs to the whole answer, or to a stream's first event; null where the upstream was not asked */
export type Attempted = (outcome: AttemptOutcome, durationMs: number | null) => void;

export function upstreamMetrics(
  metrics: Metrics,
  leftAlone: () => readonly (readonly [upstream: string, isLeftAlone: boolean])[],
): (upstream: string) => Attempted {
  const attempts = metrics.counter(
    'upstream_attempts_total',
    'Attempts at upstreams, by how they ended. A second try is an attempt of its own.',
  );
  const seconds = metrics.histogram(
    'upstream_attempt_seconds',
    'Time of an attempt to the whole answer, or to the first event of a stream.',
    SECONDS,
  );
  metrics.gauges('upstream_left_alone', 'Whether an upstream is left alone after outages: 1 or 0.', () =>
    leftAlone().map(([upstream, isLeftAlone]) => ({ labels: { upstream }, value: isLeftAlone ? 1 : 0 })),
  );
  return (upstream) => {
    const tallies = new Map(OUTCOMES.map((outcome) => [outcome, attempts.labelled({ upstream, outcome })]));
    const ofUpstream = seconds.labelled({ upstream });
    return (outcome, durationMs) => {
      tallies.get(outcome)?.add();
      if (durationMs !== null) {
        ofUpstream.observe(durationMs / 1000);
      }
    };
  };
}

const RETRIES_MAX = 1;

export interface AttemptOptions {
  readonly failuresMax: number;
  readonly restMs: number;
  readonly backoffMs: () => number;
}

type AttemptedCall = Pick<CallOptions, 'signal' | 'progress'>;

export const ATTEMPT_OPTIONS: AttemptOptions = {
  failuresMax: 5,
  restMs: 10_000,
  backoffMs: () => 100 + Math.random() * 150,
};

/** Retries once where nothing can be billed twice, and leaves an upstream alone for a while after outages. */
export class Attempts {
  private readonly breaker;
  private restsUntilMs = 0;
  private readonly logger = new Logger('Upstream');

  constructor(
    private readonly upstream: string,
    private readonly options: AttemptOptions,
    private readonly attempted: Attempted | null = null,
  ) {
    this.breaker = circuitBreaker(
      handleWhen((error) => error instanceof FailedAttempt),
      {
        breaker: new ConsecutiveBreaker(options.failuresMax),
        halfOpenAfter: new DelegateBackoff(({ result }: { result: object }) => this.rest(result)),
      },
    );
    this.breaker.onReset(() => this.logger.log(`The upstream ${upstream} answers again.`));
  }

  get isClosed(): boolean {
    return this.breaker.state === CircuitState.Closed;
  }

  /** @throws the ApiError of the last attempt; UpstreamBreakerOpen; the signal's reason */
  async run<Answer>(attempt: () => Promise<Answer>, options: AttemptedCall): Promise<Answer> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.guarded(attempt, options);
      } catch (error) {
        const failed = error instanceof FailedAttempt ? error : null;
        const mayRetry = failed?.isRetryable && this.isClosed && !options.signal?.aborted;
        if (!mayRetry || retries === RETRIES_MAX) {
          throw failed?.failure ?? error;
        }
        await setTimeout(this.options.backoffMs());
      }
    }
  }

  private async guarded<Answer>(attempt: () => Promise<Answer>, options: AttemptedCall): Promise<Answer> {
    options.signal?.throwIfAborted();
    // The library would make other calls wait for the trial call, which may take minutes.
    if (this.breaker.state === CircuitState.HalfOpen) {
      this.attempted?.('left_alone', null);
      throw new UpstreamBreakerOpen(this.upstream, 1);
    }
    try {
      const outcome = await this.breaker.execute(() => this.noted(attempt, options));
      if (outcome instanceof FailedAttempt) {
        throw outcome;
      }
      return outcome.answer;
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        this.attempted?.('left_alone', null);
        throw new UpstreamBreakerOpen(this.upstream, this.secondsToRest());
      }
      throw error;
    }
  }

  /** An attempt that failed without an outage is returned, not thrown, because it ends the breaker's row of outages. */
  private async noted<Answer>(
    attempt: () => Promise<Answer>,
    { signal, progress }: AttemptedCall,
  ): Promise<{ answer: Answer } | FailedAttempt> {
    const begunMs = performance.now();
    try {
      const answer = await attempt();
      this.attempted?.('answered', performance.now() - begunMs);
      return { answer };
    } catch (error) {
      progress?.dropped();
      this.attempted?.(outcomeOfError(error), performance.now() - begunMs);
      if (error instanceof FailedAttempt && !(error.failure instanceof UpstreamRefused)) {
        const { status, message } = error.failure;
        const failure = { status, error: message, cause: codeOf(error.failure) };
        this.logger.warn({
          message: 'an attempt at an upstream failed',
          ...originForLog(signal),
          ...failure,
        });
      }
      if (error instanceof FailedAttempt && !error.isOutage) {
        return error;
      }
      throw error;
    }
  }

  private rest(lastFailure: { error?: unknown }): number {
    const { error } = lastFailure;
    const askedMs = error instanceof FailedAttempt ? retryAfterMs(error.failure) : 0;
    const restMs = Math.max(this.options.restMs, Math.min(askedMs, REST_MS_MAX));
    this.restsUntilMs = performance.now() + restMs;
    this.logger.warn(`The upstream ${this.upstream} is left alone for ${restMs} ms.`);
    return restMs;
  }

  private secondsToRest(): number {
    return Math.max(1, Math.ceil((this.restsUntilMs - performance.now()) / 1000));
  }
}

/** The limit of a single model may last for a day. */
const REST_MS_MAX = 60_000;

/** 0 where the header is absent. It is in seconds or a date. */
function retryAfterMs({ options }: ApiError): number {
  const value = options.headers?.['Retry-After'] ?? '0';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}

function outcomeOfError(error: unknown): AttemptOutcome {
  if (!(error instanceof FailedAttempt)) {
    return 'stopped';
  }
  return error.failure instanceof UpstreamRefused ? 'refused' : 'failed';
}

/** Such as ECONNREFUSED. The error's text may hold anything, so it is not logged. */
function codeOf(error: Error): string | undefined {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined) {
      return code;
    }
  }
  return undefined;
}
