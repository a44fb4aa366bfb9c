import { processorMsBelow } from '../../../test/support/processor-time';
import { readPage } from './read-html';

it('takes time in proportion to the blocks of a page', async () => {
  const page = '<hr>'.repeat(20_000);
  expect(await processorMsBelow(4_000, () => readPage(page))).toBeLessThan(4_000);
});
