import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import { ProducedText } from './usage';

describe('ProducedText', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  afterAll(async () => threads.close());

  it('counts every choice of as many as were asked for', async () => {
    const produced = new ProducedText(5_000);
    for (let choice = 0; choice < 5_000; choice += 1) {
      produced.add(choice, 'nine');
    }
    expect(await produced.tokens(counter)).toBe(5_000);
  });

  it('takes many more choices than were asked for to be without end', async () => {
    const produced = new ProducedText(1);
    for (let choice = 0; choice < 5_000; choice += 1) {
      produced.add(choice, 'nine');
    }
    expect(await produced.tokens(counter)).toBe(Infinity);
  });
});
