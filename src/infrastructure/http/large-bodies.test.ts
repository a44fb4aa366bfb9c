import { LargeBodies } from './large-bodies';

const MIB = 1024 * 1024;

describe('LargeBodies', () => {
  it('has room for a quarter of the bound for one account, and for others beside it', () => {
    const bodies = new LargeBodies(64 * MIB);
    expect(bodies.take('a', 10 * MIB)).not.toBeNull();
    expect(bodies.take('a', 6 * MIB)).not.toBeNull();
    expect(bodies.take('a', MIB + 1)).toBeNull();
    expect(bodies.take('b', 16 * MIB)).not.toBeNull();
    expect(bodies.bytes).toBe(32 * MIB);
  });

  it('has no room beyond the bound for anybody, but for small bodies, which are not counted', () => {
    const bodies = new LargeBodies(32 * MIB);
    for (const account of ['a', 'b', 'c', 'd']) {
      expect(bodies.take(account, 8 * MIB)).not.toBeNull();
    }
    expect(bodies.take('e', MIB + 1)).toBeNull();
    expect([bodies.take('a', MIB), bodies.take(null, 0)]).not.toContain(null);
    expect(bodies.bytes).toBe(32 * MIB);
  });

  it('has room for one body of any size, however small the bound is', () => {
    const bodies = new LargeBodies(8 * MIB);
    const room = bodies.take('a', 16 * MIB);
    expect(room).not.toBeNull();
    expect(bodies.take('b', 2 * MIB)).toBeNull();
    room?.leave();
    expect(bodies.take('b', 16 * MIB)).not.toBeNull();
  });

  it('counts a body no longer once its call has ended, however often that is told, nor what it turns out not to have', () => {
    const bodies = new LargeBodies(64 * MIB);
    const [one, other] = [bodies.take('a', 12 * MIB), bodies.take('a', 4 * MIB)];
    one?.narrow(20 * MIB);
    expect(bodies.bytes).toBe(16 * MIB);
    one?.narrow(2 * MIB);
    expect(bodies.bytes).toBe(6 * MIB);
    one?.leave();
    one?.leave();
    expect(bodies.bytes).toBe(4 * MIB);
    other?.leave();
    expect(bodies.bytes).toBe(0);
  });
});
