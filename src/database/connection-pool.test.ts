import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../test/support/until';
import { ReconnectingPool } from './connection-pool';
import { DatabaseUnreachable } from './driver-errors';
import { quietPort } from './embedded/server';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Less than a caller waits. */
const NEXT_AFTER_MS = 1_000;
/** To collect without a pause would keep a core busy for as long as callers wait. */
const BETWEEN_COLLECTIONS_MS = 250;
/** A collection of a large heap takes seconds on a busy machine. */
const FORGOTTEN_WITHIN_MS = 60_000;

describe('ReconnectingPool', () => {
  it('keeps nothing of callers that have given up, however long the database is away and others wait', async () => {
    const pool = new ReconnectingPool({ host: '127.0.0.1', port: await quietPort(), max: 2 });
    const refusals: WeakRef<Error>[] = [];
    const call = () =>
      pool.connect().then(
        () => expect('a connection').toBe('none'),
        (error: Error) => {
          expect(error).toBeInstanceOf(DatabaseUnreachable);
          refusals.push(new WeakRef(error));
        },
      );
    const first = [call(), call()];
    const others: Promise<void>[] = [];
    const waitToo = () =>
      others.push(
        pool.connect().then(
          () => undefined,
          () => undefined,
        ),
      );
    const arrivals = setInterval(waitToo, NEXT_AFTER_MS);
    await Promise.all(first);
    await until(
      'the first refusals are forgotten',
      async () => {
        await delay(BETWEEN_COLLECTIONS_MS);
        collectGarbage();
        return refusals.length === 2 && refusals.every((refusal) => refusal.deref() === undefined);
      },
      FORGOTTEN_WITHIN_MS,
    );
    clearInterval(arrivals);
    // Some wait all the time, in whose way the refusals of others could have been kept.
    expect(others.length).toBeGreaterThan(1);
    await Promise.all(others);
    await pool.end();
  });
});
