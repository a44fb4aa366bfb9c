import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration, type InvalidConfiguration } from './configuration';

const KEY = 'sk-very-secret-key';
const ONE = { name: 'one', base_url: 'https://api.example.com/v1', api_key: KEY };

function read(upstreams: unknown) {
  const text = typeof upstreams === 'string' ? upstreams : JSON.stringify(upstreams);
  return Configuration.read({ UPSTREAMS: text }).upstreams;
}

function fault(upstreams: unknown): string {
  try {
    read(upstreams);
  } catch (error) {
    return (error as InvalidConfiguration).message;
  }
  return '';
}

describe('UPSTREAMS', () => {
  it.each<[string, unknown, string]>([
    ['text that is no JSON', `[{"api_key":"${KEY}"`, 'UPSTREAMS is not valid JSON'],
    ['a file that is not there', `/nowhere/${KEY}.json`, 'ENOENT'],
    ['an object', { ...ONE }, 'UPSTREAMS must be an array'],
    ['an entry that is no object', [KEY], 'UPSTREAMS[0] must be an object'],
    [
      'more than 32',
      Array.from({ length: 33 }, (_, n) => ({ ...ONE, name: `u${n}` })),
      'at most 32 upstreams',
    ],
    ['a name used twice', [ONE, ONE], 'UPSTREAMS[1].name is used before'],
    ['no name', [{ base_url: ONE.base_url }], 'UPSTREAMS[0].name must be 1 to 64'],
    ['a name with a space', [{ ...ONE, name: 'a b' }], 'UPSTREAMS[0].name must be 1 to 64'],
    ['the name of the service itself', [{ ...ONE, name: 'embedded' }], 'UPSTREAMS[0].name must not be'],
    ['no URL', [{ name: 'one' }], 'UPSTREAMS[0].base_url'],
    ['what is no URL', [{ ...ONE, base_url: 'api' }], 'UPSTREAMS[0].base_url must be an http or https URL'],
    ['another protocol', [{ ...ONE, base_url: 'ftp://a/v1' }], 'UPSTREAMS[0].base_url must be'],
    ['credentials in it', [{ ...ONE, base_url: `http://u:${KEY}@a/v1` }], 'UPSTREAMS[0].base_url must be'],
    ['a query in it', [{ ...ONE, base_url: `http://a/v1?key=${KEY}` }], 'UPSTREAMS[0].base_url must be'],
    ['a key with a line feed', [{ ...ONE, api_key: `${KEY}\n` }], 'UPSTREAMS[0].api_key must be printable'],
    ['an unknown field', [{ ...ONE, timeout: 3 }], 'UPSTREAMS[0].timeout should not exist'],
    ['a time-out of zero', [{ ...ONE, connect_timeout_ms: 0 }], 'UPSTREAMS[0].connect_timeout_ms must not'],
    [
      'over an hour',
      [{ ...ONE, total_timeout_ms: 3_600_001 }],
      'UPSTREAMS[0].total_timeout_ms must not be greater',
    ],
    [
      'a fraction of a millisecond',
      [{ ...ONE, first_byte_timeout_ms: 1.5 }],
      'first_byte_timeout_ms must be an integer',
    ],
    ['models that are no list', [{ ...ONE, models: {} }], 'UPSTREAMS[0].models must be an array'],
    ['models that are a number', [{ ...ONE, models: 5 }], 'UPSTREAMS[0].models must be objects'],
    ['an empty list of models', [{ ...ONE, models: [] }], 'UPSTREAMS[0].models'],
    ['a model that is no object', [{ ...ONE, models: [[]] }], 'UPSTREAMS[0].models[0] must be an object'],
    [
      'too many models',
      [{ ...ONE, models: Array.from({ length: 1001 }, (_, n) => ({ id: `m${n}` })) }],
      'no more than 1000',
    ],
    ['a model without id', [{ ...ONE, models: [{}] }], 'UPSTREAMS[0].models[0].id must be'],
    [
      'an id with a line feed',
      [{ ...ONE, models: [{ id: 'a\nb' }] }],
      'UPSTREAMS[0].models[0].id must be 1 to 256',
    ],
    [
      'an unknown field of a model',
      [{ ...ONE, models: [{ id: 'm', price: '1' }] }],
      'models[0].price should not exist',
    ],
    [
      'one model name twice',
      [{ ...ONE, models: [{ id: 'm' }, { id: 'n', aliases: ['m'] }] }],
      'UPSTREAMS[0].models[1] has a name',
    ],
    [
      'one price alone',
      [{ ...ONE, models: [{ id: 'm', input_price_per_token_usd: '1' }] }],
      'models[0] must have both prices',
    ],
    [
      'a base without prices of tokens',
      [{ ...ONE, models: [{ id: 'm', base_price_usd: '1' }] }],
      'models[0].base_price_usd needs the prices of tokens',
    ],
    ['a price with ten decimals', [priced('0.0000000001', '1')], 'input_price_per_token_usd must be USD'],
    ['a number with ten decimals', [priced(1, 1e-10)], 'output_price_per_token_usd must be USD'],
    ['a negative price', [priced('-1', '1')], 'input_price_per_token_usd must be USD'],
  ])('refuses %s, naming the place and no value', (_, upstreams, expected) => {
    const message = fault(upstreams);
    expect(message).toContain(expected);
    expect(message).not.toContain(KEY);
  });

  it('names a fault beside those of other variables', () => {
    const wrong = { PORT: 'x', UPSTREAMS: '[1]' };
    expect(() => Configuration.read(wrong)).toThrow(/PORT[^]*UPSTREAMS\[0\]/);
  });

  it('is no upstream when it is not set, or empty', () => {
    expect(Configuration.read({}).upstreams).toEqual([]);
    expect(read('[]')).toEqual([]);
  });

  it('takes the URL of one upstream alone', () => {
    expect(read(' http://127.0.0.1:9000/v1/ ')).toMatchObject([
      { name: 'upstream', baseUrl: 'http://127.0.0.1:9000/v1', apiKey: null, models: null },
    ]);
    expect(fault('https://u:p@a/v1')).toContain('UPSTREAMS[0].base_url must be');
  });

  it('fills in the defaults', () => {
    expect(read([{ name: 'one', base_url: 'http://127.0.0.1:9000/v1//' }])).toEqual([
      {
        name: 'one',
        baseUrl: 'http://127.0.0.1:9000/v1',
        apiKey: null,
        proxyUrl: null,
        models: null,
        partTokens: new Map(),
        passFields: new Map(),
        connectTimeoutMs: 5000,
        firstByteTimeoutMs: 110_000,
        totalTimeoutMs: 600_000,
      },
    ]);
  });

  it('keeps order, models, prices to the nano-dollar and time-outs', () => {
    const times = { connect_timeout_ms: 1, first_byte_timeout_ms: 2, total_timeout_ms: 3_600_000 };
    const [first, second] = read([{ ...ONE, ...times, models: [{ id: 'm', aliases: ['n'] }] }, priced()]);
    expect(first).toMatchObject({ name: 'one', apiKey: KEY, connectTimeoutMs: 1, totalTimeoutMs: 3_600_000 });
    expect(first?.models).toEqual([
      {
        id: 'm',
        aliases: ['n'],
        inputPricePerTokenUsd: null,
        outputPricePerTokenUsd: null,
        cachedInputPricePerTokenUsd: null,
        cacheWritePricePerTokenUsd: null,
        outputTokensMax: null,
        partTokens: new Map(),
      },
    ]);
    expect(second?.models?.[0]).toMatchObject({
      inputPricePerTokenUsd: '0.00000015',
      outputPricePerTokenUsd: '0.0000006',
    });
    expect(read([priced(0, 25)])[0]?.models?.[0]).toMatchObject({
      inputPricePerTokenUsd: '0',
      outputPricePerTokenUsd: '25',
    });
  });

  it.each([
    ['part_tokens', [1], 'must be an object'],
    ['part_tokens', { 'a b': 1 }, 'must be an object of at most 100 names'],
    ['part_tokens', { file: 0 }, 'must have values of whole tokens'],
    ['part_tokens', { file: '5' }, 'must have values of whole tokens'],
    ['pass_fields', 'plugins', 'must be an object'],
    ['pass_fields', { plugins: 0.01 }, 'must have values of USD a call'],
    ['pass_fields', { plugins: '-1' }, 'must have values of USD a call'],
    ['pass_fields', { plugins: KEY }, 'must have values of USD a call'],
  ])('refuses %s of %j', (name, value, message) => {
    const said = fault([{ ...ONE, [name]: value }]);
    expect(said).toContain(`UPSTREAMS[0].${name} ${message}`);
    expect(said).not.toContain(KEY);
  });

  it('prices parts for each model as it says itself, or else as its upstream does', () => {
    const models = [{ id: 'm', part_tokens: { image: 9 } }, { id: 'n' }];
    const terms = { part_tokens: { image: 5, file: 7 }, pass_fields: { plugins: '0.01', provider: null } };
    const [one] = read([{ ...ONE, ...terms, models }]);
    expect(one?.models?.map(({ partTokens }) => Object.fromEntries(partTokens ?? []))).toEqual([
      { image: 9, file: 7 },
      { image: 5, file: 7 },
    ]);
    expect(Object.fromEntries(one?.passFields ?? [])).toEqual({ plugins: '0.01', provider: '0' });
    expect(fault([{ ...ONE, models: [{ id: 'm', part_tokens: 3 }] }])).toContain('models[0].part_tokens');
  });

  it('reads the list from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'upstreams-'));
    const file = join(folder, 'upstreams.json');
    writeFileSync(file, JSON.stringify([ONE]));
    expect(read(file)).toMatchObject([{ name: 'one' }]);
    rmSync(folder, { recursive: true });
  });
});

function priced(input: unknown = 1.5e-7, output: unknown = '0.0000006') {
  const prices = { input_price_per_token_usd: input, output_price_per_token_usd: output };
  return { ...ONE, name: 'priced', models: [{ id: 'm', ...prices }] };
}
