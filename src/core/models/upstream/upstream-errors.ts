import { ApiError } from '../../errors/api-error';

/** An upstream could not serve the call. Another one may be asked, unless this one had begun to answer. */
export abstract class UpstreamFailure extends ApiError {
  private begun = false;

  /** Whether the upstream had begun to answer and may bill for it, so that asking another one could cost twice. */
  get hadBegun(): boolean {
    return this.begun;
  }

  /** Marks a failure that came after the first byte of an answer. */
  afterFirstByte(): this {
    this.begun = true;
    return this;
  }
}

/** 502: the upstream could not be reached, answered with an unexpected status, or sent something that is no answer. */
export class UpstreamFailed extends UpstreamFailure {
  constructor(upstream: string, what: string, cause?: unknown) {
    super(502, 'Upstream error', `The model upstream ${upstream} ${what}. Nothing was charged.`, { cause });
  }
}

/** 503: the upstream takes no calls at present, because it answered 429 or has just failed several times. */
export class UpstreamUnavailable extends UpstreamFailure {
  /** @param retryAfter the value of Retry-After as the upstream sent it, or seconds */
  constructor(upstream: string, what: string, retryAfter: string | null) {
    super(503, 'Upstream unavailable', `The model upstream ${upstream} ${what}. Nothing was charged.`, {
      headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
    });
  }
}

/** 503: the upstream has just failed several times in a row and was not asked at all. */
export class UpstreamBreakerOpen extends UpstreamUnavailable {
  constructor(upstream: string, retryAfterSeconds: number) {
    super(upstream, 'failed several times in a row and is left alone for a while', String(retryAfterSeconds));
  }
}

/** 504: the upstream did not connect, begin its answer or end it in time. */
export class UpstreamTimedOut extends UpstreamFailure {
  constructor(upstream: string, what: 'connect' | 'begin to answer' | 'end its answer', timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The model upstream ${upstream} did not ${what} within ${timeoutMs} ms. Nothing was charged.`,
    );
  }
}

/** The upstream broke off a stream after its first event. What it had delivered is charged. */
export class UpstreamBrokeOff extends ApiError {
  /**
   * @param toldByUpstream whether the client got the upstream's own error event, so that a second one would repeat it
   */
  constructor(
    status: 502 | 503 | 504,
    upstream: string,
    what: string,
    cause?: unknown,
    readonly toldByUpstream = false,
  ) {
    super(
      status,
      status === 504 ? 'Gateway Timeout' : 'Upstream error',
      `The model upstream ${upstream} ${what} in the middle of its answer. What was delivered is charged.`,
      { cause },
    );
  }
}

/** 400, 404, 413 or 422: the upstream says that the request is at fault. The client gets the upstream's own body. */
export class UpstreamRefused extends ApiError {
  /** @param body the upstream's JSON text; null where the client must not get it, or there is none */
  constructor(upstream: string, status: number, body: string | null) {
    super(status, 'Upstream refused', `The model upstream ${upstream} refused the request.`, {
      body: body ?? undefined,
    });
  }
}
