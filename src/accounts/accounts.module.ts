import { Global, Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration, InvalidConfiguration } from '../config/configuration';
import { RedisConnection } from '../database/redis-connection';
import { Conflict } from '../errors/api-errors';
import { CallTraces } from '../events/call-traces';
import { EventRetention } from '../events/outbox';
import { Clock, SystemClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { part, timed } from '../work/timers';
import { AccessKeyEntity, AccessKeys } from './access-keys';
import { AccountTokens, JwtSecret, JwtStrategy } from './credentials';
import { Account, Accounts } from './accounts';
import { AdminActions } from './admin-actions';
import { Sightings } from './anomaly-observations';
import { ConsoleSessions } from './console-sessions';
import { faultOfNewEmail } from './email-address';
import { KeyAddresses, KeyDirectory, KeyLookUps } from './key-cache';
import { LoginAddresses, LoginAttempts, Passwords } from './password-login';
import { Mailer, PasswordResets } from './password-resets';
import { RateLimiterMetrics, RedisRateLimiter } from './redis-rate-limiter';
import { InProcessRateLimiter } from './rate-windows';
import { RateLimiter } from './rate-limiter';
import { InvalidKeyCalls, RateLimitEvents } from './refused-calls';
import { SpendingLimitsRepository } from './spending-limits';

/** An admin keeps his password; anybody else with the address stops the start, unless it may promote him. */
@Injectable()
class FirstAdmin implements OnApplicationBootstrap {
  private readonly logger = new Logger(FirstAdmin.name);

  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly configuration: Configuration,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail, adminPassword } = this.configuration;
    if (!adminEmail || !adminPassword) {
      await this.warnWithoutAdmin();
      return;
    }
    if (!(await this.accounts.findByEmail(adminEmail))) {
      const fault = faultOfNewEmail(adminEmail);
      if (fault !== null) {
        throw new InvalidConfiguration([`ADMIN_EMAIL ${fault}`]);
      }
      await this.make(adminEmail, adminPassword);
    }
    // Checked after creation too: a stranger may have registered the address.
    await this.hold(adminEmail, adminPassword);
  }

  private async warnWithoutAdmin(): Promise<void> {
    if (!(await this.accounts.hasActiveAdmin())) {
      this.logger.warn(
        'No account is an active admin, so nobody can add credit, review payments or use `npm run admin`: ' +
          'start once with ADMIN_EMAIL and ADMIN_PASSWORD, which make one',
      );
    }
  }

  private async make(email: string, password: string): Promise<void> {
    const name = `admin-${email
      .split('@')[0]
      ?.replaceAll(/[^A-Za-z0-9_.-]/g, '')
      .slice(0, 16)}`;
    const passwordHash = await this.hash(password);
    for (const username of [name, `${name}-${newId().slice(-8)}`]) {
      try {
        await this.accounts.create({ email, username, passwordHash, role: 'admin', tier: 'enterprise' });
        return;
      } catch (error) {
        if (!(error instanceof Conflict)) {
          throw error;
        }
      }
      // Another replica that starts at the same time may have made it.
      if (await this.accounts.findByEmail(email)) {
        return;
      }
    }
    throw new Error(`the first admin ${email} could not be made: its username is taken`);
  }

  private hash(password: string): Promise<string> {
    return this.passwords.inTurn('', (passwords) => passwords.hash(password));
  }

  private async hold(email: string, password: string): Promise<void> {
    const account = await this.accounts.findByEmail(email);
    if (!account) {
      throw new Error(`the first admin ${email} was not found after it was made`);
    }
    const isAdmin = account.role === 'admin';
    if (isAdmin && (account.isActive || (await this.accounts.hasActiveAdmin()))) {
      return;
    }
    if (!this.configuration.adminPromote) {
      const fault = isAdmin ? 'a disabled admin, and there is no other' : 'an account that is no admin';
      throw new InvalidConfiguration([
        `ADMIN_EMAIL is the address of ${fault}: name another one, or set ADMIN_PROMOTE=true to make it an ` +
          'active admin with ADMIN_PASSWORD as its password',
      ]);
    }
    if (await this.accounts.promote(account.id, await this.hash(password))) {
      this.logger.warn(`The account ${account.id} was made an admin, because ADMIN_PROMOTE is set`);
    }
  }
}

const SERVICES = [
  AccessKeys,
  Accounts,
  AccountTokens,
  AdminActions,
  ConsoleSessions,
  FirstAdmin,
  InvalidKeyCalls,
  JwtStrategy,
  KeyAddresses,
  KeyDirectory,
  KeyLookUps,
  LoginAddresses,
  LoginAttempts,
  Mailer,
  PasswordResets,
  Passwords,
  RateLimitEvents,
  RateLimiterMetrics,
  Sightings,
  SpendingLimitsRepository,
];

@Global()
@Module({
  imports: [
    PassportModule,
    JwtModule.registerAsync({
      inject: [JwtSecret],
      useFactory: ({ key }: JwtSecret) => ({ secret: key, signOptions: { algorithm: 'HS256' } }),
    }),
    TypeOrmModule.forFeature([Account, AccessKeyEntity]),
  ],
  providers: [
    ...SERVICES,
    {
      provide: RateLimiter,
      inject: [RedisConnection, RateLimiterMetrics, Clock],
      useFactory: (redis: RedisConnection | null, metrics: RateLimiterMetrics, clock: Clock) => {
        // Redis' clock, except in tests with a clock of their own.
        const time = clock instanceof SystemClock ? 'of redis' : 'of the caller';
        return redis === null ? new InProcessRateLimiter() : new RedisRateLimiter({ redis, metrics, time });
      },
    },
  ],
  exports: [...SERVICES, RateLimiter],
})
export class AccountsModule {}

@Injectable()
export class EventCleanup {
  private readonly logger = new Logger('EventCleanup');

  constructor(
    private readonly events: EventRetention,
    private readonly sightings: Sightings,
    private readonly traces: CallTraces,
  ) {}

  async remove(now: Date, signal: AbortSignal): Promise<void> {
    const { logger, events, traces, sightings } = this;
    await part(logger, 'the removal of old events', () => events.removeEvents(now, signal));
    await part(logger, 'the removal of free marks', () => events.removeMarks(now, signal));
    await part(logger, 'forgetting slow receivers', () => events.removeSlowReceivers(now, signal));
    await part(logger, 'the removal of old traces', () => traces.sweep(now, signal));
    await part(logger, 'the removal of old sightings', () => sightings.sweep(now, signal));
  }
}

export const EVENT_TIMERS = [
  timed({
    name: 'EventCleanup',
    everyMs: 60_000,
    of: EventCleanup,
    work: (events, { now, signal }) => events.remove(now, signal),
  }),
];
