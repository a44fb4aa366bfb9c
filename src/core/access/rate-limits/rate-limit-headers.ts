import type { RateDecision } from './rate-limiter';

/**
 * The X-RateLimit-* headers that tell a caller how its call was decided; a refused call gets Retry-After too. An
 * unlimited call gets no headers.
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
