import { checkSettings } from './check-settings';
import { Configuration } from './config/configuration';

describe('settings are judged before anything is touched', () => {
  it.each([
    [{ PRICE_SOURCES: '[]' }, 'PRICE_SOURCES must name'],
    [{ BTC_XPUB: 'xpub', BTC_ESPLORA_URL: 'http://127.0.0.1' }, 'BTC_XPUB: '],
    [{ SOL_ADDRESS_POOL: '/nowhere', SOL_RPC_URL: 'http://127.0.0.1' }, 'SOL_ADDRESS_POOL: '],
    [{ OUTBOUND_CA_FILE: '/nowhere' }, 'OUTBOUND_CA_FILE (/nowhere): '],
  ])('%j', (environment, fault) => {
    expect(() => checkSettings(Configuration.read(environment))).toThrow(fault);
  });

  it('of which those of an embedded service are sound', () => {
    expect(() => checkSettings(Configuration.read({}))).not.toThrow();
  });
});
