import { parseJson } from './json-text';

describe('parseJson', () => {
  const faultOf = (text: string) => (parseJson(text) as { fault?: string }).fault;

  it.each(['{"a":[1,{"constructor":"a text"}],"b":"__proto__"}', '\ufeff[1]', 'null'])('reads %j', (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text.replace('\ufeff', '')) });
  });

  it.each([
    ['{"key":', 'is not valid JSON'],
    ['', 'is not valid JSON'],
    ['{"key":1,}', 'is not valid JSON: see line 1, column 10'],
    ['{\n  "key" 1\n}', 'is not valid JSON: see line 2, column 9'],
  ])('names the place in %j where there is one', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it.each([
    ['{"__proto__":{}}', '__proto__'],
    ['\ufeff{"a":{"__proto__":1}}', 'a.__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor.prototype'],
    [String.raw`{"\u005f_proto\u005F_":{}}`, '__proto__'],
    [String.raw`{"\u0063onstructor":{"prot\u006Ftype":{}}}`, 'constructor.prototype'],
    ['{"a":[1,{"b":{"constructor":{"prototype":null}}}]}', 'a[1].b.constructor.prototype'],
  ])('names the member of %j that is not allowed', (text, member) => {
    expect(faultOf(text)).toBe(
      `has a member ${member}, which is not allowed: a program could take it for the prototype of its object`,
    );
  });

  it('repeats no value', () => {
    expect(faultOf('{"password":"Tr0ub4dor"x}')).not.toContain('Tr0ub4dor');
    expect(faultOf('Tr0ub4dor')).not.toContain('Tr0ub4dor');
  });

  it('follows a value of any depth', () => {
    const depth = 100_000;
    const text = `${'{"a":'.repeat(depth)}{"__proto__":1}${'}'.repeat(depth)}`;
    expect(faultOf(text)).toContain('a.a.__proto__, which');
  });
});
