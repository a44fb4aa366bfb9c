import { partialJson } from './json';

const ANSWER = {
  id: 'c"1\\',
  choices: [
    { index: 0, message: { content: 'Größe: "9"\n\\ \u2028 end', parts: [[], {}, [true, null, -1.5e3]] } },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 150 },
};

describe('partialJson', () => {
  it.each([
    ['nothing', '', undefined],
    ['an open object', '{', {}],
    ['a name without its end', '{"na', {}],
    ['a name without a value', '{"name":', {}],
    ['a number that may go on', '{"a":1,"b":15', { a: 1 }],
    ['a number that is over', '{"a":15}', { a: 15 }],
    ['a literal without its end', '[tru', []],
    ['a string without its end', '{"a":[{"b":"At ni', { a: [{ b: 'At ni' }] }],
    ['half an escape', '["a\\', ['a']],
    ['half an escaped character', '["a\\u00e', ['a']],
    ['an escaped backslash', '["a\\\\', ['a\\']],
    ['an escaped quote', '["a\\"', ['a"']],
    ['what is no JSON', '<html>"', undefined],
    ['too many ends', '[]]', undefined],
  ])('reads %s', (_, text, value) => {
    expect(partialJson(text)).toEqual(value);
  });

  it.each([0, 2])('reads each beginning of an answer without inventing anything', (indent) => {
    const text = JSON.stringify(ANSWER, null, indent).replace('ö', '\\u00f6');
    for (let length = 1; length <= text.length; length += 1) {
      expectWithin(partialJson(text.slice(0, length)), ANSWER);
    }
    expect(partialJson(text)).toEqual(ANSWER);
  });

  it('reads a long text as fast as it is long', () => {
    const words = 'word \\" '.repeat(1_000_000);
    expect(partialJson(`{"content":"${words}`)).toEqual({ content: 'word " '.repeat(1_000_000) });
  });
});

/** Fails unless a value is a part of the whole: numbers and literals equal, strings, lists and objects not longer. */
function expectWithin(part: unknown, whole: unknown): void {
  if (typeof part === 'string') {
    expect((whole as string).startsWith(part)).toBe(true);
  } else if (typeof part === 'object' && part !== null) {
    Object.entries(part).forEach(([name, value]) =>
      expectWithin(value, (whole as Record<string, unknown>)[name]),
    );
  } else {
    expect(part).toBe(whole);
  }
}
