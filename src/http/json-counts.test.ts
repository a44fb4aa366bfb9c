import { JsonCounts } from './json-text';

describe('JsonCounts', () => {
  const many = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join(',')}]`;
  const objectOf = (names: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: names }, (_, index) => [`n${index}`, 1])));
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['names in one object', objectOf(30_001), 'more than 30000 names'],
    ['names in many objects', many(15_001, '{"a":1,"b":2}'), 'more than 30000 names'],
    [
      'names with quotes and backslashes',
      objectOf(30_001).replaceAll('n1', String.raw`\"\\n1`),
      'more than 30000 names',
    ],
    ['objects', many(30_000, '{}'), 'more than 30000 objects and lists'],
    ['texts', many(50_001, '""'), 'more than 50000 texts'],
    ['numbers', many(300_000, '1'), 'more than 300000 values'],
    ['lists in lists', deep(257), 'objects and lists more than 256 deep in each other'],
  ])('refuses one more than are allowed: %s', (_, text, what) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(new JsonCounts().take(Buffer.from(text))).toEqual({
      status: 400,
      message: `must not have ${what}`,
    });
  });

  it.each([
    ['as many names', objectOf(30_000)],
    ['as many objects', many(29_999, '{}')],
    ['as many texts', many(50_000, '"a"')],
    ['as many numbers', many(299_998, '1')],
    ['as many lists in lists', deep(256)],
    ['punctuation in a text', JSON.stringify({ text: '":{},[]\\'.repeat(400_000) })],
    ['quotes, which JSON escapes', JSON.stringify('"'.repeat(400_000))],
    ['a conversation', many(1_000, '{"role":"user","content":[{"type":"text","text":"Hello, you!"}]}')],
  ])('takes %s as are allowed', (_, text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(new JsonCounts().take(Buffer.from(text))).toBeNull();
  });

  it('counts the same in whatever pieces a text arrives', () => {
    const bytes = Buffer.from(String.raw`{"a":[1,"\\",{"\"b\\\":,{":null}],"c\u005c":"\\\\\"[","d":{}}`);
    const whole = new JsonCounts();
    whole.take(bytes);
    for (let length = 1; length < bytes.length; length += 1) {
      const counts = new JsonCounts();
      for (let from = 0; from < bytes.length; from += length) {
        counts.take(bytes.subarray(from, from + length));
        counts.take(Buffer.alloc(0));
      }
      expect(counts).toEqual(whole);
    }
  });

  it('tells what the heap will hold of many small values: more than many times the bytes', () => {
    const counts = new JsonCounts();
    const bytes = Buffer.from(many(2_000, '{}'));
    counts.take(bytes);
    expect(counts.heapBytes).toBeGreaterThan(24 * bytes.length);
    const text = new JsonCounts();
    text.take(Buffer.from(JSON.stringify({ text: 'a'.repeat(100_000) })));
    expect(text.heapBytes).toBeLessThan(1_000);
  });
});
