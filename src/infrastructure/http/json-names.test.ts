import { hasTooManyNames, NAMES_MAX } from './json-names';

function objectOf(names: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: names }, (_, index) => [`n${index}`, 1])));
}

describe('hasTooManyNames', () => {
  it.each([
    ['one object', objectOf(NAMES_MAX + 1)],
    ['many objects', `[${Array.from({ length: NAMES_MAX + 1 }, () => '{"a":1}').join(',')}]`],
    ['names with quotes and backslashes', objectOf(NAMES_MAX + 1).replaceAll('n1', '\\"\\\\n1')],
  ])('refuses one more than are allowed in %s', (_, text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(hasTooManyNames(text)).toBe(true);
  });

  it.each([
    ['as many as are allowed', objectOf(NAMES_MAX)],
    [
      'colons in texts',
      JSON.stringify({ text: ':'.repeat(3 * NAMES_MAX), more: '":\\":'.repeat(NAMES_MAX) }),
    ],
    ['an array', JSON.stringify(Array.from({ length: 4 * NAMES_MAX }, () => 1))],
    ['what is no JSON', '"'.repeat(4 * NAMES_MAX)],
  ])('takes %s', (_, text) => {
    expect(hasTooManyNames(text)).toBe(false);
  });
});
