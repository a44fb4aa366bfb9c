import { OperatorCallFailed } from '../../../http/operator-http';
import { type BlockTransaction, type EthereumReader, transactionHashes } from './ethereum-reader';

const ADDRESS = '0xAbCdEf0000000000000000000000000000000001';
const OTHER = '0x0000000000000000000000000000000000000002';
const sought = { id: 'transfer', address: ADDRESS, block: 7, amountBase: 5n };

/** A node whose block 7 has the transactions, and in which those named failed have failed. */
function readerOf(transactions: [string, string | null, bigint][], failed: string[] = []): EthereumReader {
  const content = transactions.map(([hash, to, value]): BlockTransaction => ({
    hash,
    to: to?.toLowerCase() ?? null,
    value,
  }));
  return {
    transactions: (blocks: number[]) => Promise.resolve(blocks.map((block) => (block === 7 ? content : []))),
    successes: (hashes: string[]) => Promise.resolve(hashes.map((hash) => !failed.includes(hash))),
  } as unknown as EthereumReader;
}

async function hashFound(reader: EthereumReader): Promise<string | undefined> {
  return (await transactionHashes([sought], reader)).hashes.get('transfer');
}

describe('the transaction of a transfer', () => {
  it('is the one that paid the address', async () => {
    expect(
      await hashFound(
        readerOf([
          ['a', OTHER, 5n],
          ['b', ADDRESS, 5n],
          ['c', null, 5n],
        ]),
      ),
    ).toBe('b');
  });

  it('is never one that failed', async () => {
    expect(await hashFound(readerOf([['a', ADDRESS, 5n]], ['a']))).toBeUndefined();
    expect(
      await hashFound(
        readerOf(
          [
            ['a', ADDRESS, 5n],
            ['b', ADDRESS, 2n],
          ],
          ['a'],
        ),
      ),
    ).toBe('b');
  });

  it('is the largest of several', async () => {
    expect(
      await hashFound(
        readerOf([
          ['a', ADDRESS, 2n],
          ['b', ADDRESS, 3n],
        ]),
      ),
    ).toBe('b');
  });

  it('is none that brought more, or nothing', async () => {
    expect(
      await hashFound(
        readerOf([
          ['a', ADDRESS, 6n],
          ['b', ADDRESS, 0n],
        ]),
      ),
    ).toBeUndefined();
  });

  it('is not found by a node that fails, which harms nothing else', async () => {
    const reader = { transactions: () => Promise.reject(new OperatorCallFailed('too long')) };
    expect(await transactionHashes([sought], reader as unknown as EthereumReader)).toEqual({
      hashes: new Map(),
      lookedFor: ['transfer'],
    });
  });

  it('is looked for in a bounded number of blocks at once, the newest first', async () => {
    const many = Array.from({ length: 40 }, (_, block) => ({ ...sought, id: `transfer ${block}`, block }));
    const { lookedFor } = await transactionHashes(many, readerOf([]));
    expect(lookedFor).toHaveLength(16);
    expect(lookedFor).toContain('transfer 39');
  });
});
