import { readFileSync, statSync } from 'node:fs';
import { InvalidKey } from '../chain-errors';
import { solanaAddress } from './solana-address';

const FILE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Reads the addresses of a pool, in their order.
 * @param pool addresses with white space or commas between them, or the path of a file of such
 * @throws InvalidKey where there is none, one is no address, or one stands there twice: two payments would share it
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

/** Null where there is no such file. An error would say the text, which may be secret keys; it is no path then either. */
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
