import fc from 'fast-check';
import { NANO_PER_USD } from '../../ledger/money';
import { parseConfirmationRules } from './payment-policy';
import { CURRENCIES } from './payment-chain';

const usd = (amount: number) => BigInt(amount) * NANO_PER_USD;

describe('parseConfirmationRules refuses', () => {
  const last = '{"confirmations": 6}';
  const refused: [title: string, json: string, message: string][] = [
    ['a list', '[]', 'the confirmations must be an object'],
    ['null', 'null', 'the confirmations must be an object'],
    ['an unknown currency', '{"DOGE": []}', 'DOGE is not a currency; known are BTC, ETH, SOL'],
    ['a currency in small letters', '{"btc": []}', 'btc is not a currency'],
    ['a name of the object prototype', '{"__proto__": []}', '__proto__ is not a currency'],
    ['an inherited name', '{"toString": []}', 'toString is not a currency'],
    ['no list', `{"BTC": ${last}}`, 'BTC must be a list of 1 to 16 rules'],
    ['an empty list', '{"BTC": []}', 'BTC must be a list of 1 to 16 rules'],
    [
      'too long a list',
      `{"BTC": [${Array<string>(17).fill(last).join()}]}`,
      'BTC must be a list of 1 to 16 rules',
    ],
    ['a number for a rule', '{"BTC": [6]}', 'BTC[0] must be an object'],
    ['null for a rule', '{"BTC": [null]}', 'BTC[0] must be an object'],
    [
      'an unknown member',
      '{"BTC": [{"confirmations": 6, "upto": 5}]}',
      'BTC[0].upto is not known; known are up_to_usd, confirmations',
    ],
    ['no confirmations', '{"BTC": [{}]}', 'BTC[0].confirmations must be a whole number from 1 to 100'],
    ['zero', '{"BTC": [{"confirmations": 0}]}', 'BTC[0].confirmations must be a whole number from 1 to 100'],
    ['a fraction', '{"BTC": [{"confirmations": 1.5}]}', 'BTC[0].confirmations must be a whole number'],
    [
      'a negative',
      '{"SOL": [{"confirmations": -1}]}',
      'SOL[0].confirmations must be a whole number from 1 to',
    ],
    ['a number as text', '{"BTC": [{"confirmations": "6"}]}', 'BTC[0].confirmations must be a whole number'],
    [
      'too many',
      '{"BTC": [{"confirmations": 101}]}',
      'BTC[0].confirmations must be a whole number from 1 to 100',
    ],
    [
      'BTC that is finalized',
      '{"BTC": [{"confirmations": "finalized"}]}',
      'BTC[0].confirmations must be a whole number from 1 to 100',
    ],
    [
      'more of ETH than is looked at',
      '{"ETH": [{"confirmations": 13}]}',
      'ETH[0].confirmations must be a whole number from 1 to 12, or "finalized"',
    ],
    [
      'more of SOL than there are before it is final',
      '{"SOL": [{"confirmations": 32}]}',
      'SOL[0].confirmations must be a whole number from 1 to 31, or "finalized"',
    ],
    [
      'a bound on the last rule, so that larger amounts had none',
      '{"BTC": [{"up_to_usd": 100, "confirmations": 1}]}',
      'BTC[0] is the last rule and must have no up_to_usd',
    ],
    [
      'a rule behind the one without a bound',
      `{"BTC": [{"confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'null as a bound',
      `{"BTC": [{"up_to_usd": null, "confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'null as the last bound',
      '{"BTC": [{"up_to_usd": null, "confirmations": 1}]}',
      'must have no up_to_usd',
    ],
    [
      'a bound of zero',
      `{"BTC": [{"up_to_usd": 0, "confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'a bound finer than money is',
      `{"BTC": [{"up_to_usd": 1.0000000001, "confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'a bound that no amount reaches',
      `{"BTC": [{"up_to_usd": 1e999, "confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'a bound as text',
      `{"BTC": [{"up_to_usd": "100", "confirmations": 1}, ${last}]}`,
      'BTC[0].up_to_usd must be a number above 0',
    ],
    [
      'bounds that do not ascend',
      `{"BTC": [{"up_to_usd": 5, "confirmations": 1}, {"up_to_usd": 5, "confirmations": 2}, ${last}]}`,
      'BTC[1].up_to_usd must be above that of the rule before it',
    ],
    [
      'fewer confirmations for larger amounts',
      '{"BTC": [{"up_to_usd": 5, "confirmations": 3}, {"confirmations": 2}]}',
      'BTC[1].confirmations must not be less than those of the rule before it',
    ],
    [
      'a number behind finalized',
      '{"ETH": [{"up_to_usd": 5, "confirmations": "finalized"}, {"confirmations": 12}]}',
      'ETH[1].confirmations must not be less than those of the rule before it',
    ],
  ];
  it.each(refused)('%s', (_title, json, message) => {
    expect(() => parseConfirmationRules(JSON.parse(json))).toThrow(message);
  });
});

describe('ConfirmationRules', () => {
  const defaults = parseConfirmationRules({});

  it('wants more of BTC the more is paid, and of the lower rule at its bound', () => {
    const wanted = [
      usd(10),
      usd(100),
      usd(100) + 1n,
      usd(1_000),
      usd(1_000) + 1n,
      usd(10_000),
      usd(10_000) + 1n,
    ];
    expect(wanted.map((amount) => defaults.requiredFor('BTC', amount))).toEqual(
      [1, 1, 2, 2, 3, 3, 6].map((confirmations) => ({ confirmations, needsFinal: false })),
    );
  });

  it('wants 12 of ETH, and finality above 1,000 USD', () => {
    expect(defaults.requiredFor('ETH', usd(1_000))).toEqual({ confirmations: 12, needsFinal: false });
    expect(defaults.requiredFor('ETH', usd(1_000) + 1n)).toEqual({ confirmations: 64, needsFinal: true });
  });

  it('wants finality of any SOL', () => {
    expect(defaults.requiredFor('SOL', 1n)).toEqual({ confirmations: 32, needsFinal: true });
  });

  it('tells its tiers in USD', () => {
    expect(defaults.tiers('BTC')).toEqual([
      { up_to_usd: 100, confirmations: 1 },
      { up_to_usd: 1_000, confirmations: 2 },
      { up_to_usd: 10_000, confirmations: 3 },
      { up_to_usd: null, confirmations: 6 },
    ]);
    expect(defaults.tiers('ETH')).toEqual([
      { up_to_usd: 1_000, confirmations: 12 },
      { up_to_usd: null, confirmations: 64 },
    ]);
    expect(defaults.tiers('SOL')).toEqual([{ up_to_usd: null, confirmations: 32 }]);
  });

  it('replaces the rules of the currencies that the file names, and leaves the others', () => {
    const rules = parseConfirmationRules({
      SOL: [{ up_to_usd: 20.5, confirmations: 1 }, { confirmations: 'finalized' }],
    });
    expect(rules.requiredFor('SOL', 20_500_000_000n)).toEqual({ confirmations: 1, needsFinal: false });
    expect(rules.requiredFor('SOL', 20_500_000_001n)).toEqual({ confirmations: 32, needsFinal: true });
    expect(rules.tiers('SOL')[0]).toEqual({ up_to_usd: 20.5, confirmations: 1 });
    expect(rules.tiers('BTC')).toEqual(defaults.tiers('BTC'));
  });

  it('never wants less for more', () => {
    const amounts = fc.bigInt({ min: 1n, max: usd(1_000_000) });
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES), amounts, amounts, (currency, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(defaults.requiredFor(currency, more).confirmations).toBeGreaterThanOrEqual(
          defaults.requiredFor(currency, less).confirmations,
        );
      }),
    );
  });
});
