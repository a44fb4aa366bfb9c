import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { freshSignature } from '../../../../test/support/chains/solana-answers';
import { freshSolanaAddress } from '../../../../test/support/chains/solana-transaction';
import { InvalidKey } from '../payment-chain';
import { readPool, solanaAddress } from './solana-chain';

/** As long as a secret key, which is 64 bytes as a signature is. */
const secretKey = freshSignature();

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidKey);
    return (error as InvalidKey).message;
  }
  throw new Error('it was taken');
}

describe('a Solana address', () => {
  it('is base58 of 32 bytes', () => {
    const address = freshSolanaAddress();
    expect(solanaAddress(address)).toBe(address);
    for (const text of [
      '',
      'address',
      `1${address}`,
      address.slice(4),
      '0x00',
      base58.encode(new Uint8Array(33)),
    ]) {
      expect(refusalOf(() => solanaAddress(text))).toContain('is not a Solana address');
    }
  });

  it('is never a secret key, which is not repeated', () => {
    const refusals = [secretKey, JSON.stringify([...base58.decode(secretKey)])].map((text) =>
      refusalOf(() => solanaAddress(text)),
    );
    expect(refusals[0]).toContain('is a secret key');
    expect(refusals[1]).toContain('is the file of a key pair');
    expect(refusals.join()).not.toContain(secretKey.slice(0, 8));
  });
});

describe('a pool of Solana addresses', () => {
  const [first, second] = [freshSolanaAddress(), freshSolanaAddress()];

  it.each([' ', ',', '\n', ', ', '\r\n\t'])('is separated by %j', (separator) => {
    expect(readPool(`${first}${separator}${second}\n`)).toEqual([first, second]);
  });

  it('can be a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pool-'));
    const file = join(folder, 'addresses');
    writeFileSync(file, `${first}\n${second}\n`);
    expect(readPool(file)).toEqual([first, second]);
    writeFileSync(file, `${first}\n${secretKey}\n`);
    expect(refusalOf(() => readPool(file))).toContain('entry 2 is a secret key');
    expect(refusalOf(() => readPool(join(folder, 'none.txt')))).toContain(
      'is neither an address nor the path',
    );
    rmSync(folder, { recursive: true });
  });

  it('says which entry is of no use, and never what it says', () => {
    expect(refusalOf(() => readPool(' \n,'))).toBe('has no address');
    expect(refusalOf(() => readPool(`${first} ${second} ${first}`))).toBe(
      'has one address twice, as entries 1 and 3',
    );
    const refusal = refusalOf(() => readPool(`${first} ${secretKey}`));
    expect(refusal).toContain('entry 2 is a secret key');
    expect(refusal).not.toContain(secretKey);
    // Longer than any path can be: an error of the file system would repeat it.
    const many = Array.from({ length: 500 }, () => secretKey).join(',');
    expect(refusalOf(() => readPool(many))).not.toContain(secretKey);
  });
});
