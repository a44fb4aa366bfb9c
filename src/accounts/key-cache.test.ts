import { ServiceUnavailable } from '../errors/api-errors';
import { SystemClock } from '../runtime/clock';
import { newKeySecret } from './credentials';
import { type KeyDirectory, KeyLookUps } from './key-cache';
import type { RateSubject } from './rate-limiter';

const ADDRESS: RateSubject = { id: 'ip:1.1.1.1', windows: [{ name: 'minute', lengthMs: 60_000, limit: 20 }] };
const AT_ONCE = 20;
const FIVE_SECONDS_MS = 5_000;

describe('KeyLookUps', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('lets nobody wait for longer than five seconds behind look-ups that the database does not answer', async () => {
    let asked = 0;
    const silent = {
      knows: () => false,
      find: () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      },
    };
    const lookUps = new KeyLookUps(silent as unknown as KeyDirectory, new SystemClock());
    const find = () => lookUps.find(newKeySecret('test'), ADDRESS);
    for (let count = 0; count < AT_ONCE; count += 1) {
      void find();
    }
    const behind = [find(), find()].map((late) => expect(late).rejects.toBeInstanceOf(ServiceUnavailable));
    await jest.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
    await Promise.all(behind);
    expect(asked).toBe(AT_ONCE);
  });
});
