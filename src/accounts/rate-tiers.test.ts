import { DEFAULT_RATE_TIERS, parseRateTiers, withAccountRates } from './rate-limiter';

describe('parseRateTiers refuses', () => {
  const refused: [title: string, json: string, message: string][] = [
    ['a list', '[]', 'the rate tiers must be an object'],
    ['null', 'null', 'the rate tiers must be an object'],
    ['a tier that does not exist', '{"baisc": {}}', 'baisc is not a rate tier; known are free, basic, pro'],
    ['a name of the object prototype', '{"__proto__": {}}', '__proto__ is not a rate tier'],
    ['an inherited name', '{"toString": {}}', 'toString is not a rate tier'],
    ['a tier that is no object', '{"free": 5}', 'free must be an object'],
    ['a tier that is null', '{"free": null}', 'free must be an object'],
    [
      'an unknown field',
      '{"pro": {"requests_per_week": 1}}',
      'pro.requests_per_week is not a rate; known are',
    ],
    ['zero', '{"pro": {"requests_per_day": 0}}', 'pro.requests_per_day must be a number from 0.001 to'],
    ['a negative', '{"free": {"requests_per_hour": -1}}', 'free.requests_per_hour must be a number'],
    ['more than a double holds', '{"free": {"requests_per_hour": 1e999}}', 'free.requests_per_hour must be'],
    ['a number as text', '{"basic": {"requests_per_second": "5"}}', 'basic.requests_per_second must be'],
    ['true', '{"basic": {"requests_per_minute": true}}', 'basic.requests_per_minute must be'],
  ];
  it.each(refused)('%s', (_title, json, message) => {
    expect(() => parseRateTiers(JSON.parse(json))).toThrow(message);
  });

  it('NaN', () => {
    expect(() => parseRateTiers({ anonymous: { requests_per_minute: NaN } })).toThrow(
      'anonymous.requests_per_minute must be a number from 0.001 to 1000000000, or null for no limit',
    );
  });
});

describe('parseRateTiers', () => {
  it('gives the defaults for an empty file', () => {
    expect(parseRateTiers({})).toEqual(DEFAULT_RATE_TIERS);
  });

  it('overrides the numbers that the file names and leaves all others', () => {
    const tiers = parseRateTiers({
      free: { requests_per_second: 2.5, requests_per_day: null },
      anonymous: { requests_per_minute: 5 },
    });
    expect(tiers).toEqual({
      ...DEFAULT_RATE_TIERS,
      free: {
        requests_per_second: 2.5,
        requests_per_minute: 10,
        requests_per_hour: 100,
        requests_per_day: null,
      },
      anonymous: {
        requests_per_second: null,
        requests_per_minute: 5,
        requests_per_hour: null,
        requests_per_day: null,
      },
    });
  });

  it('leaves the defaults themselves unchanged', () => {
    parseRateTiers({ free: { requests_per_second: 900 } });
    expect(DEFAULT_RATE_TIERS.free.requests_per_second).toBe(1);
  });
});

describe('withAccountRates', () => {
  it('replaces what the account has of its own, lifts what is null and keeps what is missing', () => {
    const rates = withAccountRates(DEFAULT_RATE_TIERS.basic, {
      requests_per_second: 7,
      requests_per_day: null,
      requests_per_hour: undefined,
    });
    expect(rates).toEqual({
      requests_per_second: 7,
      requests_per_minute: 100,
      requests_per_hour: 1_000,
      requests_per_day: null,
    });
  });

  it('limits an enterprise account by its own numbers alone', () => {
    const rates = withAccountRates(DEFAULT_RATE_TIERS.enterprise, { requests_per_minute: 30_000 });
    expect(rates).toEqual({
      requests_per_second: null,
      requests_per_minute: 30_000,
      requests_per_hour: null,
      requests_per_day: null,
    });
  });
});
