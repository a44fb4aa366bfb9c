import { affordableOutputTokens, costNanoUsd, PriceList } from './money';

const DEFINITIONS = {
  fixed: { title: 'Fixed', base: '0.0001', perToken: null, counts: null },
  both: { title: 'Both', base: '0.0020', perToken: '0.00001', counts: 'input_and_output' as const },
  input: { title: 'Input', base: '0.0001', perToken: '0.000001', counts: 'input' as const },
};

describe('PriceList', () => {
  it.each([
    ['an unknown price', { nothing: { base: '1' } }],
    ['an unknown field', { both: { bass: '1' } }],
    ['a token price where none is', { fixed: { per_token: '1' } }],
    ['a negative amount', { both: { base: '-1' } }],
    ['an amount that is none', { both: { base: 'free' } }],
    ['a list', []],
    ['no object', 'prices'],
  ])('refuses a price file with %s', (_, overrides) => {
    expect(() => new PriceList(DEFINITIONS, overrides)).toThrow(RangeError);
  });

  it('puts both fields of an override in force and leaves the rest', () => {
    const prices = new PriceList(DEFINITIONS, { both: { base: '0.5', per_token: '0.25' } });
    expect(prices.get('both')).toMatchObject({ baseNanoUsd: 500_000_000n, perTokenNanoUsd: 250_000_000n });
    expect(prices.get('fixed')).toMatchObject({ baseNanoUsd: 100_000n, perTokenNanoUsd: null });
  });

  it('names equal prices by equal versions and different ones by different', () => {
    const version = new PriceList(DEFINITIONS).version;
    expect(new PriceList(DEFINITIONS, {}).version).toBe(version);
    expect(new PriceList(DEFINITIONS, { fixed: { base: '0.0002' } }).version).not.toBe(version);
  });

  it('counts what the price says it counts', () => {
    const prices = new PriceList(DEFINITIONS);
    const use = { inputTokens: 100, outputTokens: 50 };
    expect(costNanoUsd(prices.get('fixed'), use)).toBe(100_000n);
    expect(costNanoUsd(prices.get('both'), use)).toBe(2_000_000n + 150n * 10_000n);
    expect(costNanoUsd(prices.get('input'), use)).toBe(100_000n + 100n * 1_000n);
  });

  it('tells the largest output that fits, and none where nothing does', () => {
    const both = new PriceList(DEFINITIONS).get('both');
    const amount = costNanoUsd(both, { inputTokens: 10, outputTokens: 7 });
    expect(affordableOutputTokens(both, 10, amount)).toBe(7);
    expect(affordableOutputTokens(both, 10, amount + 9_999n)).toBe(7);
    expect(affordableOutputTokens(both, 10, 0n)).toBeNull();
    expect(affordableOutputTokens(new PriceList(DEFINITIONS).get('input'), 10, amount)).toBeNull();
  });
});
