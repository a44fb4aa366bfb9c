import { readFileSync, statSync } from 'node:fs';
import { base58 } from '@scure/base';
import { InvalidKey } from '../payment-chain';

const ADDRESS_BYTES = 32;
const SECRET_KEY_BYTES = 64;

/** 64 bytes never have more. */
const TEXT_LENGTH_MAX = 88;

/** Base58 of 32 bytes, without a checksum. @throws InvalidKey, which never repeats the text: it may be a secret key */
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

/** Many are listed, and decoding each would take long. */
export function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);
}

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

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * @param pool addresses with white space or commas between them, or the path of a file of such
 * @throws InvalidKey where none, a bad or a repeated one is in it: two payments would share it
 */
export function readPool(pool: string): string[] {
  const addresses = textOf(pool.trim())
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => entryOf(entry, index + 1));
  if (addresses.length === 0) {
    throw new InvalidKey('has no address');
  }
  const places = new Map<string, number>();
  addresses.forEach((address, index) => {
    const earlier = places.get(address);
    if (earlier !== undefined) {
      throw new InvalidKey(`has one address twice, as entries ${earlier} and ${index + 1}`);
    }
    places.set(address, index + 1);
  });
  return addresses;
}

/** A path needs neither dots nor slashes: whatever is the name of a file is one. */
function textOf(pool: string): string {
  const size = fileSize(pool);
  if (size === null) {
    if (/^[^\s,]*[./][^\s,]*$/.test(pool)) {
      throw new InvalidKey('is neither an address nor the path of a file that can be read');
    }
    return pool;
  }
  if (size > FILE_BYTES_MAX) {
    throw new InvalidKey(`is a file of more than ${FILE_BYTES_MAX} bytes`);
  }
  return readFileSync(pool, 'utf8');
}

/** Null where there is no such file. An error would say the text, which may be secret keys. */
function fileSize(path: string): number | null {
  try {
    const file = statSync(path);
    return file.isFile() ? file.size : null;
  } catch {
    return null;
  }
}

function entryOf(entry: string, position: number): string {
  try {
    return solanaAddress(entry);
  } catch (error) {
    throw new InvalidKey(`entry ${position} ${(error as InvalidKey).message}`);
  }
}
