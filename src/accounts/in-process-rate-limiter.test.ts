import { InProcessRateLimiter } from './rate-windows';
import type { RateDecision, RateSubject } from './rate-limiter';
import type { RateWindow } from './rate-limiter';

const START_MS = 1_800_000_000_000;
const START_SECONDS = START_MS / 1_000;
const SECOND: RateWindow = { name: 'second', lengthMs: 1_000, limit: 1 };
const MINUTE: RateWindow = { name: 'minute', lengthMs: 60_000, limit: 10 };
const DAY: RateWindow = { name: 'day', lengthMs: 86_400_000, limit: 1_000 };

function subject(id: RateSubject['id'], ...windows: RateWindow[]): RateSubject {
  return { id, windows };
}

/** Calls until a call is refused, at most 2,000 times, and returns how many calls were allowed. */
function drain(limiter: InProcessRateLimiter, subjects: RateSubject[], timeMs: number): number {
  let allowed = 0;
  while (allowed < 2_000 && limiter.take(subjects, timeMs).allowed) {
    allowed += 1;
  }
  return allowed;
}

function remaining(decision: RateDecision): number | null {
  return decision.limit === null ? null : decision.remaining;
}

describe('InProcessRateLimiter refuses', () => {
  it('the call after the last one that fits, and says when to come back', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', SECOND, MINUTE)];
    limiter.take(caller, START_MS);
    expect(limiter.take(caller, START_MS + 250)).toEqual({
      allowed: false,
      limit: 1,
      remaining: 0,
      resetAtSeconds: START_SECONDS + 1,
      windowSeconds: 1,
      retryAfterSeconds: 1,
    });
  });

  it('by the window that opens last when several are closed', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', { ...SECOND, limit: 10 }, MINUTE, { ...DAY, limit: 11 })];
    expect(drain(limiter, caller, START_MS)).toBe(10);
    expect(limiter.take(caller, START_MS + 1)).toMatchObject({ windowSeconds: 60, retryAfterSeconds: 60 });
    expect(limiter.take(caller, START_MS + 60_000)).toMatchObject({ allowed: true, windowSeconds: 86_400 });
    expect(limiter.take(caller, START_MS + 60_000)).toMatchObject({
      allowed: false,
      limit: 11,
      windowSeconds: 86_400,
      retryAfterSeconds: 86_340,
    });
  });

  it('when one of several subjects has no room, and counts the call for none of them', () => {
    const limiter = new InProcessRateLimiter();
    const address = subject('ip:192.0.2.1', { ...MINUTE, limit: 2 });
    const account = subject('account:a', MINUTE);
    expect(drain(limiter, [address], START_MS)).toBe(2);
    expect(limiter.take([account, address], START_MS).allowed).toBe(false);
    expect(limiter.take([address, account], START_MS).allowed).toBe(false);
    expect(remaining(limiter.take([account], START_MS))).toBe(9);
  });

  it('a window given twice, windows without room for any call, and times that are none', () => {
    const limiter = new InProcessRateLimiter();
    const account = subject('account:a', MINUTE);
    expect(() => limiter.take([account, account], START_MS)).toThrow(
      'The minute window of account:a is given twice',
    );
    expect(() => limiter.take([subject('account:b', { ...MINUTE, limit: 0 })], START_MS)).toThrow(RangeError);
    expect(() => limiter.take([subject('account:b', { ...MINUTE, lengthMs: NaN })], START_MS)).toThrow(
      RangeError,
    );
    expect(() => limiter.take([account], NaN)).toThrow('NaN is not a time');
    expect(remaining(limiter.take([account], START_MS))).toBe(9);
  });
});

describe('InProcessRateLimiter allows', () => {
  it('without numbers what no window limits', () => {
    const limiter = new InProcessRateLimiter();
    expect(limiter.take([], START_MS)).toEqual({ allowed: true, limit: null });
    expect(limiter.take([subject('account:a')], START_MS)).toEqual({ allowed: true, limit: null });
  });

  it('and shows the window with the smallest count left, not the smallest share', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', { ...SECOND, limit: 5 }, { ...MINUTE, limit: 100 })];
    drain(limiter, caller, START_MS);
    for (let second = 1; second <= 17; second += 1) {
      drain(limiter, caller, START_MS + second * 1_000);
    }
    expect(limiter.take(caller, START_MS + 19_000)).toEqual({
      allowed: true,
      limit: 5,
      remaining: 4,
      resetAtSeconds: START_SECONDS + 20,
      windowSeconds: 1,
    });
  });

  it('and shows the window that takes longest to gain room when several have equally little', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', { ...SECOND, limit: 10 }), subject('account:b', MINUTE)];
    expect(limiter.take(caller, START_MS)).toMatchObject({
      remaining: 9,
      windowSeconds: 60,
      resetAtSeconds: START_SECONDS + 60,
    });
  });

  it('a call as soon as the refusal said', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', MINUTE)];
    drain(limiter, caller, START_MS);
    expect(limiter.take(caller, START_MS + 59_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    expect(limiter.take(caller, START_MS + 60_000).allowed).toBe(true);
  });

  it('again the whole limit after a window of many calls has passed', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', DAY)];
    expect(drain(limiter, caller, START_MS)).toBe(1_000);
    expect(drain(limiter, caller, START_MS + DAY.lengthMs - 1)).toBe(0);
    expect(drain(limiter, caller, START_MS + DAY.lengthMs)).toBe(1_000);
  });
});

