import { Module, type DynamicModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, SystemClock } from '../infrastructure/clock/clock';
import { RedisConnection } from '../infrastructure/redis/redis-connection';
import { AccessKey } from './access-keys/access-key.entity';
import { AccessKeys } from './access-keys/access-keys.repository';
import { KeyDirectory } from './access-keys/key-directory';
import { SpendingLimitsRepository } from './access-keys/spending-limits.repository';
import { Account } from './accounts/account.entity';
import { AccountTokens } from './accounts/account-tokens';
import { Accounts } from './accounts/accounts.repository';
import { FirstAdmin } from './accounts/first-admin';
import { JwtSecret } from './accounts/jwt-secret';
import { JwtStrategy } from './accounts/jwt.strategy';
import { LoginAttempts } from './accounts/login-attempts';
import { Passwords } from './accounts/passwords';
import { Calls } from './calls/calls.repository';
import { Idempotency } from './idempotency/idempotency';
import { Balances } from './ledger/balances.repository';
import { GroupCommitLedger } from './ledger/group-commit-ledger';
import { Ledger } from './ledger/ledger';
import { LedgerMetrics } from './ledger/ledger-metrics';
import { ReconciliationRepository } from './ledger/reconciliation.repository';
import { Transactions } from './ledger/transactions.repository';
import { MemoriesRepository } from './memories/memories.repository';
import { MemoryRecord } from './memories/memory.entity';
import { PriceList } from './pricing/price-list';
import { InProcessRateLimiter } from './rate-limits/in-process-rate-limiter';
import { RateLimiter } from './rate-limits/rate-limiter';
import { RateLimiterMetrics } from './rate-limits/rate-limiter-metrics';
import type { RateTiers } from './rate-limits/rate-tiers';
import { RedisRateLimiter } from './rate-limits/redis-rate-limiter';
import { TierRates } from './rate-limits/tier-rates';
import { UpgradeRequests } from './support/upgrade-requests.repository';

export interface CoreOptions {
  jwtSecret: JwtSecret;
  prices: PriceList;
  rateTiers: RateTiers;
}

const SERVICES = [
  AccessKeys,
  Accounts,
  AccountTokens,
  Balances,
  Calls,
  FirstAdmin,
  Idempotency,
  JwtStrategy,
  KeyDirectory,
  LedgerMetrics,
  LoginAttempts,
  MemoriesRepository,
  Passwords,
  RateLimiterMetrics,
  ReconciliationRepository,
  SpendingLimitsRepository,
  Transactions,
  UpgradeRequests,
];

/** The rules that several groups share. */
@Module({})
export class CoreModule {
  static with({ jwtSecret, prices, rateTiers }: CoreOptions): DynamicModule {
    const values = [
      { provide: JwtSecret, useValue: jwtSecret },
      { provide: PriceList, useValue: prices },
      { provide: TierRates, useValue: new TierRates(rateTiers) },
      {
        provide: RateLimiter,
        inject: [RedisConnection, RateLimiterMetrics, Clock],
        useFactory: rateLimiter,
      },
      { provide: Ledger, useClass: GroupCommitLedger },
    ];
    return {
      module: CoreModule,
      global: true,
      imports: [
        PassportModule,
        JwtModule.register({ secret: jwtSecret.value, signOptions: { algorithm: 'HS256' } }),
        TypeOrmModule.forFeature([Account, AccessKey, MemoryRecord]),
      ],
      providers: [...SERVICES, ...values],
      exports: [...SERVICES, PriceList, TierRates, RateLimiter, Ledger],
    };
  }
}

/** Shared through Redis where there is one. A clock that is not the system's is a test's, which Redis can't know. */
function rateLimiter(redis: RedisConnection | null, metrics: RateLimiterMetrics, clock: Clock): RateLimiter {
  const time = clock instanceof SystemClock ? 'of redis' : 'of the caller';
  return redis === null ? new InProcessRateLimiter() : new RedisRateLimiter({ redis, metrics, time });
}
