import fc from 'fast-check';
import { nearestRows, type VectorSegment } from './nearest-rows';

const DIMENSIONS = 5;

describe('nearestRows', () => {
  const number = fc.integer({ min: -4, max: 4 });
  const vector = fc.array(number, { minLength: DIMENSIONS, maxLength: DIMENSIONS });
  const all = fc.array(vector, { maxLength: 60 });

  it('finds what a sort of all similarities finds', () => {
    fc.assert(
      fc.property(
        all,
        vector,
        fc.integer({ min: 1, max: 20 }),
        fc.func(fc.boolean()),
        (vectors, query, limit, isIn) => {
          for (const only of [null, vectors.flatMap((_, row) => (isIn(row) ? [row] : []))]) {
            const sorted = vectors
              .map((each, row) => ({
                row,
                similarity: each.reduce((sum, x, at) => sum + x * Number(query[at]), 0),
              }))
              .filter(({ row }) => only === null || only.includes(row))
              .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
              .slice(0, limit);
            const found = nearestRows({
              segments: segmentsOf(vectors),
              query: Float32Array.from(query),
              limit,
              only: only && Uint32Array.from(only),
            });
            expect([...found.rows]).toEqual(sorted.map(({ row }) => row));
            expect([...found.similarities]).toEqual(sorted.map(({ similarity }) => similarity + 0));
          }
        },
      ),
    );
  });

  it('never finds a vector with a number that is none', () => {
    const segments = segmentsOf([
      [NaN, 0, 0, 0, 0],
      [1, 0, 0, 0, 0],
    ]);
    const found = nearestRows({
      segments,
      query: new Float32Array(DIMENSIONS).fill(1),
      limit: 9,
      only: null,
    });
    expect([...found.rows]).toEqual([1]);
  });

  /** Segments of 1, 2, 3 ... rows, with room for one more each. */
  function segmentsOf(vectors: number[][]): VectorSegment[] {
    const segments: VectorSegment[] = [];
    for (let start = 0; start < vectors.length; start += segments.length) {
      const part = vectors.slice(start, start + segments.length + 1);
      const numbers = new Float32Array((part.length + 1) * DIMENSIONS).fill(9);
      numbers.set(part.flat());
      segments.push({ numbers, rows: part.length });
    }
    return segments;
  }
});