describe('InProcessRateLimiter, when the tier changes', () => {
  it('applies a lower limit at once to what was already counted', () => {
    const limiter = new InProcessRateLimiter();
    for (let call = 0; call < 10; call += 1) {
      limiter.take([subject('account:a', MINUTE)], START_MS + call * 1_000);
    }
    const lowered = [subject('account:a', { ...MINUTE, limit: 4 })];
    expect(limiter.take(lowered, START_MS + 10_000)).toMatchObject({
      allowed: false,
      limit: 4,
      remaining: 0,
      retryAfterSeconds: 56,
    });
    expect(limiter.take(lowered, START_MS + 65_999).allowed).toBe(false);
    expect(limiter.take(lowered, START_MS + 66_000).allowed).toBe(true);
  });

  it('gives no fresh allowance with a higher limit, nor by changing to and fro', () => {
    const limiter = new InProcessRateLimiter();
    const higher = [subject('account:a', { ...MINUTE, limit: 1_000 })];
    const lower = [subject('account:a', MINUTE)];
    expect(drain(limiter, lower, START_MS)).toBe(10);
    expect(drain(limiter, higher, START_MS + 1)).toBe(990);
    expect(drain(limiter, lower, START_MS + 2)).toBe(0);
    expect(drain(limiter, higher, START_MS + 3)).toBe(0);
  });
});

describe('InProcessRateLimiter, when it is full', () => {
  it('forgets the subject that was seen longest ago', () => {
    const limiter = new InProcessRateLimiter(2);
    const first = [subject('account:a', DAY)];
    const second = [subject('account:b', DAY)];
    const third = [subject('account:c', DAY)];
    limiter.take(first, START_MS);
    limiter.take(second, START_MS);
    limiter.take(first, START_MS);
    limiter.take(third, START_MS);
    expect(remaining(limiter.take(first, START_MS))).toBe(997);
    expect(remaining(limiter.take(second, START_MS))).toBe(999);
  });

  it('never forgets an account because of strangers', () => {
    const limiter = new InProcessRateLimiter(2);
    const first = [subject('account:a', { ...DAY, limit: 1 })];
    const second = [subject('account:b', { ...DAY, limit: 1 })];
    limiter.take([...first, ...second], START_MS);
    for (let stranger = 0; stranger < 10; stranger += 1) {
      limiter.take([subject(`ip:192.0.2.${stranger}`, MINUTE)], START_MS);
      limiter.take([subject(`login:${stranger}@example.com`, MINUTE)], START_MS);
    }
    expect(limiter.take(first, START_MS).allowed).toBe(false);
    expect(limiter.take(second, START_MS).allowed).toBe(false);
  });
});

describe('InProcessRateLimiter, when the clock is not steady', () => {
  it('counts a call that comes a little late as made now', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', { ...SECOND, limit: 2 })];
    limiter.take(caller, START_MS + 500);
    limiter.take(caller, START_MS);
    expect(limiter.take(caller, START_MS + 1_499).allowed).toBe(false);
    expect(limiter.take(caller, START_MS + 1_500).allowed).toBe(true);
  });

  it('neither closes nor opens windows when the clock is set back by an hour', () => {
    const limiter = new InProcessRateLimiter();
    const caller = [subject('account:a', MINUTE)];
    drain(limiter, caller, START_MS);
    const corrected = START_MS - 3_600_000;
    expect(limiter.take(caller, corrected)).toMatchObject({
      allowed: false,
      retryAfterSeconds: 60,
      resetAtSeconds: corrected / 1_000 + 60,
    });
    expect(limiter.take(caller, corrected + 59_999).allowed).toBe(false);
    expect(limiter.take(caller, corrected + 60_000).allowed).toBe(true);
  });
});
