import { LRUCache } from 'lru-cache';
import {
  type RateDecision,
  RateLimiter,
  type RateRoom,
  type RateSubject,
  type RateWindow,
  type RateWindowName,
  type RefusedCall,
} from './rate-limiter';
import { ApiError } from '../errors/api-errors';

const CELLS_FIRST = 4;
const CELLS_MAX = 64;
const CELLS_PER_WINDOW = 60;

/**
 * A sliding window in constant memory, exact or stricter, never laxer. Each ring cell counts one call up to a
 * limit of 64, else a sixtieth of the window. Counts survive a change of the window.
 */
export class CallHistory {
  /** Times and counts alternate: one typed array costs far less than objects. */
  private cells = new Float64Array(2 * CELLS_FIRST);
  /** A power of two, so that a bit mask wraps a slot around. */
  private capacity = CELLS_FIRST;
  private oldestSlot = 0;
  private size = 0;
  private counted = 0;

  // In a window that became longer, calls that left may count again, within these bounds.
  private forgotten = 0;
  private forgottenLastMs = 0;
  private limitHighest: number;
  private lengthShortestMs: number;

  private cellMs = 0;

  constructor(private window: RateWindow) {
    this.limitHighest = window.limit;
    this.lengthShortestMs = window.lengthMs;
    this.apply(window);
  }

  get currentWindow(): RateWindow {
    return this.window;
  }

  get room(): number {
    return Math.max(0, this.window.limit - this.counted);
  }

  /** Call before all else, with times that never decrease. @throws RangeError */
  advance(window: RateWindow, nowMs: number): void {
    if (window !== this.window) {
      this.apply(window);
    }
    while (this.size > 0 && this.timeMs(0) + window.lengthMs <= nowMs) {
      this.forgetOldest();
    }
  }

  add(nowMs: number): void {
    this.counted += 1;
    const newest = this.size - 1;
    if (this.size > 0 && this.shareCell(this.timeMs(newest), nowMs)) {
      this.setCell(newest, nowMs, this.count(newest) + 1);
      return;
    }
    this.makeSpace();
    this.size += 1;
    this.setCell(this.size - 1, nowMs, 1);
  }

  /** When {@link room} grows without further calls. @throws RangeError when no call is counted */
  growsAtMs(): number {
    if (this.counted === 0) {
      throw new RangeError('An empty rate window does not grow');
    }
    const toLeave = Math.max(1, this.counted - this.window.limit + 1);
    let index = 0;
    for (let left = this.count(0); left < toLeave; left += this.count(index)) {
      index += 1;
    }
    return this.timeMs(index) + this.window.lengthMs;
  }

  private apply(window: RateWindow): void {
    if (!(window.limit >= 1 && window.lengthMs >= 1)) {
      throw new RangeError(`A rate window of ${window.limit} calls per ${window.lengthMs} ms is impossible`);
    }
    if (window.lengthMs > this.window.lengthMs) {
      this.remember(window.lengthMs);
    }
    this.window = window;
    this.cellMs = window.limit <= CELLS_MAX ? 0 : Math.ceil(window.lengthMs / CELLS_PER_WINDOW);
    this.limitHighest = Math.max(this.limitHighest, window.limit);
    this.lengthShortestMs = Math.min(this.lengthShortestMs, window.lengthMs);
  }

  /** All count as made at the last one's time, but no more than the windows can have let through. */
  private remember(lengthMs: number): void {
    const most = this.limitHighest * Math.ceil(lengthMs / this.lengthShortestMs);
    const again = Math.min(this.forgotten, most);
    if (again === 0) {
      return;
    }
    this.makeSpace();
    this.oldestSlot = (this.oldestSlot - 1) & (this.capacity - 1);
    this.size += 1;
    this.counted += again;
    this.forgotten -= again;
    this.setCell(0, this.forgottenLastMs, again);
  }

  private shareCell(lastMs: number, nowMs: number): boolean {
    return this.cellMs > 0 && Math.floor(lastMs / this.cellMs) === Math.floor(nowMs / this.cellMs);
  }

  private forgetOldest(): void {
    this.forgotten += this.count(0);
    this.forgottenLastMs = this.timeMs(0);
    this.counted -= this.count(0);
    this.dropOldest();
  }

  private dropOldest(): void {
    this.oldestSlot = (this.oldestSlot + 1) & (this.capacity - 1);
    this.size -= 1;
  }

  private makeSpace(): void {
    if (this.size < this.capacity) {
      return;
    }
    if (this.capacity < CELLS_MAX) {
      this.grow();
      return;
    }
    // After a change of the window: merges the two oldest, which then count a little too long.
    const together = this.count(0) + this.count(1);
    this.dropOldest();
    this.setCell(0, this.timeMs(0), together);
  }

  private grow(): void {
    const grown = new Float64Array(2 * this.cells.length);
    const untilEnd = this.cells.subarray(2 * this.oldestSlot);
    grown.set(untilEnd);
    grown.set(this.cells.subarray(0, 2 * this.oldestSlot), untilEnd.length);
    this.cells = grown;
    this.capacity *= 2;
    this.oldestSlot = 0;
  }

