import { randomInt } from 'node:crypto';
import { isDeepRun } from './depth';

const SEED_OF_SHORT_RUNS = '1';
const asked = process.env.LOAD_SEED ?? (isDeepRun ? 'random' : SEED_OF_SHORT_RUNS);

/**
 * What the random choices of this run begin with, or null where each test begins with a seed of its own. `npm test`
 * makes the same choices every time, so that its verdict is one on the change and not on its luck. The deep runs make
 * new ones, as does `LOAD_SEED=random npm test`; with the number that a failure tells, LOAD_SEED repeats it.
 */
export const runSeed = asked === 'random' ? null : Number(asked);

/** @returns a seed below 2 ** 31 */
export function newSeed(): number {
  return runSeed ?? randomInt(2 ** 31);
}
