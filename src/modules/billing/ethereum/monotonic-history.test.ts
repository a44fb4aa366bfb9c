import fc from 'fast-check';
import { type BlockReadings, MonotonicHistory } from './payment-look';

/** Reads what is wanted from the values of blocks 0, 1, … until nothing is. */
function readAll(values: readonly (bigint | null)[], amounts: bigint[], above: bigint, perGap = 3) {
  const top = values.length - 1;
  const readings: BlockReadings = new Map([[top, values[top] ?? null]]);
  const history = new MonotonicHistory(readings, 0, top);
  let rounds = 0;
  for (let wanted = history.wanted(amounts, above, perGap); wanted.length > 0; rounds += 1) {
    expect(wanted.every((block) => block >= 0 && block < top && !readings.has(block))).toBe(true);
    wanted.forEach((block) => readings.set(block, values[block] ?? null));
    wanted = history.wanted(amounts, above, perGap);
  }
  return { history, rounds, reads: readings.size - 1 };
}

const rising = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(1n, 3n) }), {
    minLength: 1,
    maxLength: 120,
  })
  .map((added) => added.map((_, block) => added.slice(0, block + 1).reduce((sum, one) => sum + one, 0n)));

describe('a number that only rises', () => {
  it('is found to have reached an amount in the very block that it did', () => {
    fc.assert(
      fc.property(rising, fc.bigInt(1n, 30n), (values, amount) => {
        const { history, rounds } = readAll(values, [amount], values.at(-1) ?? 0n);
        const block = values.findIndex((value) => value >= amount);
        expect(history.firstWith(amount)).toEqual(block < 0 ? null : { block, isExact: block > 0 });
        expect(rounds).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('shows every step above an amount', () => {
    fc.assert(
      fc.property(rising, fc.bigInt(0n, 10n), (values, above) => {
        const { history } = readAll(values, [], above);
        expect(history.stepsAbove(above)).toEqual([...new Set(values)].filter((value) => value > above));
      }),
    );
  });

  it('is taken to be less in blocks that can not be read', () => {
    fc.assert(
      fc.property(rising, fc.integer({ min: 0, max: 119 }), (values, unreadable) => {
        const kept = values.map((value, block) =>
          block < unreadable && block < values.length - 1 ? null : value,
        );
        const amount = values.at(-1) ?? 0n;
        const { history } = readAll(kept, [amount], 0n);
        const block = kept.findIndex((value) => value !== null && value >= amount);
        expect(history.firstWith(amount)).toEqual({ block, isExact: block > 0 && kept[block - 1] !== null });
      }),
    );
  });

  it('takes few reads where it has changed a moment ago, and none where nothing is asked', () => {
    const values = Array.from({ length: 120 }, (_, block) => (block >= 118 ? 5n : 0n));
    expect(readAll(values, [5n], 0n)).toMatchObject({ rounds: 2, reads: 8 });
    expect(readAll(values, [], 5n).reads).toBe(0);
  });
});
