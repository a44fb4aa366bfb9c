import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPriceSources } from './price-source-settings';

const KEY = 'k3y-that-nobody-may-see';
const ONE = { name: 'one', url: `https://one.example/{currency}?key=${KEY}`, pointer: '/usd' };
const TWO = { name: 'two', url: 'http://two.example/prices', pointer: '/{currency}/usd' };

const read = (list: unknown) => readPriceSources(JSON.stringify(list));

/** The places of a source beside TWO, by currency. */
function placesOf(source: object) {
  const { sources, faults } = read([source, TWO]);
  expect(faults).toEqual([]);
  return Object.fromEntries(sources[0]?.places ?? []);
}

describe('readPriceSources refuses', () => {
  const url = '.url must be an http or https URL without a fragment, with no braces but {currency}';
  const name = '.name must be 1 to 32 letters, digits, dots, hyphens or underscores';
  it.each<[title: string, change: object | string, fault: string]>([
    ['an entry that is no object', KEY, ' must be an object'],
    ['an unknown member', { [KEY]: 1 }, ' may only have name, url, pointer, names, pointers, currencies'],
    ['no name', { name: undefined }, name],
    ['an empty name', { name: '' }, name],
    ['a name with a line break', { name: `${KEY}\n` }, name],
    ['a long name', { name: 'n'.repeat(33) }, name],
    ['no URL', { url: undefined }, '.url must be a string'],
    ['a path', { url: `/${KEY}` }, url],
    ['another protocol', { url: `ftp://${KEY}@one.example/{currency}` }, url],
    ['a file', { url: `file:///${KEY}/{currency}` }, url],
    ['a fragment', { url: `${ONE.url}#${KEY}` }, url],
    ['a blank', { url: `${ONE.url} ${KEY}` }, url],
    ['another placeholder', { url: 'https://one.example/{Currency}' }, url],
    ['a long URL', { url: ONE.url + KEY.repeat(100) }, url],
    ['an impossible port', { url: `https://one.example:99999/{currency}/${KEY}` }, url],
    ['a password that can not be decoded', { url: `https://user:%zz${KEY}@one.example/{currency}` }, url],
    ['no pointer', { pointer: undefined }, '.pointer is missing'],
    [
      'pointers for some currencies alone',
      { pointer: undefined, pointers: { BTC: '/btc', ETH: '/eth' } },
      '.pointer is missing',
    ],
    ['what is no pointer', { pointer: KEY }, '.pointer must be a JSON pointer'],
    ['a pointer with a stray tilde', { pointer: '/~2' }, '.pointer must be a JSON pointer'],
    ['a long pointer', { pointer: `/${KEY.repeat(20)}` }, '.pointer must be a JSON pointer'],
    [
      'a pointer that the names make long',
      { pointer: '/{currency}'.repeat(20), names: { BTC: 'b'.repeat(32) } },
      '.pointer is too long',
    ],
    ['a name of an unknown currency', { names: { DOGE: KEY } }, '.names may give BTC, ETH, SOL names of 1'],
    ['a name that leaves its place in the URL', { names: { BTC: `../${KEY}` } }, '.names may give'],
    ['names as a list', { names: [KEY] }, '.names may give'],
    ['null for names', { names: null }, '.names may give'],
    ['pointers of an unknown currency', { pointers: { DOGE: KEY } }, '.pointers may give BTC, ETH, SOL JSON'],
    ['what is no pointer of a currency', { pointers: { BTC: KEY } }, '.pointers may give BTC, ETH, SOL JSON'],
    ['an unknown currency', { currencies: ['BTC', KEY] }, '.currencies must be a list of different ones of'],
    ['a currency twice', { currencies: ['BTC', 'BTC'] }, '.currencies must be a list of different ones of'],
    ['no currency', { currencies: [] }, '.currencies must be a list of different ones of BTC, ETH, SOL'],
    ['a text of currencies', { currencies: 'BTC' }, '.currencies must be a list of different ones of'],
  ])('%s, and repeats no value', (_, change, fault) => {
    const { sources, faults } = read([TWO, typeof change === 'string' ? change : { ...ONE, ...change }]);
    expect(sources).toEqual([]);
    expect(faults).toEqual([expect.stringContaining(`PRICE_SOURCES[1]${fault}`)]);
    expect(faults.join()).not.toContain(KEY);
  });

  it.each<[title: string, variable: string, fault: string]>([
    ['what is no JSON', `[{"url": "${KEY}"`, 'PRICE_SOURCES is not valid JSON'],
    ['an object', JSON.stringify(ONE), 'PRICE_SOURCES must be an array'],
    ['a file that is not there', `/nowhere/${KEY}`, 'as a path it gives ENOENT'],
    ['a path with a zero byte', `/nowhere\0/${KEY}`, 'as a path it gives ERR_INVALID_ARG_VALUE'],
    ['a folder', tmpdir(), 'as a path it gives EISDIR'],
    ['no source', '[]', 'PRICE_SOURCES must name 2 to 16 sources'],
    ['one source', JSON.stringify([ONE]), 'PRICE_SOURCES must name 2 to 16 sources'],
    ['17 sources', JSON.stringify(Array(17).fill(ONE)), 'PRICE_SOURCES must name 2 to 16 sources'],
  ])('%s', (_, variable, fault) => {
    const { sources, faults } = readPriceSources(variable);
    expect(sources).toEqual([]);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join()).not.toContain(KEY);
  });

  it('names that are used twice', () => {
    expect(read([ONE, { ...TWO, name: 'one' }]).faults).toEqual(['PRICE_SOURCES[1].name is used before']);
  });

  it('one source that passes for two', () => {
    const again = { ...ONE, name: 'again', url: ONE.url.replace('https://one', 'HTTPS://ONE') };
    expect(read([ONE, again]).faults).toContain(
      'PRICE_SOURCES[1] takes the price of BTC from a place that is named before: {currency} is missing, or names, or currencies',
    );
  });

  it('one price that passes for that of several coins', () => {
    expect(read([TWO, { ...ONE, url: 'https://one.example/btc-usd' }]).faults).toEqual([
      'PRICE_SOURCES[1] takes the price of ETH from a place that is named before: {currency} is missing, or names, or currencies',
      'PRICE_SOURCES[1] takes the price of SOL from a place that is named before: {currency} is missing, or names, or currencies',
    ]);
  });
});

