import { processorMsBelow } from '../../../test/support/processor-time';
import { readPage } from './read-html';

it.each(['', '</root>', '</ ROOT\n>'])('takes time in proportion to the blocks behind %j', async (start) => {
  const page = start + '<hr>'.repeat(20_000);
  expect(await processorMsBelow(4_000, () => readPage(page))).toBeLessThan(4_000);
});

it('reads what stands behind the end of an element that was not begun', () => {
  expect(readPage('<p>One</p></root><p>Two</p><root>1 < root > 0</root>').text).toBe(
    'One\n\nTwo\n\n1 < root > 0',
  );
});
