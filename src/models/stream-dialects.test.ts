import { processorMsBelow } from '../../test/support/processor-time';
import { CHAT_DIALECT } from './stream-dialects';

describe('a streamed chat as one answer', () => {
  it('joins the pieces of very many calls within seconds', async () => {
    const numbers = Array.from({ length: 60_000 }, (_, index) => index);
    let answer = CHAT_DIALECT.unstreamed();
    const neededMs = await processorMsBelow(5_000, () => {
      answer = CHAT_DIALECT.unstreamed();
      for (const text of ['{', '}']) {
        const calls = numbers.map((index) => ({ index, function: { arguments: text } }));
        answer.add({ choices: [{ index: 0, delta: { tool_calls: calls } }] });
      }
    });
    expect(neededMs).toBeLessThan(5_000);
    const { choices } = JSON.parse(answer.json(null)) as {
      choices: { message: { tool_calls: unknown[] } }[];
    };
    expect(choices[0]?.message.tool_calls).toEqual(
      numbers.map((index) => ({ index, function: { arguments: '{}' } })),
    );
  });

  it('leaves the chunks as they came', () => {
    const chunk = () => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'a' } }] } }],
    });
    const chunks = [chunk(), chunk(), chunk()];
    const answer = CHAT_DIALECT.unstreamed();
    chunks.forEach((each) => answer.add(each));
    expect(JSON.parse(answer.json(null))).toMatchObject({
      choices: [{ message: { tool_calls: [{ index: 0, function: { arguments: 'aaa' } }] } }],
    });
    expect(chunks).toEqual([chunk(), chunk(), chunk()]);
  });
});