describe('readPriceSources', () => {
  it('puts the name of the currency in the URL and in the pointer', () => {
    expect(placesOf({ ...ONE, pointer: '/{currency}/usd', names: { BTC: 'bitcoin' } })).toEqual({
      BTC: { url: `https://one.example/bitcoin?key=${KEY}`, pointer: '/bitcoin/usd' },
      ETH: { url: `https://one.example/ETH?key=${KEY}`, pointer: '/ETH/usd' },
      SOL: { url: `https://one.example/SOL?key=${KEY}`, pointer: '/SOL/usd' },
    });
  });

  it('takes a pointer of its own for single currencies', () => {
    const places = placesOf({ ...ONE, pointers: { ETH: '/a~1b/{currency}' }, currencies: ['ETH', 'SOL'] });
    expect(places).toMatchObject({ ETH: { pointer: '/a~1b/ETH' }, SOL: { pointer: '/usd' } });
    expect(Object.keys(places)).toEqual(['ETH', 'SOL']);
  });

  it('needs no pointer where each currency has one', () => {
    const places = placesOf({ ...ONE, pointer: undefined, pointers: { BTC: '/btc' }, currencies: ['BTC'] });
    expect(places).toEqual({ BTC: { url: `https://one.example/BTC?key=${KEY}`, pointer: '/btc' } });
  });

  it('reads a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'price-sources-'));
    const file = join(folder, 'sources.json');
    writeFileSync(file, JSON.stringify([ONE, TWO]));
    expect(readPriceSources(` ${file}\n`)).toEqual(read([ONE, TWO]));
    rmSync(folder, { recursive: true });
  });

  it('knows three sources by itself', () => {
    const { sources, faults } = readPriceSources(null);
    expect(faults).toEqual([]);
    expect(
      sources.flatMap(({ name, places }) =>
        [...places].map(([currency, { url, pointer }]) => [name, currency, url, pointer].join(' ')),
      ),
    ).toEqual([
      'kraken BTC https://api.kraken.com/0/public/Ticker?pair=XBTUSD /result/XXBTZUSD/c/0',
      'kraken ETH https://api.kraken.com/0/public/Ticker?pair=ETHUSD /result/XETHZUSD/c/0',
      'kraken SOL https://api.kraken.com/0/public/Ticker?pair=SOLUSD /result/SOLUSD/c/0',
      'coinbase BTC https://api.coinbase.com/v2/prices/BTC-USD/spot /data/amount',
      'coinbase ETH https://api.coinbase.com/v2/prices/ETH-USD/spot /data/amount',
      'coinbase SOL https://api.coinbase.com/v2/prices/SOL-USD/spot /data/amount',
      'bitstamp BTC https://www.bitstamp.net/api/v2/ticker/btcusd/ /last',
      'bitstamp ETH https://www.bitstamp.net/api/v2/ticker/ethusd/ /last',
      'bitstamp SOL https://www.bitstamp.net/api/v2/ticker/solusd/ /last',
    ]);
  });
});
