import { bm25Scores } from './quoted-answer';

describe('bm25Scores', () => {
  const documents = [
    ['cat', 'sit'],
    ['cat', 'dog', 'run'],
    ['bird', 'fly'],
  ];

  it('is zero without a query term', () => {
    expect(bm25Scores(documents, ['fish'])).toEqual([0, 0, 0]);
  });

  it('prefers the rarer term, then the shorter document', () => {
    const [cat, catAndDog, bird] = bm25Scores(documents, ['cat', 'dog']);
    expect(catAndDog).toBeGreaterThan(cat ?? 0);
    expect(bird).toBe(0);
    const [short, long] = bm25Scores(documents, ['cat']);
    expect(short).toBeGreaterThan(long ?? 0);
  });

  it('agrees with the formula', () => {
    const idf = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
    const norm = 1.2 * (1 - 0.75 + 0.75 * (2 / (7 / 3)));
    expect(bm25Scores(documents, ['bird'])[2]).toBeCloseTo((idf * 2.2) / (1 + norm), 12);
  });

  it('accepts no documents and empty documents', () => {
    expect(bm25Scores([], ['cat'])).toEqual([]);
    expect(bm25Scores([[], []], ['cat'])).toEqual([0, 0]);
  });
});
