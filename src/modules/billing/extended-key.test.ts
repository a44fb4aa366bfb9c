import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { ExtendedKey } from './extended-key';
import { InvalidKey } from './payment-chain';

/** BIP-84's test vector: the account m/84'/0'/0' of the words "abandon … about". */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const WORDS = `${'abandon '.repeat(11)}about`;
const PUBLIC = { xpub: 0x0488b21e, zpub: 0x04b24746, tpub: 0x043587cf, vpub: 0x045f1cf6 };
const PRIVATE = {
  xprv: 0x0488ade4,
  yprv: 0x049d7878,
  zprv: 0x04b2430c,
  tprv: 0x04358394,
  uprv: 0x044a4e28,
  vprv: 0x045f18bc,
};
const OTHER = { ypub: 0x049d7cb2, upub: 0x044a5262, Ypub: 0x0295b43f, Zpub: 0x02aa7ed3 };

const base58check = createBase58check(sha256);
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'");

describe('an extended key', () => {
  it('gives the public keys that BIP-84 publishes', () => {
    const key = ExtendedKey.parse(ZPUB);
    expect(Buffer.from(key.publicKeyAt(0)).toString('hex')).toBe(
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    );
    expect(key.network).toBe('main');
    expect(key.standardText).toMatch(/^xpub/);
  });

  it.each(Object.entries(PUBLIC))('is the same however its first bytes are written: %s', (kind, version) => {
    const key = ExtendedKey.parse(withVersion(account.publicExtendedKey, version));
    const isMain = kind === 'xpub' || kind === 'zpub';
    expect(key.network).toBe(isMain ? 'main' : 'test');
    const standard = withVersion(account.publicExtendedKey, isMain ? PUBLIC.xpub : PUBLIC.tpub);
    expect(key.standardText).toBe(standard);
    expect(key.id).toBe(ExtendedKey.parse(standard).id);
    expect(key.id).toMatch(/^[0-9a-f]{16}$/);
    expect(key.publicKeyAt(5)).toEqual(account.deriveChild(0).deriveChild(5).publicKey);
  });

  it.each(Object.entries(PRIVATE))('is refused when it is private, saying so: %s', (kind, version) => {
    const text = withVersion(account.privateExtendedKey, version);
    expect(text.slice(0, 4)).toBe(kind);
    expectRefused(text, 'private key');
  });

  it.each(Object.entries(OTHER))('is refused when it is of another kind of address: %s', (kind, version) => {
    const text = withVersion(account.publicExtendedKey, version);
    expect(text.slice(0, 4)).toBe(kind);
    expectRefused(text, 'is not an xpub, zpub, tpub or vpub');
  });

  it('is refused when it is the master key, from which no wallet takes addresses', () => {
    expectRefused(HDKey.fromMasterSeed(Buffer.alloc(32, 7)).publicExtendedKey, 'is a master key');
  });

  it('is refused when a single letter is wrong', () => {
    for (const at of [5, 50, ZPUB.length - 1]) {
      expectRefused(
        `${ZPUB.slice(0, at)}${ZPUB[at] === 'a' ? 'b' : 'a'}${ZPUB.slice(at + 1)}`,
        'typing error',
      );
    }
  });

  it.each([
    ['the words of a wallet', WORDS],
    [
      'a private key as Bitcoin writes it',
      base58check.encode(new Uint8Array([0x80, ...Buffer.alloc(32, 7), 1])),
    ],
    ['a private key as Ethereum writes it', '0x'.padEnd(66, 'f')],
    ['an address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['half of it', ZPUB.slice(0, 60)],
    ['it twice', ZPUB + ZPUB],
    ['it with a space', `${ZPUB} `],
    ['nothing', ''],
  ])('is refused when it is %s', (_, text) => {
    expectRefused(text, 'is not an extended public key');
  });

  it('is refused when it is public by its first bytes and private by its content', () => {
    expectRefused(withVersion(account.privateExtendedKey, PUBLIC.xpub), 'is not a valid extended public key');
  });

  it('is refused when its point is on no curve', () => {
    const bytes = base58check.decode(ZPUB);
    bytes.fill(0xff, 46);
    expectRefused(base58check.encode(bytes), 'is not a valid extended public key');
  });
});

/** Refused, and no part of what was given is repeated. */
function expectRefused(text: string, reason: string): void {
  let refusal: unknown;
  try {
    ExtendedKey.parse(text);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(InvalidKey);
  const { message, cause } = refusal as InvalidKey;
  expect(message).toContain(reason);
  expect(cause).toBeUndefined();
  for (let start = 0; start + 8 <= text.length; start += 1) {
    expect(message).not.toContain(text.slice(start, start + 8));
  }
}

function withVersion(text: string, version: number): string {
  const bytes = base58check.decode(text);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, version);
  return base58check.encode(bytes);
}
