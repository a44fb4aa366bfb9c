import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { HDKey } from '@scure/bip32';
import { randomBytes } from 'node:crypto';

/** A wallet whose extended public key a merchant would configure. */
export interface EthereumAccount {
  xpub: string;
  /** The receiving address of an index, in lower case: 0/index below the account. */
  address(index: number): string;
}

/** A fresh account of BIP44: m/44'/60'/0'. */
export function freshEthereumAccount(): EthereumAccount {
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
  return {
    xpub: account.publicExtendedKey,
    address: (index) => addressOf(account.deriveChild(0).deriveChild(index).publicKey ?? new Uint8Array()),
  };
}

/** An address whose key nobody has. */
export function freshEthereumAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

function addressOf(publicKey: Uint8Array): string {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return `0x${bytesToHex(keccak_256(uncompressed.slice(1)).slice(-20))}`;
}
