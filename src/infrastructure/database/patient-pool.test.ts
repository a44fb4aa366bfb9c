import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../../../test/support/until';
import { DatabaseUnreachable } from './driver-errors';
import { quietPort } from './embedded/quiet-port';
import { PatientPool } from './patient-pool';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Less than the second caller waits after the first ones have given up. */
const FORGOTTEN_WITHIN_MS = 2_000;

describe('PatientPool', () => {
  it('keeps nothing of callers that have given up, however long the database is away and others wait', async () => {
    const pool = new PatientPool({ host: '127.0.0.1', port: await quietPort(), max: 2 });
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
    await delay(2_500);
    const second = call();
    await Promise.all(first);
    // The second caller still waits.
    await until(
      'the first refusals are forgotten',
      () => {
        collectGarbage();
        return refusals.length === 2 && refusals.every((refusal) => refusal.deref() === undefined);
      },
      FORGOTTEN_WITHIN_MS,
    );
    await second;
    await pool.end();
  });
});
