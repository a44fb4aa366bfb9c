import type { RateDecision } from './rate-limiter';

/**
 * The X-RateLimit-* headers of a decided call; none for an unlimited one. A refused call also gets Retry-After.
 * Source: reference, "Rate limits".
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  if (decision.limit === null) {
    return {};
  }
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(decision.resetAtSeconds),
    'X-RateLimit-Window': String(decision.windowSeconds),
  };
  if (!decision.allowed) {
    headers['Retry-After'] = String(decision.retryAfterSeconds);
  }
  return headers;
}
