import fc from 'fast-check';
import { InProcessRateLimiter } from './rate-windows';
import type { RateDecision, RateSubject } from './rate-limiter';
import type { RateWindow } from './rate-limiter';

const START_MS = 1_800_000_000_000;
const EXACT_LIMIT_MAX = 64;
// Enough for the three subjects of a call. A limiter of the default size takes 20 ms to set up, and the tests make
// thousands of them.
const SUBJECTS_MAX = 3;
const LENGTHS_MS = [1_000, 2_000, 7_693, 60_000];

/** A naive sliding log. It keeps the time of every allowed call, and is so simple that it can serve as the truth. */
class SlidingLog {
  private readonly allowedMs: number[] = [];

  add(timeMs: number): void {
    this.allowedMs.push(timeMs);
  }

  /** How many calls were allowed after `sinceMs`. */
  count(sinceMs: number): number {
    return this.allowedMs.length - 1 - this.allowedMs.findLastIndex((timeMs) => timeMs <= sinceMs);
  }

  room(window: RateWindow, timeMs: number): number {
    return window.limit - this.count(timeMs - window.lengthMs);
  }
}

/** When a call is made, and the window that is in force then. */
interface PlannedCall {
  timeMs: number;
  window: RateWindow;
}

/** Many pauses are close to the length of a window or of its cells, where faults of a sliding window would show. */
const pauseMs = fc.oneof(
  fc.constantFrom(0, 1, 16, 17, 18, 128, 129, 999, 1_000, 1_001, 1_999, 2_000, 7_693, 59_999, 60_000, 61_001),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 90_000 }),
);
const burst = fc.record({ afterMs: pauseMs, calls: fc.integer({ min: 1, max: 50 }) });

function windowOf(limit: fc.Arbitrary<number>): fc.Arbitrary<RateWindow> {
  return fc.record({ name: fc.constant('second'), lengthMs: fc.constantFrom(...LENGTHS_MS), limit });
}

const smallLimit = fc.integer({ min: 1, max: EXACT_LIMIT_MAX });
const largeLimit = fc.integer({ min: EXACT_LIMIT_MAX + 1, max: 200 });
const smallWindow = windowOf(smallLimit);
const largeWindow = windowOf(largeLimit);
const anyWindow = fc.oneof(smallWindow, largeWindow);

/** Calls under up to `changes` windows: each window is in force for some bursts of calls, then the next one is. */
function planOf(window: fc.Arbitrary<RateWindow>, changes: number): fc.Arbitrary<PlannedCall[]> {
  const part = fc.record({ window, bursts: fc.array(burst, { minLength: 1, maxLength: 40 / changes }) });
  return fc.array(part, { minLength: 1, maxLength: changes }).map((parts) => {
    let timeMs = START_MS;
    return parts.flatMap(({ window, bursts }) =>
      bursts.flatMap(({ afterMs, calls }) => {
        timeMs += afterMs;
        return Array.from({ length: calls }, () => ({ timeMs, window }));
      }),
    );
  });
}

/**
 * Calls at about the pace of the cells of a minute and of the limits, so that some are refused and others are allowed.
 */
function densePlanOf(limit: fc.Arbitrary<number>): fc.Arbitrary<PlannedCall[]> {
  const gaps = fc.array(fc.integer({ min: 0, max: 1_300 }), { minLength: 200, maxLength: 400 });
  return fc.tuple(limit, gaps).map(([limit, gapsMs]) => {
    const window: RateWindow = { name: 'minute', lengthMs: 60_000, limit };
    let timeMs = START_MS;
    return gapsMs.map((gapMs) => ({ timeMs: (timeMs += gapMs), window }));
  });
}

function take(limiter: InProcessRateLimiter, { timeMs, window }: PlannedCall): RateDecision {
  return limiter.take([{ id: 'account:a', windows: [window] }], timeMs);
}

/** The calls that were decided wrongly. Comparing this list once is much faster than an expectation for each call. */
function misjudged(
  plan: readonly PlannedCall[],
  isRight: (decision: RateDecision, log: SlidingLog, call: PlannedCall) => boolean,
): PlannedCall[] {
  const limiter = new InProcessRateLimiter(SUBJECTS_MAX);
  const log = new SlidingLog();
  return plan.filter((call) => {
    const decision = take(limiter, call);
    const right = isRight(decision, log, call);
    if (decision.allowed) {
      log.add(call.timeMs);
    }
    return !right;
  });
}

/** Makes the calls of the plan, then repeats the last one until it is refused. */
function exhaust(plan: readonly PlannedCall[]) {
  const limiter = new InProcessRateLimiter(SUBJECTS_MAX);
  plan.forEach((call) => take(limiter, call));
  const end = plan.at(-1);
  if (end === undefined) {
    throw new Error('The plan is empty');
  }
  let decision = take(limiter, end);
  while (decision.allowed) {
    decision = take(limiter, end);
  }
  return { limiter, end, refusal: decision };
}

