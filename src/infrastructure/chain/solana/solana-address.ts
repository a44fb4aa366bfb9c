import { base58 } from '@scure/base';
import { InvalidKey } from '../chain-errors';

const ADDRESS_BYTES = 32;
const SECRET_KEY_BYTES = 64;

/** More than 64 bytes never have, so that nothing longer is decoded. */
const TEXT_LENGTH_MAX = 88;

/**
 * Checks an address, which has no checksum: base58 of 32 bytes.
 * @throws InvalidKey, which never repeats the text: it may be a secret key, and it says so where it is one
 */
export function solanaAddress(text: string): string {
  if (text.startsWith('[')) {
    throw new InvalidKey('is the file of a key pair: never give it to a server; give the address');
  }
  const length = decodedLength(text);
  if (length === SECRET_KEY_BYTES) {
    throw new InvalidKey('is a secret key: never give it to a server; give the address');
  }
  if (length !== ADDRESS_BYTES) {
    throw new InvalidKey('is not a Solana address: that is base58 of 32 bytes');
  }
  return text;
}

/** Whether a text can be a signature: base58 of 64 bytes. Many are listed, and decoding each would take long. */
export function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);
}

/** Null where it is not base58. */
function decodedLength(text: string): number | null {
  if (text.length > TEXT_LENGTH_MAX) {
    return null;
  }
  try {
    return base58.decode(text).length;
  } catch {
    return null;
  }
}
