import fc from 'fast-check';
import { isDeeperThan, mergePatch } from './room-sessions';

/** RFC 7396, appendix A, as far as the patch is an object. */
const EXAMPLES: [unknown, Record<string, unknown>, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('a merge patch', () => {
  it.each(EXAMPLES)('of %j by %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('takes __proto__ and constructor for members, and changes no prototype', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ) as Record<string, unknown>;
    const result = mergePatch({}, patch);
    expect(JSON.stringify(result)).toBe(JSON.stringify(patch));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    const removed = mergePatch(result, JSON.parse('{"__proto__":null}') as Record<string, unknown>);
    expect(Object.keys(removed)).toEqual(['constructor']);
  });

  it('changes neither argument, and gives the same when it is applied again', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('tells how deep a value is nested', () => {
    expect([
      isDeeperThan(1, 0),
      isDeeperThan({}, 0),
      isDeeperThan({ a: [1] }, 2),
      isDeeperThan({ a: [[]] }, 2),
    ]).toEqual([false, true, false, true]);
  });
});
