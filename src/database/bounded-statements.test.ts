import { inBatches } from './bounded-statements';

describe('inBatches', () => {
  it('goes on until a batch is not full', async () => {
    expect(await handle([3, 3, 1, 3])).toEqual([7, 3]);
  });

  it('ends at the bound of batches however much is left', async () => {
    expect(await handle([3, 3, 3, 3, 3])).toEqual([12, 4]);
  });

  it('begins no batch once the process ends', async () => {
    const ending = new AbortController();
    expect(await handle([3, 3, 3], { ending, endedAfter: 2 })).toEqual([6, 2]);
  });

  /** Runs batches that handle these counts of rows. Returns how many rows were handled, and in how many batches. */
  async function handle(
    counts: number[],
    end?: { ending: AbortController; endedAfter: number },
  ): Promise<[number, number]> {
    let batches = 0;
    const handled = await inBatches({ sizeMax: 3, batchesMax: 4, signal: end?.ending.signal }, () => {
      batches += 1;
      if (batches === end?.endedAfter) {
        end.ending.abort();
      }
      return Promise.resolve(counts[batches - 1] ?? 0);
    });
    return [handled, batches];
  }
});
