import { bech32, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { sha256 } from '@noble/hashes/sha2.js';
import { p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import { randomBytes } from 'node:crypto';

const base58check = createBase58check(sha256);
/** SLIP-132: the bytes by which an extended public key says what it is for. */
const VERSIONS = { xpub: 0x0488b21e, zpub: 0x04b24746, tpub: 0x043587cf, vpub: 0x045f1cf6 };
const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' };

/** A wallet whose extended public key a merchant would configure. */
export interface BitcoinAccount {
  tpub: string;
  vpub: string;
  /** The receiving address of an index on regtest, which is at 0/index below the account. */
  address(index: number): string;
}

/** A fresh account of BIP84 on a test network: m/84'/1'/0'. */
export function freshBitcoinAccount(): BitcoinAccount {
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/1'/0'");
  return {
    tpub: withVersion(account.publicExtendedKey, 'tpub'),
    vpub: withVersion(account.publicExtendedKey, 'vpub'),
    address: (index) => {
      const { publicKey } = account.deriveChild(0).deriveChild(index);
      const { address } = p2wpkh(publicKey ?? new Uint8Array(), REGTEST);
      return address ?? '';
    },
  };
}

/** The same key under other version bytes. */
export function withVersion(extendedKey: string, kind: keyof typeof VERSIONS): string {
  const bytes = base58check.decode(extendedKey);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, VERSIONS[kind]);
  return base58check.encode(bytes);
}

/** An address on regtest whose key nobody has. */
export function freshRegtestAddress(): string {
  return bech32.encode('bcrt', [0, ...bech32.toWords(randomBytes(20))]);
}
