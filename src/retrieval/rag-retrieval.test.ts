import fc from 'fast-check';
import { fuseRankings } from './rag-retrieval';

describe('fuseRankings', () => {
  it('adds up reciprocal ranks with k = 60, as a share of the greatest sum', () => {
    const scores = fuseRankings([
      ['a', 'b', 'c'],
      ['c', 'a'],
    ]);
    const share = (...ranks: number[]) => ranks.reduce((sum, rank) => sum + 1 / (60 + rank), 0) / (2 / 61);
    expect([...scores.keys()]).toEqual(['a', 'c', 'b']);
    expect(scores.get('a')).toBeCloseTo(share(1, 2), 12);
    expect(scores.get('c')).toBeCloseTo(share(3, 1), 12);
    expect(scores.get('b')).toBeCloseTo(share(2), 12);
  });

  it('gives 1 to what is first everywhere, and orders equal scores by id', () => {
    expect([...fuseRankings([['x'], ['x']])]).toEqual([['x', 1]]);
    expect([...fuseRankings([['b'], ['a']]).keys()]).toEqual(['a', 'b']);
    expect(fuseRankings([[], []]).size).toBe(0);
  });

  it('keeps the order of a single ranking, and scores between 0 and 1', () => {
    const ids = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 2 }));
    fc.assert(
      fc.property(ids, fc.array(ids, { minLength: 1, maxLength: 4 }), (alone, rankings) => {
        expect([...fuseRankings([alone]).keys()]).toEqual([...new Set(alone)]);
        for (const score of fuseRankings(rankings).values()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});
