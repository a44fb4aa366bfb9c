import { Configuration, InvalidConfiguration } from './configuration';

const CORE = { BTC_XPUB: 'xpub', BTC_RPC_URL: 'http://user:secret@127.0.0.1:8332' };
const ESPLORA = { BTC_XPUB: 'xpub', BTC_ESPLORA_URL: 'https://esplora.example.com/api' };
const ETH = { ETH_XPUB: 'xpub', ETH_RPC_URL: 'http://127.0.0.1:8545' };
const MERCHANT = { SOL_MERCHANT_ADDRESS: 'merchant', SOL_RPC_URL: 'http://127.0.0.1:8899' };
const POOL = { SOL_ADDRESS_POOL: 'one two', SOL_RPC_URL: 'http://127.0.0.1:8899' };

function faults(environment: Record<string, string>): string[] {
  try {
    Configuration.read(environment);
  } catch (error) {
    return (error as InvalidConfiguration).faults;
  }
  return [];
}

describe('the settings of payments', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'a key without a node',
      { BTC_XPUB: 'xpub' },
      'BTC_XPUB goes together with BTC_RPC_URL or BTC_ESPLORA_URL',
    ],
    [
      'a node without a key',
      { BTC_RPC_URL: CORE.BTC_RPC_URL },
      'BTC_XPUB goes together with BTC_RPC_URL or BTC_ESPLORA_URL',
    ],
    ['two kinds of node', { ...CORE, ...ESPLORA }, 'BTC_RPC_URL and BTC_ESPLORA_URL exclude each other'],
    ['an Ethereum key alone', { ETH_XPUB: 'xpub' }, 'ETH_XPUB and ETH_RPC_URL go together'],
    ['an Ethereum node alone', { ETH_RPC_URL: ETH.ETH_RPC_URL }, 'ETH_XPUB and ETH_RPC_URL go together'],
    [
      'a merchant without a node',
      { SOL_MERCHANT_ADDRESS: 'merchant' },
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
    [
      'a pool without a node',
      { SOL_ADDRESS_POOL: 'one' },
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
    [
      'a Solana node alone',
      { SOL_RPC_URL: MERCHANT.SOL_RPC_URL },
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
    [
      'a merchant and a pool',
      { ...MERCHANT, ...POOL },
      'SOL_MERCHANT_ADDRESS and SOL_ADDRESS_POOL exclude each other',
    ],
  ])('refuse %s, as half a chain is a mistake', (_, environment, fault) => {
    expect(faults(environment)).toEqual([fault]);
  });

  it('name every fault at once, and repeat no value, which may be a password', () => {
    const found = faults({ ...CORE, BTC_XPUB: '', ETH_XPUB: 'xprv', SOL_RPC_URL: 'http://user:secret@node' });
    expect(found).toHaveLength(3);
    expect(found.join()).not.toMatch(/secret|xprv/);
  });

  it.each([
    ['BTC_RPC_URL', { ...CORE, BTC_RPC_URL: 'ws://127.0.0.1' }],
    ['BTC_ESPLORA_URL', { ...ESPLORA, BTC_ESPLORA_URL: 'esplora.example.com' }],
    ['ETH_RPC_URL', { ...ETH, ETH_RPC_URL: 'http://a b' }],
    ['SOL_RPC_URL', { ...MERCHANT, SOL_RPC_URL: 'mainnet-beta' }],
    ['PAYMENT_EXPIRY_MINUTES', { PAYMENT_EXPIRY_MINUTES: '4' }],
    ['PAYMENT_EXPIRY_MINUTES', { PAYMENT_EXPIRY_MINUTES: '1441' }],
    ['PAYMENT_EXPIRY_MINUTES', { PAYMENT_EXPIRY_MINUTES: '15.5' }],
    ['PAYMENT_POLL_SECONDS', { PAYMENT_POLL_SECONDS: '0' }],
    ['PAYMENT_POLL_SECONDS', { PAYMENT_POLL_SECONDS: '601' }],
  ])('refuse an impossible %s, naming it', (name, environment) => {
    expect(new Set(faults(environment).map((fault) => fault.split(/\W/)[0]))).toEqual(new Set([name]));
  });

  it('have no chain where nothing is set, a price for 15 minutes and a look every 15 seconds', () => {
    expect(Configuration.read({ BTC_XPUB: '', ETH_RPC_URL: '' })).toMatchObject({
      payments: { btc: null, eth: null, sol: null },
      paymentExpiryMinutes: 15,
      paymentPollSeconds: 15,
      paymentConfirmationsFile: null,
      priceSources: null,
    });
  });

  it('have the chains that are set', () => {
    const configuration = Configuration.read({
      ...CORE,
      ...ETH,
      ...MERCHANT,
      PAYMENT_EXPIRY_MINUTES: '5',
      PAYMENT_POLL_SECONDS: '600',
      PAYMENT_CONFIRMATIONS_FILE: '/etc/confirmations.json',
      PRICE_SOURCES: '/etc/prices.json',
    });
    expect(configuration.payments).toEqual({
      btc: { xpub: 'xpub', node: { kind: 'core', url: CORE.BTC_RPC_URL } },
      eth: { xpub: 'xpub', rpcUrl: ETH.ETH_RPC_URL },
      sol: { places: { merchantAddress: 'merchant' }, rpcUrl: MERCHANT.SOL_RPC_URL },
    });
    expect(configuration).toMatchObject({
      paymentExpiryMinutes: 5,
      paymentPollSeconds: 600,
      paymentConfirmationsFile: '/etc/confirmations.json',
      priceSources: '/etc/prices.json',
    });
  });

  it('tell Esplora from Core, and a pool from a merchant', () => {
    const { btc, sol } = Configuration.read({ ...ESPLORA, ...POOL }).payments;
    expect(btc?.node).toEqual({ kind: 'esplora', url: ESPLORA.BTC_ESPLORA_URL });
    expect(sol?.places).toEqual({ pool: 'one two' });
  });
});
