import { UnsentBytes } from './unsent-bytes';

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
