import { withVersion } from '../../../../test/support/chains/bitcoin-keys';
import { ExtendedKey } from '../extended-key';
import { bitcoinAddress, isAddressOf, isBitcoinNetwork } from './bitcoin-places';

/** The account of BIP-84's own test vectors. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

describe('the addresses of an extended key', () => {
  it('are those that BIP-84 publishes', () => {
    const key = ExtendedKey.parse(ZPUB);
    expect(bitcoinAddress(key, 'main', 0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    expect(bitcoinAddress(key, 'main', 1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  });

  it('begin with what names the network', () => {
    const key = ExtendedKey.parse(withVersion(ZPUB, 'vpub'));
    const addresses = (['test', 'testnet4', 'signet', 'regtest'] as const).map((network) =>
      bitcoinAddress(key, network, 0),
    );
    expect(addresses).toEqual([
      ...Array<string>(3).fill('tb1qcr8te4kr609gcawutmrza0j4xv80jy8zmfp6l0'),
      'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx',
    ]);
    expect(addresses.map((address) => isAddressOf('regtest', address))).toEqual([false, false, false, true]);
  });

  it('are of the networks that Bitcoin Core has', () => {
    const names = ['main', 'test', 'testnet4', 'signet', 'regtest', 'toString', '', 'Main'];
    expect(names.filter(isBitcoinNetwork)).toEqual(['main', 'test', 'testnet4', 'signet', 'regtest']);
  });
});
