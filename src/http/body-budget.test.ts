import { BodyBudget } from './request-body';

const MIB = 1024 * 1024;

describe('BodyBudget', () => {
  const [a, b] = [{ accountId: 'a' }, { accountId: 'b' }];
  const addressOf = (index: number) => ({ address: `127.0.0.${index}` });

  it('has no room for one account beyond a quarter of the bound, and has it for others beside it', () => {
    const budget = new BodyBudget(64 * MIB);
    expect(budget.take(a, 10 * MIB)).not.toBeNull();
    expect(budget.take(a, 6 * MIB)).not.toBeNull();
    expect(budget.take(a, 1)).toBeNull();
    expect(budget.take(b, 16 * MIB)).not.toBeNull();
    expect(budget.bytes).toBe(32 * MIB);
  });

  it('has no room for anybody beyond three quarters of the bound, but for who holds little', () => {
    const budget = new BodyBudget(64 * MIB);
    for (const accountId of ['a', 'b', 'c']) {
      expect(budget.take({ accountId }, 16 * MIB)).not.toBeNull();
    }
    const little = 64 * MIB * (1 / 256);
    const [some, more] = [budget.take({ accountId: 'e' }, little), budget.take({ accountId: 'e' }, 1)];
    expect([some === null, more, budget.take({ accountId: 'f' }, little + 1)]).toEqual([false, null, null]);
    expect(some?.hold(little + 1)).toBe(false);
    for (let accounts = 1; accounts < 64; accounts += 1) {
      expect(budget.take({ accountId: `little ${accounts}` }, little)).not.toBeNull();
    }
    expect([budget.take({ accountId: 'last' }, 1), budget.take(addressOf(1), 1)]).toEqual([null, null]);
    expect(budget.bytes).toBe(64 * MIB);
  });

  it('has no room for one address beyond its part, nor for all strangers beyond theirs', () => {
    const budget = new BodyBudget(64 * MIB);
    expect(budget.take(addressOf(1), MIB)).not.toBeNull();
    expect(budget.take(addressOf(1), 1)).toBeNull();
    const others = [2, 3, 4, 5, 6, 7, 8].map((index) => budget.take(addressOf(index), MIB));
    expect(others).not.toContain(null);
    expect(budget.take(addressOf(9), 1)).toBeNull();
    // An account's id may look like an address.
    expect(budget.take({ accountId: '127.0.0.1' }, 16 * MIB)).not.toBeNull();
  });

  it('has room for one body of any size, however small the bound is', () => {
    const budget = new BodyBudget(8 * MIB);
    const room = budget.take(a, 16 * MIB);
    expect(room?.hold(20 * MIB)).toBe(true);
    expect(budget.take(b, 1)).toBeNull();
    room?.leave();
    expect(budget.take(b, 16 * MIB)).not.toBeNull();
  });

  it('holds a body to the same bounds while it grows', () => {
    const budget = new BodyBudget(64 * MIB);
    const [one, other] = [budget.take(a, 12 * MIB), budget.take(a, 0)];
    expect(other?.hold(4 * MIB)).toBe(true);
    expect(other?.hold(4 * MIB + 1)).toBe(false);
    expect(budget.bytes).toBe(16 * MIB);
    expect(one?.hold(2 * MIB)).toBe(true);
    expect(other?.hold(14 * MIB)).toBe(true);
    expect(budget.bytes).toBe(16 * MIB);
  });

  it('counts a body no longer once its call has ended, however often that is told and whatever arrives of it', () => {
    const budget = new BodyBudget(64 * MIB);
    const [one, other] = [budget.take(a, 12 * MIB), budget.take(addressOf(1), MIB)];
    one?.leave();
    one?.leave();
    one?.hold(8 * MIB);
    expect(budget.bytes).toBe(MIB);
    other?.leave();
    expect(budget.bytes).toBe(0);
    expect(budget.take(addressOf(1), MIB)).not.toBeNull();
  });
});
