import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { ServiceUnavailable } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { threadPool } from '../runtime/thread-source';
import { fingerprint } from './credentials';
import { RateLimiter, type RateSubject, type RateWindow } from './rate-limiter';
import { RateLimitExceeded } from './rate-windows';

/** One asks the database while another is hashed. */
const TURNS_PER_THREAD = 2;
/** Leaves a core to the event loop and Postgres. */
const THREADS_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
const ADDRESS_WAITING_MAX = 12;
/** One to three seconds of one thread, as a check takes 10 to 30 ms. */
const TURNS_BEFORE_MAX = 100;
const WAIT_MS_MAX = 4_000;
const RETRY_AFTER_SECONDS = 3;

interface PasswordWork {
  hash(password: string): Promise<string>;
  /** A null hash (unknown account) takes as long, so the time does not tell which accounts exist. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

/** In libuv's pool a few hundred logins of 10 to 30 ms would delay look-ups, files and the database. */
@Injectable()
export class Passwords implements OnApplicationShutdown {
  private readonly turns = new FairConcurrencyLimit(
    {
      atOnceMax: TURNS_PER_THREAD * THREADS_MAX,
      accountAtOnceMax: TURNS_PER_THREAD * THREADS_MAX,
      waitingMax: TURNS_BEFORE_MAX * ADDRESS_WAITING_MAX,
      accountWaitingMax: ADDRESS_WAITING_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    tooMany,
  );
  private readonly pool = threadPool(
    join(__dirname, 'password-jobs'),
    { name: 'verifyPassword', maxThreads: THREADS_MAX },
    new Logger(Passwords.name),
  );
  private readonly work: PasswordWork = {
    hash: (password) => this.pool.run(password, { name: 'hashPassword' }) as Promise<string>,
    verify: (hash, password) =>
      this.pool.run({ hash, password }, { name: 'verifyPassword' }) as Promise<boolean>,
  };

  /** @param addressBlock empty for the service @param work must not take turns @throws ServiceUnavailable */
  async inTurn<Result>(
    addressBlock: string,
    work: (passwords: PasswordWork) => Promise<Result>,
  ): Promise<Result> {
    if (this.turns.accountCount * (this.turns.countOf(addressBlock) + 1) >= TURNS_BEFORE_MAX) {
      throw tooMany();
    }
    return this.turns.within(addressBlock, () => work(this.work));
  }

  async onApplicationShutdown(): Promise<void> {
    this.turns.close();
    await this.pool.destroy();
  }
}

function tooMany(): ServiceUnavailable {
  return new ServiceUnavailable('Too many passwords wait to be checked; call again.', RETRY_AFTER_SECONDS);
}

const ADDRESSES_MAX = 20;
const KEPT_MS = 30 * 24 * 3_600_000;
const WRITTEN_EVERY_MS = 3_600_000;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 40 };

/** Replaces an unknown e-mail address's account, for the same number of queries. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Guesses from where the account logged in lately are not slowed by strangers'. Addresses are hashed. */
@Injectable()
export class LoginAddresses {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  async isKnown(accountId: string | null, addressBlock: string): Promise<boolean> {
    const id = accountId ?? NOBODY;
    const known = [id, fingerprint(`${id} ${addressBlock}`), this.before(KEPT_MS)];
    const rows: unknown[] = await this.databases.of(id).query(KNOWN, known);
    return rows.length > 0;
  }

  async remember(accountId: string, addressBlock: string): Promise<void> {
    const database = this.databases.of(accountId);
    const written: unknown[] = await database.query(REMEMBER, [
      accountId,
      fingerprint(`${accountId} ${addressBlock}`),
      this.clock.now(),
      this.before(WRITTEN_EVERY_MS),
    ]);
    if (written.length > 0) {
      await database.query(FORGET_BEYOND, [accountId, ADDRESSES_MAX]);
    }
  }

  async sweep(): Promise<void> {
    await this.databases.deleteInEach(FORGET_OLD, this.before(KEPT_MS), SWEEP_BATCHES);
  }

  private before(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms);
  }
}

const KNOWN = `
  SELECT FROM login_addresses WHERE account_id = $1 AND address_hash = $2 AND logged_in_at > $3`;

const REMEMBER = `
  INSERT INTO login_addresses AS known (account_id, address_hash, logged_in_at) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, address_hash) DO UPDATE SET logged_in_at = excluded.logged_in_at
    WHERE known.logged_in_at <= $4
  RETURNING account_id`;

// Skips rows that another login is changing.
const FORGET_BEYOND = `
  DELETE FROM login_addresses WHERE account_id = $1 AND address_hash IN (
    SELECT address_hash FROM login_addresses WHERE account_id = $1
    ORDER BY logged_in_at DESC, address_hash OFFSET $2 FOR UPDATE SKIP LOCKED)`;

const FORGET_OLD = `
  DELETE FROM login_addresses WHERE (account_id, address_hash) IN (
    SELECT account_id, address_hash FROM login_addresses WHERE logged_in_at <= $1 LIMIT $2)`;

// Three guesses at once, then one after 1, 2, 4, 8, 16, 32 and 64 seconds, at most ten in 15 minutes. Two
// subjects, because one has a single window of each name.
const FIRST_GUESSES: readonly RateWindow[] = [
  { name: 'second', lengthMs: 1_000, limit: 3 },
  { name: 'minute', lengthMs: 3_000, limit: 4 },
  { name: 'hour', lengthMs: 7_000, limit: 5 },
  { name: 'day', lengthMs: 15_000, limit: 6 },
];
const LATER_GUESSES: readonly RateWindow[] = [
  { name: 'second', lengthMs: 31_000, limit: 7 },
  { name: 'minute', lengthMs: 63_000, limit: 8 },
  { name: 'hour', lengthMs: 127_000, limit: 9 },
  { name: 'day', lengthMs: 900_000, limit: 10 },
];
const STRANGERS_GUESSES: readonly RateWindow[] = [{ name: 'hour', lengthMs: 3_600_000, limit: 100 }];

interface Guess {
  readonly account: string;
  readonly addressBlock: string;
  readonly isKnownAddress: boolean;
}

/** Known addresses count apart from strangers. Unknown e-mail addresses count alike, to reveal nothing. */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /** Counts a failure before the check, or many could begin at once. @throws RateLimitExceeded */
  async guess(guess: Guess, fits: () => Promise<boolean>): Promise<boolean> {
    const subjects = subjectsOf(guess);
    const decision = await this.limiter.take(subjects, this.clock.now().getTime());
    if (!decision.allowed) {
      const seconds = decision.retryAfterSeconds;
      throw new RateLimitExceeded(decision, `Too many failed logins; retry in ${seconds} seconds.`);
    }
    const isRight = await fits();
    if (isRight) {
      await Promise.all(subjects.map(async ({ id }) => this.limiter.forget(id)));
    }
    return isRight;
  }
}

function subjectsOf({ account, addressBlock, isKnownAddress }: Guess): RateSubject[] {
  const pair: RateSubject['id'] = `login:${fingerprint(`${account} ${addressBlock}`)}`;
  const strangers: RateSubject = { id: `login:${fingerprint(account)}`, windows: STRANGERS_GUESSES };
  return [
    { id: `${pair}:first`, windows: FIRST_GUESSES },
    { id: `${pair}:later`, windows: LATER_GUESSES },
    ...(isKnownAddress ? [] : [strangers]),
  ];
}
