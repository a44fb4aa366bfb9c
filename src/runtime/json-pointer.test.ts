import { isJsonPointer, valueAt } from './json';

/** The document of RFC 6901, section 5, in which the value is that of the pointer there. */
const DOCUMENT = JSON.parse(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
) as unknown;

describe('valueAt', () => {
  it.each([
    ['', DOCUMENT],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('follows %j', (pointer, value) => {
    expect(isJsonPointer(pointer)).toBe(true);
    expect(valueAt(DOCUMENT, pointer)).toEqual(value);
  });

  it.each([
    '/bar',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/01',
    '/foo/1e0',
    '/foo/length',
    '/foo/0/0',
    '/foo/bar/baz',
    '/toString',
    '/__proto__',
    '/a~1b/x',
  ])('finds nothing at %j', (pointer) => {
    expect(valueAt(DOCUMENT, pointer)).toBeUndefined();
  });

  it('unescapes each escape once', () => {
    expect(valueAt({ '~1': 5, '/': 6 }, '/~01')).toBe(5);
  });

  it('finds nothing in what is no object', () => {
    expect([null, 5, 'text', undefined, true].map((document) => valueAt(document, '/0'))).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('isJsonPointer refuses', () => {
  it.each(['foo', '#/foo', '/~', '/~2', '/a~', 'a/b', ' '])('%j', (text) => {
    expect(isJsonPointer(text)).toBe(false);
  });
});
