import { TransactionMemory } from './solana-transaction';

const received = (signature: string, arrivals: number) => ({
  signature,
  slot: 7,
  blockTime: null,
  isFailed: false,
  arrivals: Array.from({ length: arrivals }, (_, index) => ({ id: `${signature}:${index}`, lamports: 1n })),
});

describe('what is remembered of transactions', () => {
  it('is bounded by what they brought, whatever each of them brought', () => {
    const memory = new TransactionMemory();
    const which = (index: number) => ({ signature: `s${index}`, address: 'a', reference: 'r' });
    for (let index = 0; index < 2_000; index += 1) {
      memory.keep(which(index), { transaction: received(`s${index}`, 200), isFinal: false });
    }
    const kept = Array.from({ length: 2_000 }, (_, index) => memory.find(which(index))).filter(Boolean);
    expect(kept.length).toBeGreaterThan(700);
    expect(kept.length).toBeLessThan(750);
    expect(memory.find(which(1_999))).toBeDefined();
  });

  it('counts a transaction once that is remembered anew', () => {
    const memory = new TransactionMemory();
    const first = { signature: 'first', address: 'a', reference: 'r' };
    memory.keep(first, { transaction: received('first', 1), isFinal: false });
    for (let count = 0; count < 2_000; count += 1) {
      memory.keep({ ...first, signature: 'other' }, { transaction: received('other', 200), isFinal: true });
    }
    expect(memory.find(first)).toBeDefined();
  });
});
