import { RequestBatcher } from './request-batcher';

describe('callers that share statements', () => {
  it('each get their own answer, and those that come during a statement share the next', async () => {
    const statements: number[][] = [];
    const together = new RequestBatcher<number, string>(3, async (items) => {
      statements.push(items);
      await Promise.resolve();
      return items.map(String);
    });
    const answers = await Promise.all([1, 2, 3, 4, 5].map((item) => together.ask(item)));
    expect(answers).toEqual(['1', '2', '3', '4', '5']);
    expect(statements).toEqual([[1], [2, 3, 4], [5]]);
    expect(await together.ask(6)).toBe('6');
  });

  it('are not failed by one whose item can not be carried out', async () => {
    const together = new RequestBatcher<number, number>(10, async (items) => {
      await Promise.resolve();
      if (items.includes(2)) {
        throw new Error('two');
      }
      return items;
    });
    const answers = await Promise.allSettled([0, 1, 2, 3].map((item) => together.ask(item)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
