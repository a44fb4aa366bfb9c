import { PriceList } from '../ledger/money';
import { WorkMeter } from './metered-call';

const DEFINITIONS = { chat: { title: '', base: '1', perToken: '1', counts: 'input_and_output' as const } };
describe('WorkMeter', () => {
  it.each([
    ['what was used', [10, 5], [10, 5]],
    ['nothing', [0, 0], [0, 0]],
    ['less than nothing', [-1, -1e12], [0, 0]],
    ['parts of tokens', [1.2, 0.1], [2, 1]],
    ['more output than was reserved', [10, 21], [10, 21]],
    ['more input than was counted', [180_000, 5], [180_000, 5]],
    ['more input than any model reads', [2_000_001, 5], [10, 5]],
    ['more output than any model writes', [10, 1e15], [10, 20]],
    ['more than there is', [Infinity, Infinity], [10, 20]],
    ['no numbers', [NaN, NaN], [0, 0]],
  ])('counts whole tokens that are believable where the work reports %s', (_, reported, counted) => {
    const price = new PriceList(DEFINITIONS).get('chat');
    const reserved = {
      inputTokens: 10,
      boundedInput: null,
      outputTokensMax: 20,
      choices: 1,
      reserveNanoUsd: 31n,
    };
    const meter = new WorkMeter({ price, priceVersion: 'v', ...reserved });
    const [inputTokens = 0, outputTokens = 0] = reported;
    meter.report({ inputTokens, outputTokens });
    expect(meter.use).toEqual({ inputTokens: counted[0], outputTokens: counted[1] });
  });

  it('counts nothing without a price', () => {
    const meter = new WorkMeter(null);
    meter.report({ inputTokens: 5, outputTokens: 5 });
    expect(meter.use).toEqual({ inputTokens: 0, outputTokens: 0 });
  });
});
