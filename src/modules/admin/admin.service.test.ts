import type { Account } from '../../accounts/accounts';
import { Unprocessable } from '../../errors/api-errors';
import { changeOf } from './admin-users';

const LIMITS = {
  requests_per_second: 200,
  requests_per_minute: null,
  requests_per_hour: null,
  requests_per_day: null,
};

describe('changeOf', () => {
  it.each(['free', 'basic', 'pro'] as const)('refuses limits of its own on the tier %s', (tier) => {
    expect(() => changeOf(accountOf(tier), { rate_limits: LIMITS })).toThrow(Unprocessable);
    expect(() => changeOf(accountOf('enterprise'), { tier, rate_limits: LIMITS })).toThrow(Unprocessable);
  });

  it('judges limits by the tier that the same request sets', () => {
    expect(changeOf(accountOf('free'), { tier: 'enterprise', rate_limits: LIMITS })).toEqual({
      tier: 'enterprise',
      rateLimits: LIMITS,
    });
  });

  it('takes a rate that is absent as no limit', () => {
    const { rateLimits } = changeOf(accountOf('enterprise'), { rate_limits: { requests_per_day: 5 } });
    expect(rateLimits).toEqual({
      requests_per_second: null,
      requests_per_minute: null,
      requests_per_hour: null,
      requests_per_day: 5,
    });
  });

  it('keeps limits that the request does not name', () => {
    const account = accountOf('enterprise', LIMITS);
    expect(changeOf(account, { is_active: false })).toEqual({ rateLimits: LIMITS, isActive: false });
    expect(changeOf(account, { tier: 'enterprise' })).toEqual({ rateLimits: LIMITS, tier: 'enterprise' });
  });

  it('removes limits that are set to null', () => {
    expect(changeOf(accountOf('enterprise', LIMITS), { rate_limits: null })).toEqual({ rateLimits: null });
  });

  it('clears the limits of an account that leaves enterprise', () => {
    const change = changeOf(accountOf('enterprise', LIMITS), { tier: 'pro' });
    expect(change).toEqual({ tier: 'pro', rateLimits: null });
  });

  it('does not bring old limits back with the tier', () => {
    const change = changeOf(accountOf('pro', LIMITS), { tier: 'enterprise' });
    expect(change).toEqual({ tier: 'enterprise', rateLimits: null });
  });
});

function accountOf(tier: string, rateLimits: Account['rateLimits'] = null): Account {
  return {
    id: '0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01',
    email: 'ada@example.com',
    username: 'ada',
    passwordHash: '',
    role: 'user',
    tier,
    rateLimits,
    isActive: true,
    isEmailVerified: false,
    tokenVersion: 1,
    createdAt: new Date('2026-11-21T09:30:00.000Z'),
  };
}
