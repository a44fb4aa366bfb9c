import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { ExtendedKey } from '../extended-key';
import { ethereumAddress } from './ethereum-chain';

const WORDS = `${'abandon '.repeat(11)}about`;

describe('the addresses of an Ethereum account', () => {
  const seed = pbkdf2Sync(WORDS, 'mnemonic', 2048, 64, 'sha512');
  const account = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'");
  const key = ExtendedKey.parse(account.publicExtendedKey);

  it('are those that wallets derive from the same words', () => {
    expect(ethereumAddress(key, 0)).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
    expect(ethereumAddress(key, 1)).toBe('0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0');
  });

  it('differ for every index', () => {
    const addresses = Array.from({ length: 200 }, (_, index) => ethereumAddress(key, index));
    expect(new Set(addresses).size).toBe(200);
    expect(addresses.every((address) => /^0x[0-9a-fA-F]{40}$/.test(address))).toBe(true);
  });
});