  private timeMs(index: number): number {
    return this.cells[this.position(index)] as number;
  }

  private count(index: number): number {
    return this.cells[this.position(index) + 1] as number;
  }

  private setCell(index: number, timeMs: number, count: number): void {
    const position = this.position(index);
    this.cells[position] = timeMs;
    this.cells[position + 1] = count;
  }

  private position(index: number): number {
    return 2 * ((this.oldestSlot + index) & (this.capacity - 1));
  }
}

type SubjectHistories = Partial<Record<RateWindowName, CallHistory>>;

/** Evicts the least recent. Addresses have a pool of their own: a flood of them must not evict accounts. */
export class InProcessRateLimiter extends RateLimiter {
  private readonly accounts: LRUCache<string, SubjectHistories>;
  private readonly addresses: LRUCache<string, SubjectHistories>;
  private readonly logins: LRUCache<string, SubjectHistories>;

  private readonly touched: CallHistory[] = [];
  private latestMs = 0;
  private clockOffsetMs = 0;

  constructor(subjectsMax = 100_000) {
    super();
    // `max` instead would allocate the whole cache at start.
    const pool = { maxSize: subjectsMax, sizeCalculation: () => 1 };
    this.accounts = new LRUCache(pool);
    this.addresses = new LRUCache(pool);
    this.logins = new LRUCache(pool);
  }

  /** In windows of over 64 calls one may count a sixtieth too long. @throws Error for a repeated window */
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

  peek(subjects: readonly RateSubject[], nowMs: number): { room: number; refused: RefusedCall | null } {
    const timeMs = this.forwardOnly(nowMs);
    const room = this.look(subjects, timeMs);
    return { room, refused: room === 0 ? this.refused(this.tightest(0), timeMs) : null };
  }

  override forget(id: RateSubject['id']): void {
    this.poolOf(id).delete(id);
  }

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
    if (id.startsWith('account:')) {
      return this.accounts;
    }
    return id.startsWith('login:') ? this.logins : this.addresses;
  }

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

  private refused(closed: CallHistory, timeMs: number): RefusedCall {
    return refusedCall(this.roomOf(closed), closed.growsAtMs() - timeMs);
  }

  private roomOf(history: CallHistory): RateRoom {
    return rateRoom(history.currentWindow, history.room, history.growsAtMs() - this.clockOffsetMs);
  }

  /** Never runs backwards: after a set-back every window would stay closed until the clock caught up. */
  private forwardOnly(nowMs: number): number {
    if (!Number.isFinite(nowMs)) {
      throw new RangeError(`${nowMs} is not a time`);
    }
    const behindMs = this.latestMs - (nowMs + this.clockOffsetMs);
    // No call waits this long to be counted, so the clock was set back.
    if (behindMs > 300_000) {
      this.clockOffsetMs += behindMs;
    }
    this.latestMs = Math.max(this.latestMs, nowMs + this.clockOffsetMs);
    return this.latestMs;
  }
}

export function rateRoom({ limit, lengthMs }: RateWindow, remaining: number, growsAtMs: number): RateRoom {
  return {
    limit,
    remaining,
    resetAtSeconds: Math.ceil(growsAtMs / 1_000),
    windowSeconds: Math.ceil(lengthMs / 1_000),
  };
}

export function refusedCall(room: RateRoom, waitMs: number): RefusedCall {
  return { allowed: false, ...room, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** None for an unlimited call. Source: reference, "Rate limits". */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  if (decision.limit === null) {
    return {};
  }
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(decision.resetAtSeconds),
    'X-RateLimit-Window': String(decision.windowSeconds),
  };
  if (!decision.allowed) {
    headers['Retry-After'] = String(decision.retryAfterSeconds);
  }
  return headers;
}

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** 429: a window is full. The call was counted in none. */
export class RateLimitExceeded extends ApiError {
  constructor(refused: RefusedCall, message = messageOf(refused)) {
    super(429, 'Rate limit exceeded', message, {
      fields: refusalFields(refused),
      headers: rateLimitHeaders(refused),
    });
  }
}

export function refusalFields({ retryAfterSeconds, limit, windowSeconds }: RefusedCall) {
  return { retry_after: retryAfterSeconds, limit, window: windowText(windowSeconds) };
}

/** Source: reference, "Error body". Others in seconds: 1 call in 5 seconds is not 1 in a second. */
function windowText(seconds: number): string {
  const unit = UNITS.find(([, length]) => length === seconds);
  return unit ? unit[0] : `${seconds}s`;
}

/** A fractional rate's window is longer than its named span. */
function messageOf({ limit, windowSeconds, retryAfterSeconds }: RefusedCall): string {
  const calls = limit === 1 ? '1 call' : `${limit} calls`;
  return `At most ${calls} per ${spanText(windowSeconds)}. Try again in ${spanText(retryAfterSeconds)}.`;
}

function spanText(seconds: number): string {
  const [unit, unitSeconds] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / unitSeconds;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
