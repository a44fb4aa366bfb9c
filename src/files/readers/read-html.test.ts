import { processorMsBelow } from '../../../test/support/processor-time';
import { readPage } from './read-html';

it.each(['', '</root>', '</ ROOT\n>'])('takes time in proportion to the blocks behind %j', async (start) => {
  const page = start + '<hr>'.repeat(20_000);
  expect(await processorMsBelow(4_000, () => readPage(page))).toBeLessThan(4_000);
});

it('numbers the items of a list as they say, in time in proportion to them', async () => {
  const list = '<ol start="7"><li>seven<li value="9">nine<li><p>ten</p><p>goes on</p></ol>';
  expect(readPage(list).markdown).toBe('7.  seven\n9.  nine\n10.  ten\n     \n     goes on');
  const long = `<ol>${'<li>x'.repeat(60_000)}</ol>`;
  expect(await processorMsBelow(4_000, () => readPage(long))).toBeLessThan(4_000);
});

it('reads what stands behind the end of an element that was not begun', () => {
  expect(readPage('<p>One</p></root><p>Two</p><root>1 < root > 0</root>').text).toBe(
    'One\n\nTwo\n\n1 < root > 0',
  );
});
