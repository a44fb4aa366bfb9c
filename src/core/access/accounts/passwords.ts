import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { threadSource } from '../../../infrastructure/threads/thread-source';
import { AccountTurns } from '../../../infrastructure/turns/account-turns';
import { ServiceUnavailable } from '../../errors/service-errors';
import type { hashPassword, verifyPassword } from './password-jobs';

/** So many works are in their turn for each thread: one asks the database while another is hashed. */
const TURNS_PER_THREAD = 2;
/** A core is left to the event loop and to Postgres, where there is one to leave. */
const THREADS_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
/** So much later begins at once, and takes a thread's start of some 50 ms. */
const IDLE_TIMEOUT_MS = 30_000;
const ADDRESS_WAITING_MAX = 12;
/** A check takes 10 to 30 ms of a core, so that these are one to three seconds of one thread. */
const TURNS_BEFORE_MAX = 100;
/** For a machine that is slower, or busy. */
const WAIT_MS_MAX = 4_000;
const RETRY_AFTER_SECONDS = 3;

/** What may be done with passwords in a turn. Each takes 10 to 30 ms of a thread. */
export interface PasswordWork {
  /** The argon2id hash to store, which contains its salt and its parameters. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits the hash. For an unknown account the hash is null: the answer is false, and takes as
   * long as for a known one, so that the time does not tell which accounts exist.
   */
  verify(hash: string | null, password: string): Promise<boolean>;
}

/**
 * Hashes and verifies passwords, which costs 10 to 30 ms and 19 MiB each on purpose, in threads of its own. In libuv's thread
 * pool, where the library would do it, a few hundred logins would keep name look-ups, files and encryption waiting, and
 * with them everything that is asked of the database.
 *
 * Callers take turns by their address: before a check begins, at most one of each other address does. Who would wait too
 * long is refused at once.
 */
@Injectable()
export class Passwords implements OnApplicationShutdown {
  private readonly turns = new AccountTurns(
    {
      atOnceMax: TURNS_PER_THREAD * THREADS_MAX,
      accountAtOnceMax: TURNS_PER_THREAD * THREADS_MAX,
      waitingMax: TURNS_BEFORE_MAX * ADDRESS_WAITING_MAX,
      accountWaitingMax: ADDRESS_WAITING_MAX,
      waitingBytesMax: Infinity,
      accountWaitingBytesMax: Infinity,
      waitMsMax: WAIT_MS_MAX,
    },
    tooMany,
  );
  /** How many works of each address are under way or wait. */
  private readonly ofAddress = new Map<string, number>();
  private readonly logger = new Logger(Passwords.name);
  private pool: Piscina | null = null;
  private readonly work: PasswordWork = {
    hash: (password) => this.run<typeof hashPassword>('hashPassword', password),
    verify: (hash, password) => this.run<typeof verifyPassword>('verifyPassword', { hash, password }),
  };

  /**
   * Runs work with passwords when it is the turn of its caller.
   * @param addressBlock that of the caller (rate-limits/address-block.ts); empty for the service itself
   * @param work must not ask for another turn
   * @throws ServiceUnavailable where too many wait; whatever the work throws
   */
  async inTurn<Result>(
    addressBlock: string,
    work: (passwords: PasswordWork) => Promise<Result>,
  ): Promise<Result> {
    const before = this.ofAddress.get(addressBlock) ?? 0;
    if (this.turns.accountCount * (before + 1) >= TURNS_BEFORE_MAX) {
      throw tooMany();
    }
    this.ofAddress.set(addressBlock, before + 1);
    try {
      return await this.turns.within(addressBlock, () => work(this.work));
    } finally {
      const left = (this.ofAddress.get(addressBlock) ?? 1) - 1;
      if (left === 0) {
        this.ofAddress.delete(addressBlock);
      } else {
        this.ofAddress.set(addressBlock, left);
      }
    }
  }

  /** Refuses what waits, and ends the threads. All calls have ended by now. */
  async onApplicationShutdown(): Promise<void> {
    this.turns.close();
    await this.pool?.destroy();
  }

  /** The threads are started when they are first needed: most processes check no password for hours. */
  private run<Job extends (input: never) => unknown>(
    name: string,
    input: Parameters<Job>[0],
  ): Promise<ReturnType<Job>> {
    this.pool ??= this.newPool();
    return this.pool.run(input, { name }) as Promise<ReturnType<Job>>;
  }

  private newPool(): Piscina {
    const pool = new Piscina({
      ...threadSource(join(__dirname, 'password-jobs')),
      name: 'verifyPassword',
      minThreads: 0,
      maxThreads: THREADS_MAX,
      idleTimeout: IDLE_TIMEOUT_MS,
    });
    // The failure of an idle thread belongs to no job. Without a listener the error would end the process.
    pool.on('error', (error: Error) => this.logger.error(error.message, error.stack));
    return pool;
  }
}

function tooMany(): ServiceUnavailable {
  return new ServiceUnavailable('Too many passwords wait to be checked; call again.', RETRY_AFTER_SECONDS);
}
