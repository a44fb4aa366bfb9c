import { UnsentBytes } from './http-server';

describe('UnsentBytes', () => {
  it('is full for an account beyond an eighth of the bound, and for all beyond the bound', () => {
    const unsent = new UnsentBytes(800);
    unsent.hold('a', 100);
    expect([unsent.isAccountFull('a'), unsent.isProcessFull]).toEqual([false, false]);
    unsent.hold('a', 1);
    expect([unsent.isAccountFull('a'), unsent.isAccountFull('b')]).toEqual([true, false]);
    unsent.hold(null, 699);
    expect(unsent.isProcessFull).toBe(false);
    unsent.hold(null, 1);
    expect([unsent.isProcessFull, unsent.bytes]).toEqual([true, 801]);
  });

  it('counts what a connection has unsent by what it is told last', () => {
    const unsent = new UnsentBytes(80);
    const [one, other] = [unsent.shareOf('a'), unsent.shareOf('b')];
    one.count(11);
    other.count(5);
    expect([unsent.bytes, one.isFull(), other.isFull()]).toEqual([16, true, false]);
    one.count(10);
    expect([unsent.bytes, one.isFull()]).toEqual([15, false]);
    other.count(71);
    expect([one.isFull(), unsent.isAccountFull('a')]).toEqual([true, false]);
    one.count(0);
    other.count(0);
    expect(unsent.bytes).toBe(0);
  });

  it('counts an answer no longer once it is sent, however often that is told', () => {
    const unsent = new UnsentBytes(80);
    const sent = unsent.hold('a', 11);
    const other = unsent.hold('a', 5);
    sent();
    sent();
    expect([unsent.bytes, unsent.isAccountFull('a')]).toEqual([5, false]);
    other();
    expect(unsent.bytes).toBe(0);
  });
});
