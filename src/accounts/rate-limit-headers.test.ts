import type { RateRoom } from './rate-limiter';
import { rateLimitHeaders } from './rate-windows';

const ROOM: RateRoom = {
  limit: 10,
  remaining: 3,
  resetAtSeconds: 1_800_000_060,
  windowSeconds: 60,
};

describe('rateLimitHeaders', () => {
  it('tells the tightest window of an allowed call', () => {
    expect(rateLimitHeaders({ allowed: true, ...ROOM })).toEqual({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '3',
      'X-RateLimit-Reset': '1800000060',
      'X-RateLimit-Window': '60',
    });
  });

  it('adds Retry-After to a refused call', () => {
    expect(rateLimitHeaders({ allowed: false, ...ROOM, remaining: 0, retryAfterSeconds: 42 })).toEqual({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1800000060',
      'X-RateLimit-Window': '60',
      'Retry-After': '42',
    });
  });

  it('is silent about an unlimited call', () => {
    expect(rateLimitHeaders({ allowed: true, limit: null })).toEqual({});
  });
});
