import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

export interface EtherToSign {
  chainId: number;
  nonce: number;
  /** In wei, for each of the 21,000 units of gas. */
  gasPrice: bigint;
  to: string;
  wei: bigint;
}

/** A plain transfer as a wallet signs it (EIP-155), in hexadecimal. */
export function signedTransfer(
  { chainId, nonce, gasPrice, to, wei }: EtherToSign,
  privateKey: Uint8Array,
): string {
  const fields = [number(nonce), number(gasPrice), number(21_000), bytes(to), number(wei), Buffer.alloc(0)];
  const hash = keccak_256(list([...fields, number(chainId), number(0), number(0)]));
  const signed = secp256k1.sign(hash, privateKey, { prehash: false, format: 'recovered' });
  const { r, s, recovery } = secp256k1.Signature.fromBytes(signed, 'recovered');
  const v = number(chainId * 2 + 35 + (recovery ?? 0));
  return `0x${list([...fields, v, number(r), number(s)]).toString('hex')}`;
}

/** Big-endian, without leading zeros. */
function number(value: number | bigint): Buffer {
  const digits = value.toString(16);
  return BigInt(value) === 0n
    ? Buffer.alloc(0)
    : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

function bytes(address: string): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}

/** Recursive length prefix, the encoding of Ethereum's transactions. */
function list(items: Buffer[]): Buffer {
  const body = Buffer.concat(
    items.map((item) => (item.length === 1 && (item[0] ?? 0) < 0x80 ? item : prefixed(item, 0x80))),
  );
  return prefixed(body, 0xc0);
}

function prefixed(body: Buffer, offset: number): Buffer {
  if (body.length <= 55) {
    return Buffer.concat([Buffer.from([offset + body.length]), body]);
  }
  const length = number(body.length);
  return Buffer.concat([Buffer.from([offset + 55 + length.length]), length, body]);
}
