import { processorMsBelow } from '../../../test/support/processor-time';
import { jsonInText } from './answer-schema';

const found = (text: string) => [...jsonInText(text)];

describe('jsonInText', () => {
  it.each<[string, string, unknown[]]>([
    ['nothing in nothing', '', []],
    ['nothing in prose', 'I cannot do that.', []],
    ['nothing in what is cut off', '{"a": [1, 2', []],
    ['a whole value', ' {"a": "}"}\n', [{ a: '}' }]],
    ['a value that is no object', '"yes"', ['yes']],
    ['what a fence holds', '```json\n{"a": 1}\n```', [{ a: 1 }]],
    ['what a fence without a language holds, of any type', '```\n7\n```', [7]],
    ['what a fence with blanks around it holds', '```JSON \t\n\n 7 \n\n  ```', [7]],
    ['nothing in a fence that is not closed on a line of its own', '```json\n7```', []],
    ['nothing in a fence whose language is a sentence', '```json please\n7\n```', []],
    ['what stands in prose', 'Here: {"a": {"b": "\\"]"}} as you asked {x}.', [{ a: { b: '"]' } }]],
    ['all of several values', 'See [1]: {"a": 1} or {"a": 2}', [[1], { a: 1 }, { a: 2 }]],
    ['a value behind braces that are none', 'Of the form {key: value}: {"a": 1}', [{ a: 1 }]],
  ])('finds %s', (_, text, values) => {
    expect(found(text)).toEqual(values);
  });

  it.each([
    ['open braces', '{'.repeat(1_000_000)],
    ['open strings', '{"'.repeat(500_000)],
    ['nested arrays', `${'['.repeat(200_000)}x${']'.repeat(200_000)}`],
    ['closed brackets', `x${'[}'.repeat(100_000)}`],
    ['brackets around no value', `x${'[x]'.repeat(66_000)}`],
    ['fences', '```json\n'.repeat(100_000)],
    ['line breaks in a fence', `\`\`\`${'\n'.repeat(100_000)}x`],
    ['blank lines in a closed fence', `\`\`\`json${'\n \t'.repeat(30_000)}x\n\`\`\`x`],
  ])('takes a bounded time for an endless text of %s', async (_, text) => {
    const neededMs = await processorMsBelow(2_000, () => {
      expect(found(text)).toEqual([]);
    });
    expect(neededMs).toBeLessThan(2_000);
  });

  it('finds the first of more values than anybody asks for, in a bounded time', async () => {
    const neededMs = await processorMsBelow(2_000, () => {
      expect(found(`x${'[]'.repeat(100_000)}`).slice(0, 3)).toEqual([[], [], []]);
    });
    expect(neededMs).toBeLessThan(2_000);
  });
});
