import { affordableOutputTokens, costNanoUsd, modelPrices, PriceList } from './money';

const DEFINITIONS = {
  fixed: { title: 'Fixed', base: '0.0001', perToken: null, counts: null },
  both: { title: 'Both', base: '0.0020', perToken: '0.00001', counts: 'input_and_output' as const },
  input: { title: 'Input', base: '0.0001', perToken: '0.000001', counts: 'input' as const },
};

type Row = [id: string, input: string | null, output: string | null, basePriceUsd?: string];

function upstream(name: string, ...models: Row[]) {
  return {
    name,
    models: models.map(([id, inputPricePerTokenUsd, outputPricePerTokenUsd, basePriceUsd]) => ({
      id,
      aliases: [],
      inputPricePerTokenUsd,
      outputPricePerTokenUsd,
      basePriceUsd,
    })),
  };
}

describe('modelPrices', () => {
  it.each([
    ['half a price', '0.1', null],
    ['the other half', null, '0.1'],
    ['less than a nano-dollar', '0.0000000001', '0'],
    ['a negative amount', '-1', '0'],
    ['what is no amount', '1e-6', '0'],
  ])('refuses %s and names the model', (_, input, output) => {
    expect(() => modelPrices([upstream('first', ['m', input, output])])).toThrow(/^first, m: /);
  });

  it('lets the first upstream that names a model decide, also without a price', () => {
    const list = [
      { name: 'lists', models: null },
      upstream('first', ['a', '0.000000002', '0.000000003'], ['b', null, null]),
      upstream('second', ['a', '1', '1'], ['b', '1', '1'], ['c', '0', '0']),
    ];
    expect(modelPrices(list)).toEqual([
      { model: 'a', inputNanoUsd: 2n, outputNanoUsd: 3n },
      { model: 'c', inputNanoUsd: 0n, outputNanoUsd: 0n },
    ]);
  });
});

describe('a PriceList with prices of models', () => {
  const models = modelPrices([upstream('first', ['a', '0.000000002', '0.000000005'], ['free', '0', '0'])]);
  const prices = new PriceList(DEFINITIONS, {}, models);
  const use = { inputTokens: 100, outputTokens: 10 };

  it('has another version with each other price, and the same without any', () => {
    const version = new PriceList(DEFINITIONS).version;
    const others = [models, models.slice(1), [{ model: 'free', inputNanoUsd: 0n, outputNanoUsd: 1n }]];
    const versions = others.map((each) => new PriceList(DEFINITIONS, {}, each).version);
    expect(new Set([version, ...versions]).size).toBe(4);
    expect(new PriceList(DEFINITIONS, {}, []).version).toBe(version);
  });

  it("take the model's own base in place of the operation's, in the version and in what a call costs at least too", () => {
    const based = modelPrices([upstream('first', ['a', '0.000000002', '0.000000005', '0.0001'])]);
    const own = new PriceList(DEFINITIONS, {}, based);
    expect(costNanoUsd(own.forModel('both', 'a'), use)).toBe(100_000n + 250n);
    expect(costNanoUsd(prices.forModel('both', 'a'), use)).toBe(2_000_000n + 250n);
    expect(own.version).not.toBe(
      new PriceList(DEFINITIONS, {}, modelPrices([upstream('first', ['a', '0.000000002', '0.000000005'])]))
        .version,
    );
    expect([own, prices].map((list) => list.leastNanoUsd('both'))).toEqual([100_000n, 2_000_000n]);
    expect(own.leastNanoUsd('fixed')).toBe(100_000n);
  });

  it.each([
    ['without a model', 'both', null],
    ['for a model that has none', 'both', 'b'],
    ['where tokens are free', 'fixed', 'a'],
  ])("keeps the operation's price %s", (_, name, model) => {
    expect(prices.forModel(name, model)).toBe(prices.get(name));
  });

  it('puts the tokens of the model on the base of the operation', () => {
    const price = prices.forModel('both', 'a');
    expect([price.name, price.model]).toEqual(['both:a', 'a']);
    expect(costNanoUsd(price, use)).toBe(2_000_000n + 200n + 50n);
    expect(costNanoUsd(prices.forModel('input', 'a'), use)).toBe(100_000n + 200n);
    expect(costNanoUsd(prices.forModel('both', 'free'), use)).toBe(2_000_000n);
  });

  it('tells the largest output by what output costs', () => {
    const price = prices.forModel('both', 'a');
    const amount = costNanoUsd(price, use);
    expect(affordableOutputTokens(price, 100, amount + 4n)).toBe(10);
    expect(affordableOutputTokens(price, 100, amount - 1n)).toBe(9);
    expect(affordableOutputTokens(prices.forModel('both', 'free'), 100, amount)).toBeNull();
  });

  it('lists what each model makes of a price', () => {
    expect(prices.forEachModel('both').map(({ name }) => name)).toEqual(['both:a', 'both:free']);
    expect(prices.forEachModel('fixed')).toEqual([]);
  });
});
