import { Module, type DynamicModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, SystemClock } from '../../infrastructure/clock/clock';
import { RedisConnection } from '../../infrastructure/redis/redis-connection';
import { AccessKey } from './access-keys/access-key.entity';
import { AccessKeys } from './access-keys/access-keys.repository';
import { KeyDirectory } from './access-keys/key-directory';
import { KeyLookUps } from './access-keys/key-look-ups';
import { SpendingLimitsRepository } from './access-keys/spending-limits.repository';
import { Account } from './accounts/account.entity';
import { AccountTokens } from './accounts/account-tokens';
import { Accounts } from './accounts/accounts.repository';
import { FirstAdmin } from './accounts/first-admin';
import { JwtSecret } from './accounts/jwt-secret';
import { JwtStrategy } from './accounts/jwt.strategy';
import { LoginAddresses } from './accounts/login-addresses';
import { LoginAttempts } from './accounts/login-attempts';
import { Passwords } from './accounts/passwords';
import { AdminActions } from './admin-actions/admin-actions.repository';
import { InvalidKeyCalls } from './anomalies/invalid-key-calls';
import { KeyAddresses } from './anomalies/key-addresses';
import { Sightings } from './anomalies/sightings.repository';
import { InProcessRateLimiter } from './rate-limits/in-process-rate-limiter';
import { RateLimitEvents } from './rate-limits/rate-limit-events';
import { RateLimiter } from './rate-limits/rate-limiter';
import { RateLimiterMetrics } from './rate-limits/rate-limiter-metrics';
import type { RateTiers } from './rate-limits/rate-tiers';
import { RedisRateLimiter } from './rate-limits/redis-rate-limiter';
import { TierRates } from './rate-limits/tier-rates';
import { UpgradeDecisions } from './upgrade-requests/upgrade-decisions.repository';
import { UpgradeRequests } from './upgrade-requests/upgrade-requests.repository';

export interface AccessOptions {
  jwtSecret: JwtSecret;
  rateTiers: RateTiers;
}

const SERVICES = [
  AccessKeys,
  Accounts,
  AccountTokens,
  AdminActions,
  FirstAdmin,
  InvalidKeyCalls,
  JwtStrategy,
  KeyAddresses,
  KeyDirectory,
  KeyLookUps,
  LoginAddresses,
  LoginAttempts,
  Passwords,
  RateLimitEvents,
  RateLimiterMetrics,
  Sightings,
  SpendingLimitsRepository,
  UpgradeDecisions,
  UpgradeRequests,
];

/** Who may call, and how often: accounts, access keys, rate limits. */
@Module({})
export class AccessModule {
  static with({ jwtSecret, rateTiers }: AccessOptions): DynamicModule {
    return {
      module: AccessModule,
      global: true,
      imports: [
        PassportModule,
        JwtModule.register({ secret: jwtSecret.key, signOptions: { algorithm: 'HS256' } }),
        TypeOrmModule.forFeature([Account, AccessKey]),
      ],
      providers: [
        ...SERVICES,
        { provide: JwtSecret, useValue: jwtSecret },
        { provide: TierRates, useValue: new TierRates(rateTiers) },
        {
          provide: RateLimiter,
          inject: [RedisConnection, RateLimiterMetrics, Clock],
          useFactory: rateLimiter,
        },
      ],
      exports: [...SERVICES, TierRates, RateLimiter],
    };
  }
}

/**
 * Replicas share their limits through Redis where there is one. The time is then that of Redis, except under the clock
 * of a test, which Redis can't know.
 */
function rateLimiter(redis: RedisConnection | null, metrics: RateLimiterMetrics, clock: Clock): RateLimiter {
  const time = clock instanceof SystemClock ? 'of redis' : 'of the caller';
  return redis === null ? new InProcessRateLimiter() : new RedisRateLimiter({ redis, metrics, time });
}
