import type { KnownTransfer } from '../payment-chain';
import { furtherIncreases, increaseId, keptIncreases, knownIncrease } from './payment-look';

const ADDRESS = '0xAB';

function stored(start: bigint, end: bigint, change: Partial<KnownTransfer> = {}): KnownTransfer {
  return {
    id: increaseId(ADDRESS, start, end),
    txHash: null,
    amountBase: end - start,
    state: 'included',
    confirmations: 1,
    isFinal: false,
    blockTime: null,
    firstSeenAt: new Date(0),
    ...change,
  };
}

function idsKept(transfers: KnownTransfer[], received: bigint | null): string[] {
  const known = transfers.flatMap((transfer) => knownIncrease(ADDRESS, transfer) ?? []);
  return keptIncreases(known, received).map(({ id }) => id.slice(ADDRESS.length + 1));
}

describe('the increases of a balance', () => {
  it('that hold on are those below what was received, without gaps', () => {
    const transfers = [stored(5n, 6n), stored(0n, 3n), stored(3n, 5n)];
    expect(idsKept(transfers, 6n)).toEqual(['0-3', '3-5', '5-6']);
    expect(idsKept(transfers, 4n)).toEqual(['0-3']);
    expect(idsKept(transfers, 2n)).toEqual([]);
    expect(idsKept(transfers, null)).toHaveLength(3);
    expect(idsKept([stored(0n, 3n, { state: 'replaced' }), stored(3n, 5n)], 9n)).toEqual([]);
  });

  it('that were missing come back, unless what took their place is there', () => {
    const missing = { state: 'missing', confirmations: 0 } as const;
    const both = [stored(0n, 3n, missing), stored(3n, 5n, missing)];
    expect(idsKept(both, 9n)).toEqual(['0-3', '3-5']);
    expect(idsKept(both, null)).toEqual([]);
    expect(idsKept([stored(0n, 5n, missing), stored(0n, 3n)], 5n)).toEqual(['0-3']);
  });

  it('and were credited keep out whatever overlaps them, also while they are gone', () => {
    const credited = stored(2n, 5n, { state: 'missing', confirmations: 0, creditedNanoUsd: 1n });
    expect(idsKept([stored(0n, 3n), credited], 9n)).toEqual([]);
    expect(idsKept([stored(0n, 2n), credited], 9n)).toEqual(['0-2', '2-5']);
    const known = [knownIncrease(ADDRESS, credited)].flatMap((one) => one ?? []);
    const further = (...steps: bigint[]) =>
      furtherIncreases(ADDRESS, known, 0n, steps).map(({ start, end }) => [start, end]);
    expect(further(1n, 4n)).toEqual([
      [0n, 1n],
      [1n, 2n],
    ]);
    expect(further(3n, 7n)).toEqual([
      [0n, 2n],
      [2n, 5n],
      [5n, 7n],
    ]);
  });

  it('that overlap yield to the one that may have been credited', () => {
    const young = stored(0n, 5n, { confirmations: 2 });
    const mature = stored(0n, 3n, { confirmations: 12, firstSeenAt: new Date(1) });
    expect(idsKept([young, mature], 5n)).toEqual(['0-3']);
    const final = stored(0n, 5n, { confirmations: 2, isFinal: true });
    expect(idsKept([mature, final], 5n)).toEqual(['0-5']);
  });

  it('are no others than those of the address, with their own amounts', () => {
    expect(knownIncrease('0xCD', stored(0n, 3n))).toBeNull();
    expect(knownIncrease(ADDRESS, stored(0n, 3n, { amountBase: 4n }))).toBeNull();
    expect(knownIncrease(ADDRESS, stored(0n, 3n, { id: '0xAB:7' }))).toBeNull();
  });

  it('that come back are known only when both sums are the same', () => {
    const known = [knownIncrease(ADDRESS, stored(0n, 3n, { state: 'missing' }))].flatMap((one) => one ?? []);
    expect(furtherIncreases(ADDRESS, known, 0n, [3n, 5n]).map((one) => one.known !== null)).toEqual([
      true,
      false,
    ]);
    expect(furtherIncreases(ADDRESS, known, 0n, [5n]).map((one) => one.known)).toEqual([null]);
  });
});