describe('InProcessRateLimiter against a naive sliding log', () => {
  it('decides exactly alike up to a limit of 64', () => {
    fc.assert(
      fc.property(fc.oneof(planOf(smallWindow, 1), densePlanOf(smallLimit)), (plan) => {
        const wrong = misjudged(plan, (decision, log, { window, timeMs }) => {
          const room = log.room(window, timeMs);
          return decision.allowed
            ? room > 0 && decision.limit === window.limit && decision.remaining === room - 1
            : room === 0;
        });
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('never allows more than a larger limit, and counts no call more than a sixtieth of the window too long', () => {
    fc.assert(
      fc.property(
        fc.oneof(planOf(largeWindow, 1), densePlanOf(fc.integer({ min: EXACT_LIMIT_MAX + 1, max: 90 }))),
        (plan) => {
          const wrong = misjudged(plan, ({ allowed }, log, { window, timeMs }) => {
            const longer = { ...window, lengthMs: window.lengthMs + Math.ceil(window.lengthMs / 60) };
            return allowed ? log.room(window, timeMs) > 0 : log.room(longer, timeMs) <= 0;
          });
          expect(wrong).toEqual([]);
        },
      ),
    );
  });

  it('never allows more than the limit in force, however limits and lengths change between calls', () => {
    fc.assert(
      fc.property(planOf(anyWindow, 10), (plan) => {
        const wrong = misjudged(plan, ({ allowed }, log, { window, timeMs }) => {
          return !allowed || log.room(window, timeMs) > 0;
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('decides several subjects with several windows together: all of them count a call, or none', () => {
    const subjects = fc.uniqueArray(fc.constantFrom<RateSubject['id']>('account:a', 'account:b', 'ip:c'), {
      minLength: 1,
    });
    const limit = fc.integer({ min: 1, max: 40 });
    const calls = fc.array(fc.tuple(pauseMs, subjects), { minLength: 20, maxLength: 300 });
    fc.assert(
      fc.property(limit, limit, calls, (perSecond, perMinute, plan) => {
        const limiter = new InProcessRateLimiter(SUBJECTS_MAX);
        const logs: Record<string, SlidingLog> = {};
        const windows: RateWindow[] = [
          { name: 'second', lengthMs: 1_000, limit: perSecond },
          { name: 'minute', lengthMs: 60_000, limit: perMinute },
        ];
        let timeMs = START_MS;
        const wrong = plan.filter(([afterMs, ids]) => {
          timeMs += afterMs;
          const callSubjects = ids.map((id) => ({ id, windows }));
          const callLogs = ids.map((id) => (logs[id] ??= new SlidingLog()));
          const fits = callLogs.every((log) => windows.every((window) => log.room(window, timeMs) > 0));
          callLogs.filter(() => fits).forEach((log) => log.add(timeMs));
          return limiter.take(callSubjects, timeMs).allowed !== fits;
        });
        expect(wrong).toEqual([]);
      }),
    );
  });
});

describe('InProcessRateLimiter, whatever was called before', () => {
  it('consumes nothing with a refused call: without it all other calls are decided alike', () => {
    fc.assert(
      fc.property(planOf(anyWindow, 3), (plan) => {
        const limiter = new InProcessRateLimiter(SUBJECTS_MAX);
        const allowed = plan
          .map((call) => ({ call, decision: take(limiter, call) }))
          .filter(({ call, decision }, index) => decision.allowed || call.window !== plan[index - 1]?.window);
        const again = new InProcessRateLimiter(SUBJECTS_MAX);
        expect(allowed.map(({ call }) => take(again, call))).toEqual(allowed.map(({ decision }) => decision));
      }),
    );
  });

  it('allows a call after the wait that it asked for, and none before', () => {
    fc.assert(
      fc.property(planOf(anyWindow, 3), (plan) => {
        const { limiter, end, refusal } = exhaust(plan);
        const { retryAfterSeconds, resetAtSeconds } = refusal;
        const lastRefusedMs = end.timeMs + (retryAfterSeconds - 1) * 1_000;
        const firstAllowedMs = Math.min(end.timeMs + retryAfterSeconds * 1_000, resetAtSeconds * 1_000);
        expect(take(limiter, { ...end, timeMs: lastRefusedMs }).allowed).toBe(false);
        expect(take(limiter, { ...end, timeMs: firstAllowedMs }).allowed).toBe(true);
      }),
    );
  });

  it('has the whole limit again when a window has passed without a call', () => {
    fc.assert(
      fc.property(planOf(anyWindow, 3), (plan) => {
        const { limiter, end } = exhaust(plan);
        const later = { ...end, timeMs: end.timeMs + end.window.lengthMs };
        const verdicts = Array.from({ length: end.window.limit + 1 }, () => take(limiter, later).allowed);
        expect(verdicts.indexOf(false)).toBe(end.window.limit);
      }),
    );
  });
});
