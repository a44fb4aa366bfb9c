import { LRUCache } from 'lru-cache';
import { CallHistory } from './call-history';
import {
  type RateDecision,
  RateLimiter,
  type RateRoom,
  type RateSubject,
  type RefusedCall,
} from './rate-limiter';
import type { RateWindowName } from './rate-windows';

const SUBJECTS_MAX = 100_000;

// A call that waited between reading the clock and being counted is late by less; more is a clock set back.
const CLOCK_STEP_BACK_MS_MIN = 300_000;

type SubjectHistories = Partial<Record<RateWindowName, CallHistory>>;

/**
 * The limiter of a single process: counts in memory, decides at once.
 *
 * At most `subjectsMax` subjects are kept of those that the service issued (keys, accounts), and as many each of
 * those that strangers make up (addresses, login names), each in about 3 KB at most. The least recently seen one
 * is evicted, and starts afresh if it returns. That is no way around a limit: to evict one, `subjectsMax` others of the same pool must
 * call, and whoever commands so many allowances gains nothing from one more. The pools are apart because
 * addresses cost nothing: a flood of them must not evict the counts of a key, or of the guesses at a password.
 */
export class InProcessRateLimiter extends RateLimiter {
  private readonly issued: LRUCache<string, SubjectHistories>;
  private readonly addresses: LRUCache<string, SubjectHistories>;
  private readonly logins: LRUCache<string, SubjectHistories>;

  /** The histories of the call being decided; kept, so that a call allocates nothing but its decision. */
  private readonly touched: CallHistory[] = [];
  private latestMs = 0;
  private clockOffsetMs = 0;

  /** @param subjectsMax bound of each of the three pools */
  constructor(subjectsMax: number = SUBJECTS_MAX) {
    super();
    this.issued = new LRUCache({ max: subjectsMax });
    this.addresses = new LRUCache({ max: subjectsMax });
    this.logins = new LRUCache({ max: subjectsMax });
  }

  /**
   * Decides one call; see {@link RateLimiter.take}. A call counts a sixtieth of a window too long at most, and
   * only in windows of more than 64 calls. Calls made while a window was not in force are not counted in it.
   *
   * @throws Error when a window of a subject is given twice
   * @throws RangeError when `nowMs` is not a finite number, or a window allows less than one call
   */
  override take(subjects: readonly RateSubject[], nowMs: number): RateDecision {
    const timeMs = this.forwardOnly(nowMs);
    const room = this.look(subjects, timeMs);
    if (room === Infinity) {
      return { allowed: true, limit: null };
    }
    if (room === 0) {
      return this.refused(this.tightest(0), timeMs);
    }
    for (const history of this.touched) {
      history.add(timeMs);
    }
    return { allowed: true, ...this.roomOf(this.tightest(room - 1)) };
  }

  override forget(id: RateSubject['id']): void {
    this.poolOf(id).delete(id);
  }

  /** Collects the call's histories, brought to the present, and gives the smallest room among them. */
  private look(subjects: readonly RateSubject[], timeMs: number): number {
    this.touched.length = 0;
    let smallest = Infinity;
    for (const { id, windows } of subjects) {
      const histories = this.historiesOf(id);
      for (const window of windows) {
        const history = (histories[window.name] ??= new CallHistory(window));
        if (this.touched.includes(history)) {
          throw new Error(`The ${window.name} window of ${id} is given twice for one call`);
        }
        history.advance(window, timeMs);
        this.touched.push(history);
        smallest = Math.min(smallest, history.room);
      }
    }
    return smallest;
  }

  private historiesOf(id: string): SubjectHistories {
    const pool = this.poolOf(id);
    let histories = pool.get(id);
    if (histories === undefined) {
      histories = {};
      pool.set(id, histories);
    }
    return histories;
  }

  private poolOf(id: string): LRUCache<string, SubjectHistories> {
    if (id.startsWith('key:') || id.startsWith('account:')) {
      return this.issued;
    }
    return id.startsWith('login:') ? this.logins : this.addresses;
  }

  /** Among the windows with this room the one that takes longest to gain some. */
  private tightest(room: number): CallHistory {
    let slowest: CallHistory | undefined;
    let growsAtMs = -Infinity;
    for (const history of this.touched) {
      const historyGrowsAtMs = history.room === room ? history.growsAtMs() : -Infinity;
      if (historyGrowsAtMs > growsAtMs) {
        slowest = history;
        growsAtMs = historyGrowsAtMs;
      }
    }
    if (slowest === undefined) {
      throw new Error(`No rate window of the call has room for ${room} calls`);
    }
    return slowest;
  }

  /** Every closed window has no room, so the one that opens last is also the one that the caller waits for. */
  private refused(closed: CallHistory, timeMs: number): RefusedCall {
    const waitMs = closed.growsAtMs() - timeMs;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return { allowed: false, ...this.roomOf(closed), retryAfterSeconds };
  }

  private roomOf(history: CallHistory): RateRoom {
    const { limit, lengthMs, name } = history.currentWindow;
    return {
      limit,
      remaining: history.room,
      resetAtSeconds: Math.ceil((history.growsAtMs() - this.clockOffsetMs) / 1_000),
      windowSeconds: Math.ceil(lengthMs / 1_000),
      windowName: name,
    };
  }

  /**
   * The limiter's own time, which never runs backwards: a call that is a little late counts as made now, and
   * a clock that was set back counts as standing still, not as closing every window until it has caught up.
   */
  private forwardOnly(nowMs: number): number {
    if (!Number.isFinite(nowMs)) {
      throw new RangeError(`${nowMs} is not a time`);
    }
    const behindMs = this.latestMs - (nowMs + this.clockOffsetMs);
    if (behindMs > CLOCK_STEP_BACK_MS_MIN) {
      this.clockOffsetMs += behindMs;
    }
    this.latestMs = Math.max(this.latestMs, nowMs + this.clockOffsetMs);
    return this.latestMs;
  }
}
