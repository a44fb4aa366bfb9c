import { median, percentile } from './statistics';

describe('median', () => {
  it('refuses to make one of nothing', () => {
    expect(() => median([])).toThrow(RangeError);
  });

  it.each([
    [[3], 3],
    [[9, 1, 10], 9],
    [[4, 1, 3, 100], 3.5],
  ])('of %j is %d', (numbers, expected) => {
    expect(median(numbers)).toBe(expected);
  });
});

describe('percentile', () => {
  it('refuses to make one of nothing', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });

  it('is the nearest rank', () => {
    const numbers = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(numbers, 0.99), percentile(numbers, 0.5), percentile(numbers, 0)]).toEqual([
      198, 100, 1,
    ]);
  });
});
