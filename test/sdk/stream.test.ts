import { APIError } from 'openai';
import type OpenAI from 'openai';
import { nanoToUsd } from '../../src/ledger/money';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';

const TEXT = 'The tide comes in twice a day, and it goes out twice a day, as the moon wants it.';
const USAGE = { prompt_tokens: 15, completion_tokens: 22, total_tokens: 37 };
const CHAT: OpenAI.ChatCompletionCreateParamsStreaming = {
  model: MODEL,
  stream: true,
  messages: [{ role: 'user', content: 'What does the tide do?' }],
};
const ASKING = { ...CHAT, stream_options: { include_usage: true } };

describe('the openai package: a stream', () => {
  const scene = sdkScene(MockUpstream.start);
  beforeEach(() => {
    scene.upstream.reset();
    scene.upstream.mock.onMessage('tide', { content: TEXT, usage: USAGE });
  });

  it('throws when the upstream breaks off, and pays for what was delivered', async () => {
    scene.upstream.reset();
    scene.upstream.mock.onMessage(
      'tide',
      { content: TEXT, usage: USAGE },
      // Without a pause it breaks the connection before anything has left.
      { chunkSize: 8, truncateAfterChunks: 4, latency: 20 },
    );
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const reading = (async () => {
      for await (const chunk of await scene.client.chat.completions.create(CHAT)) {
        chunks.push(chunk);
      }
    })();
    await expect(reading).rejects.toThrow(APIError);
    expect(TEXT.startsWith(textOf(chunks))).toBe(true);
    expect(textOf(chunks)).not.toBe('');
    const spent = await scene.spentNanoUsd();
    const receipt = await scene.running.lastReceipt(scene.world.owner);
    expect(receipt.outputTokens).toBeGreaterThan(0);
    expect(receipt.outputTokens).toBeLessThan(USAGE.completion_tokens);
    expect(spent).toBe(chatCostNanoUsd(receipt.inputTokens + receipt.outputTokens));
  });

  it('gets the text in pieces, without usage that it did not ask for', async () => {
    const chunks = await chunksOf(CHAT);
    expect(chunks.length).toBeGreaterThan(2);
    expect(textOf(chunks)).toBe(TEXT);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.filter(({ choices, usage }) => choices.length === 0 || usage)).toEqual([]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(USAGE.total_tokens));
  });

  it('gets the usage that it asked for, with its cost', async () => {
    const chunks = await chunksOf(ASKING);
    expect(textOf(chunks)).toBe(TEXT);
    const cost = chatCostNanoUsd(USAGE.total_tokens);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { ...USAGE, cost: nanoToUsd(cost) } });
    expect(await scene.spentNanoUsd()).toBe(cost);
  });

  it('always asks the upstream for usage, which else would have to be guessed', async () => {
    await chunksOf(CHAT);
    expect(scene.upstream.bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("puts the whole together with the package's own reader", async () => {
    const final = await scene.client.chat.completions.stream(ASKING).finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(TEXT);
    expect(final.usage).toMatchObject(USAGE);
  });

  it('is told apart from an answer of one piece by its headers, and has a request id', async () => {
    const { data, response, request_id } = await scene.client.chat.completions.create(CHAT).withResponse();
    for await (const chunk of data) {
      expect(chunk.object).toBe('chat.completion.chunk');
    }
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toContain('no-cache');
    expect(request_id).toEqual(expect.any(String));
  });

  async function chunksOf(
    params: OpenAI.ChatCompletionCreateParamsStreaming,
  ): Promise<OpenAI.ChatCompletionChunk[]> {
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await scene.client.chat.completions.create(params)) {
      chunks.push(chunk);
    }
    return chunks;
  }
});

function textOf(chunks: readonly OpenAI.ChatCompletionChunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
