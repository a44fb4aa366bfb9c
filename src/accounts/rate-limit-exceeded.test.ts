import { ApiError } from '../errors/api-errors';
import type { RefusedCall } from './rate-limiter';
import { RateLimitExceeded } from './rate-windows';

const REFUSED: RefusedCall = {
  allowed: false,
  limit: 100,
  remaining: 0,
  resetAtSeconds: 1_800_003_600,
  windowSeconds: 3_600,
  retryAfterSeconds: 61,
};

describe('RateLimitExceeded', () => {
  it('is a 429 with the documented body fields and headers', () => {
    const error = new RateLimitExceeded(REFUSED);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.status).toBe(429);
    expect(error.error).toBe('Rate limit exceeded');
    expect(error.options.fields).toEqual({ retry_after: 61, limit: 100, window: 'hour' });
    expect(error.options.headers).toEqual({
      'Retry-After': '61',
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1800003600',
      'X-RateLimit-Window': '3600',
    });
  });

  it.each([
    [1, 'second'],
    [60, 'minute'],
    [3_600, 'hour'],
    [86_400, 'day'],
    [2, '2s'],
    [5, '5s'],
    [120, '120s'],
    [900, '900s'],
    [172_800, '172800s'],
  ])('calls a window of %i s %s', (windowSeconds, window) => {
    const error = new RateLimitExceeded({ ...REFUSED, windowSeconds });
    expect(error.options.fields).toMatchObject({ limit: 100, window });
  });

  it.each([
    [100, 3_600, 61, 'At most 100 calls per 1 hour. Try again in 61 seconds.'],
    [1, 5, 1, 'At most 1 call per 5 seconds. Try again in 1 second.'],
    [3, 172_800, 120, 'At most 3 calls per 2 days. Try again in 2 minutes.'],
  ])('says %i per %i s, wait %i s in words', (limit, windowSeconds, retryAfterSeconds, message) => {
    const error = new RateLimitExceeded({ ...REFUSED, limit, windowSeconds, retryAfterSeconds });
    expect(error.message).toBe(message);
  });
});
