import { Injectable } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { ANSWER_WITHIN_MS } from '../../../infrastructure/database/deadlines';
import { ServiceUnavailable } from '../../errors/service-errors';
import { InProcessRateLimiter } from '../rate-limits/in-process-rate-limiter';
import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';
import type { RateSubject } from '../rate-limits/rate-limiter';
import { KeyDirectory, type DirectoryEntry } from './key-directory';

const ADDRESSES_MAX = 20_000;
const AT_ONCE_MAX = 20;
const WAITING_MAX = 1_000;
const RETRY_AFTER_SECONDS = 1;

/** The look-ups of one address. */
interface LookUps {
  underWay: number;
  /** Wakes those that wait for one to end, the first first. */
  readonly waiting: Set<() => void>;
}

/**
 * Looks up access keys that this process has never seen, as many as their address may guess wrong. Anybody can compute
 * the checksum of a secret, so without a bound each guess would cost a query, also of an address that gets nothing but
 * 429. Only a secret that no key has is counted: however many new keys a customer begins to use at once, none of them
 * is refused. Look-ups that could each turn out wrong are not begun together where too little is left for all of them;
 * the others wait.
 *
 * The count is this process's own. Replicas that share their rate limits each look up what an address may guess.
 */
@Injectable()
export class KeyLookUps {
  private readonly guesses = new InProcessRateLimiter(ADDRESSES_MAX);
  private readonly ofAddresses = new Map<string, LookUps>();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * The key of a secret, or null when no key has it; see {@link KeyDirectory.find}.
   * @param address the caller's address, with the windows in force for wrong guesses
   * @throws RateLimitExceeded when the address has guessed too often; the secret is not looked up then
   * @throws ServiceUnavailable when too many look-ups of the address wait, or this one has waited for five seconds: the
   *   look-ups before it may each wait as long for a database that is away
   */
  async find(secret: string, address: RateSubject): Promise<DirectoryEntry | null> {
    if (this.keys.knows(secret)) {
      return this.keys.find(secret);
    }
    const lookUps = await this.begin(address);
    try {
      const entry = await this.keys.find(secret);
      if (entry === null) {
        this.guesses.take([address], this.nowMs());
      }
      return entry;
    } finally {
      lookUps.underWay -= 1;
      this.wakeNext(address.id, lookUps);
    }
  }

  private async begin(address: RateSubject): Promise<LookUps> {
    const deadlineMs = performance.now() + ANSWER_WITHIN_MS;
    for (;;) {
      const lookUps = this.lookUpsOf(address.id);
      const { room, refused } = this.guesses.peek([address], this.nowMs());
      if (refused) {
        this.wakeNext(address.id, lookUps);
        throw new RateLimitExceeded(refused);
      }
      if (lookUps.underWay < Math.min(room, AT_ONCE_MAX)) {
        lookUps.underWay += 1;
        return lookUps;
      }
      if (lookUps.waiting.size >= WAITING_MAX) {
        throw tooManyWait();
      }
      await untilWoken(lookUps.waiting, deadlineMs);
    }
  }

  private lookUpsOf(id: string): LookUps {
    let lookUps = this.ofAddresses.get(id);
    if (!lookUps) {
      lookUps = { underWay: 0, waiting: new Set() };
      this.ofAddresses.set(id, lookUps);
    }
    return lookUps;
  }

  /** Whoever does not go on wakes the next, so that nobody waits for a look-up that does not come. */
  private wakeNext(id: string, lookUps: LookUps): void {
    const [next] = lookUps.waiting;
    if (next) {
      lookUps.waiting.delete(next);
      next();
    } else if (lookUps.underWay === 0 && this.ofAddresses.get(id) === lookUps) {
      this.ofAddresses.delete(id);
    }
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}

/** @throws ServiceUnavailable at the deadline */
function untilWoken(waiting: Set<() => void>, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(
      () => {
        waiting.delete(wake);
        reject(tooManyWait());
      },
      Math.max(0, deadlineMs - performance.now()),
    );
    waiting.add(wake);
  });
}

function tooManyWait(): ServiceUnavailable {
  return new ServiceUnavailable('Too many new keys of this address wait; call again.', RETRY_AFTER_SECONDS);
}
