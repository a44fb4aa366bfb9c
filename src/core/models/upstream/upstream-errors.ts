import { ApiError } from '../../errors/api-error';

/** The upstream could not serve the call; another one may, unless this one had begun to answer. */
export abstract class UpstreamFailure extends ApiError {
  private begun = false;

  /** Whether it had begun an answer, which may be billed: asking another one could pay twice for one call. */
  get hadBegun(): boolean {
    return this.begun;
  }

  /** Marks a failure that came after the first byte of an answer. */
  afterFirstByte(): this {
    this.begun = true;
    return this;
  }
}

/** 502: the upstream refused or reset the connection, answered 5xx, 401 or 403, or sent what is no answer. */
export class UpstreamFailed extends UpstreamFailure {
  constructor(upstream: string, what: string, cause?: unknown) {
    super(502, 'Upstream error', `The model upstream ${upstream} ${what}. Nothing was charged.`, { cause });
  }
}

/** 503: the upstream takes no calls at present: it answered 429, or it failed too often just now. */
export class UpstreamUnavailable extends UpstreamFailure {
  /** @param retryAfter the value of Retry-After as the upstream sent it, or seconds */
  constructor(upstream: string, what: string, retryAfter: string | null) {
    super(503, 'Upstream unavailable', `The model upstream ${upstream} ${what}. Nothing was charged.`, {
      headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
    });
  }
}

/** 503: the upstream failed too often just now, and was not asked at all. */
export class UpstreamBreakerOpen extends UpstreamUnavailable {
  constructor(upstream: string, retryAfterSeconds: number) {
    super(upstream, 'failed several times in a row and is left alone for a while', String(retryAfterSeconds));
  }
}

/** 504: the upstream did not connect, begin to answer or end within its time. */
export class UpstreamTimedOut extends UpstreamFailure {
  constructor(upstream: string, what: 'connect' | 'begin to answer' | 'end its answer', timeoutMs: number) {
    super(
      504,
      'Gateway Timeout',
      `The model upstream ${upstream} did not ${what} within ${timeoutMs} ms. Nothing was charged.`,
    );
  }
}

/** The upstream answered after its first event, and then broke off. What it had delivered is charged. */
export class UpstreamBrokeOff extends ApiError {
  /** @param toldByUpstream the last event that was passed on is the upstream's own error; a second one would repeat it */
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

/** 400, 404, 413 or 422 as the upstream said it: the request, not the upstream, is at fault. Its body is passed on. */
export class UpstreamRefused extends ApiError {
  /** @param body the upstream's JSON text; null where there was none worth passing on */
  constructor(upstream: string, status: number, body: string | null) {
    super(status, 'Upstream refused', `The model upstream ${upstream} refused the request.`, {
      body: body ?? undefined,
    });
  }
}
