import { RateLimitExceeded } from '../../accounts/rate-windows';
import {
  CallCancelled,
  CallStopped,
  ChangesCollided,
  DatabaseAway,
  NotFound,
  OutcomeUnknown,
  ServiceUnavailable,
  ShuttingDown,
  TooManyCallsWait,
} from '../../errors/api-errors';
import { outcomeOf } from './tasks';

describe('the outcome of a run', () => {
  it.each([
    ['a cancellation', new CallCancelled(), { kind: 'cancelled' }],
    ['its stopping', new CallStopped(), { kind: 'again', waitMs: 0 }],
    ['the end of the process', new ShuttingDown(), { kind: 'again', waitMs: 0 }],
    ['a database that is away', new DatabaseAway(), { kind: 'again', waitMs: 1_000 }],
    ['a change that was undone for another', new ChangesCollided(), { kind: 'again', waitMs: 1_000 }],
    ['too much that waits', new ServiceUnavailable('Too much waits.', 5), { kind: 'again', waitMs: 5_000 }],
    ['a ledger that is overloaded', new TooManyCallsWait(), { kind: 'again', waitMs: 1_000 }],
    ['an unknown outcome', new OutcomeUnknown(null), { kind: 'again', waitMs: 1_000 }],
    [
      'an error of the API',
      new NotFound('agent'),
      { kind: 'failed', error: { status: 404, error: 'Not Found', message: 'No such agent.' } },
    ],
  ])('that ended with %s', (_, thrown, outcome) => {
    expect(outcomeOf(thrown, false)).toEqual(outcome);
  });

  it.each([
    [
      'where too much waits then, because it may have asked a model',
      new ServiceUnavailable('Busy.', 5),
      'failed',
    ],
    ['unless nobody knows what the database did', new DatabaseAway(), 'again'],
  ])('is final once its work has begun, %s', (_, thrown, kind) => {
    expect(outcomeOf(thrown, true)).toMatchObject({ kind });
  });

  it.each([
    [42, 42_000],
    [86_340, 60_000],
  ])(
    'waits as long as the rate says, %d seconds, but not longer than a minute',
    (retryAfterSeconds, waitMs) => {
      const refused = {
        allowed: false,
        retryAfterSeconds,
        limit: 1,
        windowSeconds: 60,
        resetsAt: new Date(0),
      };
      expect(outcomeOf(new RateLimitExceeded(refused as never, 'too many'), false)).toEqual({
        kind: 'paused',
        waitMs,
      });
    },
  );

  it('tells nothing of an unexpected error', () => {
    const outcome = outcomeOf(new Error('SELECT secret'), true);
    expect(outcome).toMatchObject({ kind: 'failed', error: { status: 500 } });
    expect(JSON.stringify(outcome)).not.toContain('SELECT');
  });
});
