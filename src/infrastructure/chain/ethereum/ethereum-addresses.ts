import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { ExtendedKey } from '../extended-key';

const ADDRESS_BYTES = 20;

/** The address of the key `0/index`, with the checksum that its capital letters are (EIP-55). */
export function ethereumAddress(key: ExtendedKey, index: number): string {
  const point = secp256k1.Point.fromBytes(key.publicKeyAt(index)).toBytes(false);
  // The first byte only says that the point is not compressed.
  const hash = keccak_256(point.subarray(1));
  return checksummed(Buffer.from(hash.subarray(-ADDRESS_BYTES)).toString('hex'));
}

function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${marked.join('')}`;
}
