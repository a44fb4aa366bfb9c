import * as fc from 'fast-check';
import { memberSpan, withMember } from './json';

describe('memberSpan', () => {
  it.each([
    ['an array', '[{"usage":1}]'],
    ['a text', '"usage"'],
    ['an empty object', '{ }'],
    ['a member of a member', '{"a":{"usage":1}}'],
    ['a text that looks like a member', '{"a":"\\"usage\\":1,"}'],
  ])('finds nothing in %s', (_, json) => {
    expect(memberSpan(json, 'usage')).toBeNull();
  });

  it('takes the last of several, and a name that is written with escapes', () => {
    const json = '{"usage":1, "us\\u0061ge" : [2, {"x":"]}"}] }';
    const span = memberSpan(json, 'usage');
    expect(json.slice(span?.start, span?.end)).toBe('[2, {"x":"]}"}]');
  });

  it('survives a nesting that would overflow a stack', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"usage":{"b":1}}`;
    const span = memberSpan(deep, 'usage');
    expect(deep.slice(span?.start, span?.end)).toBe('{"b":1}');
  });

  it('finds what JSON.parse finds, also in bytes read as latin1', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        for (const [name, value] of Object.entries(object)) {
          const json = JSON.stringify(object, null, indent);
          const span = memberSpan(json, name);
          expect(JSON.parse(json.slice(span?.start, span?.end))).toEqual(JSON.parse(JSON.stringify(value)));
        }
        const bytes = Buffer.from(JSON.stringify({ ...object, usage: { x: 'ü' } })).toString('latin1');
        const span = memberSpan(bytes, 'usage');
        expect(Buffer.from(bytes.slice(span?.start, span?.end), 'latin1').toString()).toBe('{"x":"ü"}');
      }),
    );
  });
});

describe('withMember', () => {
  it.each([
    ['{}', '{"cost":1}'],
    ['{"a":1}', '{"a":1,"cost":1}'],
    [' { "a" : 1 } ', ' { "a" : 1 ,"cost":1} '],
    ['{"cost":0.5,"a":1}', '{"cost":1,"a":1}'],
    ['null', 'null'],
  ])('makes of %s %s', (json, changed) => {
    expect(withMember(json, 'cost', '1')).toBe(changed);
  });

  it('changes one member and not a byte of the others', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const changed = JSON.parse(withMember(JSON.stringify(object), 'cost', '0.5')) as object;
        expect(changed).toEqual({ ...(JSON.parse(JSON.stringify(object)) as object), cost: 0.5 });
      }),
    );
  });
});
