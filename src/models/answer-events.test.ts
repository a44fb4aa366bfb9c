import type { ServerSentEvent } from './sse';
import { chatEvents, completionEvents } from './embedded-provider';

const TEXT = ' The library opens at nine,\n\n  and closes at six. ';
const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const HEAD = { id: 'a', created: 7, model: 'm', usage: USAGE };

describe('the events of an embedded answer', () => {
  it('hold the text of a chat in several pieces, then its end, its usage and [DONE]', async () => {
    const message = { role: 'assistant' as const, content: TEXT, refusal: null };
    const choices = [{ index: 0, message, finish_reason: 'length' }];
    const { chunks, last } = await read(chatEvents({ ...HEAD, object: 'chat.completion', choices }));
    const deltas = chunks.slice(0, -1).map((chunk) => chunk.choices[0]?.delta);
    expect(deltas[0]).toEqual({ role: 'assistant', content: '', refusal: null });
    expect(deltas.length).toBeGreaterThan(4);
    expect(deltas.map((delta) => delta?.content ?? '').join('')).toBe(TEXT);
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason ?? null).filter(Boolean)).toEqual([
      'length',
    ]);
    expect(chunks.at(-1)).toMatchObject({ object: 'chat.completion.chunk', choices: [], usage: USAGE });
    expect(last).toBe('[DONE]');
  });

  it.each([TEXT, '', '   '])('hold the text of a completion: %p', async (text) => {
    const choices = [{ index: 0, text, finish_reason: 'stop' }];
    const { chunks, last } = await read(completionEvents({ ...HEAD, object: 'text_completion', choices }));
    expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(text);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect([chunks.at(-1)?.usage, last]).toEqual([USAGE, '[DONE]']);
  });
});

interface Chunk {
  choices: { delta?: { content?: string }; text?: string; finish_reason: string | null }[];
  usage?: object;
}

async function read(events: AsyncIterable<ServerSentEvent>): Promise<{ chunks: Chunk[]; last: string }> {
  const data: string[] = [];
  for await (const event of events) {
    expect(Buffer.from(event.bytes).toString()).toBe(`data: ${event.data}\n\n`);
    data.push(event.data);
  }
  const last = data.pop() ?? '';
  return { chunks: data.map((text) => JSON.parse(text) as Chunk), last };
}
