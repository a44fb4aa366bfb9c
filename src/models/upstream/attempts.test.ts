import { setTimeout as delay } from 'node:timers/promises';
import { UpstreamBreakerOpen, UpstreamFailed } from '../errors';
import { Attempts, FailedAttempt } from './attempts';

/** The breaker's rest in these tests: longer than a busy machine pauses. */
const REST_MS = 500;
const options = { failuresMax: 5, restMs: REST_MS, backoffMs: () => 1 };

describe('Attempts', () => {
  let made = 0;
  let attempts: Attempts;
  beforeEach(() => {
    made = 0;
    attempts = new Attempts('one', options);
  });

  const failing = (isRetryable: boolean, isOutage: boolean) => () => {
    made += 1;
    return Promise.reject(new FailedAttempt(new UpstreamFailed('one', 'failed'), isRetryable, isOutage));
  };
  const answering = () => {
    made += 1;
    return Promise.resolve('answer');
  };
  const run = (attempt: () => Promise<string>) => attempts.run(attempt, {}).catch((error: unknown) => error);
  const open = async () => {
    for (let count = 0; count < 5; count++) {
      await run(failing(false, true));
    }
    expect(attempts.isClosed).toBe(false);
  };

  it('lets nothing through after five outages in a row, and says when to come back', async () => {
    await open();
    const error = await run(answering);
    expect(error).toBeInstanceOf(UpstreamBreakerOpen);
    expect(error).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '1' } } });
    expect(made).toBe(5);
  });

  it('gives the real failure, and no retry, to the call that opens it', async () => {
    for (let count = 0; count < 4; count++) {
      await run(failing(false, true));
    }
    expect(await run(failing(true, true))).toMatchObject({ status: 502 });
    expect([made, attempts.isClosed]).toEqual([5, false]);
  });

  it('is not opened by refusals, which end a row of outages, nor by callers that go', async () => {
    for (let count = 0; count < 4; count++) {
      await run(failing(false, true));
    }
    await run(failing(false, false));
    for (let count = 0; count < 4; count++) {
      await run(failing(false, true));
    }
    const gone = new Error('the caller has gone');
    for (let count = 0; count < 9; count++) {
      expect(await run(() => Promise.reject(gone))).toBe(gone);
    }
    expect(attempts.isClosed).toBe(true);
  });

  it('lets one call try again after the rest, refuses others meanwhile, and closes when it succeeds', async () => {
    await open();
    await delay(REST_MS + 20);
    let succeed = () => {};
    const trial = attempts.run(() => new Promise<string>((resolve) => (succeed = () => resolve('ok'))), {});
    expect(await run(answering)).toBeInstanceOf(UpstreamBreakerOpen);
    succeed();
    expect(await trial).toBe('ok');
    expect([await run(answering), attempts.isClosed]).toEqual(['answer', true]);
  });

  it('opens again when the trial fails', async () => {
    await open();
    await delay(REST_MS + 20);
    expect(await run(failing(true, true))).toMatchObject({ status: 502 });
    expect(await run(answering)).toBeInstanceOf(UpstreamBreakerOpen);
    expect(made).toBe(6);
  });
});
