import type OpenAI from 'openai';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';

const ARGUMENTS = '{"port":"Den Helder","unit":"m"}';
const USAGE = { prompt_tokens: 61, completion_tokens: 17, total_tokens: 78 };
const TOOLS: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'tide_at',
      description: 'The height of the tide.',
      strict: true,
      parameters: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
    },
  },
];
const QUESTION = { role: 'user' as const, content: 'How high is the tide at Den Helder?' };
const CHAT = { model: MODEL, tools: TOOLS, messages: [QUESTION] };

describe('the openai package: tools', () => {
  const scene = sdkScene(MockUpstream.start);
  beforeEach(() => {
    scene.upstream.reset();
    scene.upstream.mock
      .onToolResult('call_tide', { content: 'It is 1.4 m high.', usage: USAGE })
      .onMessage('Den Helder', {
        toolCalls: [{ id: 'call_tide', name: 'tide_at', arguments: ARGUMENTS }],
        usage: USAGE,
      })
      .onMessage('both', {
        toolCalls: [
          { id: 'call_1', name: 'tide_at', arguments: '{"port":"Delfzijl"}' },
          { id: 'call_2', name: 'tide_at', arguments: '{"port":"Vlissingen"}' },
        ],
        usage: USAGE,
      });
  });

  it("is asked to call a tool, and gets an answer that uses the tool's result", async () => {
    const asked = await scene.client.chat.completions.create(CHAT);
    const message = asked.choices[0]?.message;
    expect(asked.choices[0]?.finish_reason).toBe('tool_calls');
    expect(message?.tool_calls).toEqual([
      { id: 'call_tide', type: 'function', function: { name: 'tide_at', arguments: ARGUMENTS } },
    ]);
    if (!message) {
      throw new Error('the answer has no message');
    }
    const result = { role: 'tool' as const, tool_call_id: 'call_tide', content: '{"height":1.4}' };
    const messages = [QUESTION, message, result];
    const answered = await scene.client.chat.completions.create({ ...CHAT, messages });
    expect(answered.choices[0]?.message.content).toBe('It is 1.4 m high.');
    expect(scene.upstream.bodies[0]).toMatchObject({ tools: TOOLS });
    expect(scene.upstream.bodies[1]).toMatchObject({ messages });
    expect(await scene.spentNanoUsd()).toBe(2n * chatCostNanoUsd(USAGE.total_tokens));
  });

  it('streams the arguments of a call in pieces that make up the whole', async () => {
    const stream = await scene.client.chat.completions.create({ ...CHAT, stream: true });
    const calls = await callsOf(stream);
    expect(calls).toEqual([{ id: 'call_tide', name: 'tide_at', arguments: ARGUMENTS }]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(USAGE.total_tokens));
  });

  it('streams calls that are made at once', async () => {
    const messages = [{ role: 'user' as const, content: 'The tide at both?' }];
    const calls = await callsOf(
      await scene.client.chat.completions.create({ ...CHAT, messages, stream: true }),
    );
    expect(calls.map(({ id, arguments: text }) => [id, JSON.parse(text) as unknown])).toEqual([
      ['call_1', { port: 'Delfzijl' }],
      ['call_2', { port: 'Vlissingen' }],
    ]);
  });

  it('runs tools by itself until there is an answer', async () => {
    const heights: string[] = [];
    const runner = scene.client.chat.completions.runTools({
      model: MODEL,
      messages: [QUESTION],
      tools: [
        {
          type: 'function',
          function: {
            name: 'tide_at',
            description: 'The height of the tide.',
            parameters: { type: 'object', properties: { port: { type: 'string' } } },
            parse: (text: string) => JSON.parse(text) as { port: string },
            function: ({ port }: { port: string }) => {
              heights.push(port);
              return '1.4';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('It is 1.4 m high.');
    expect(heights).toEqual(['Den Helder']);
  });
});

interface StreamedCall {
  id: string;
  name: string;
  arguments: string;
}

async function callsOf(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<StreamedCall[]> {
  const calls: StreamedCall[] = [];
  let finishReason: string | null = null;
  for await (const { choices } of stream) {
    finishReason = choices[0]?.finish_reason ?? finishReason;
    for (const { index, id, function: called } of choices[0]?.delta.tool_calls ?? []) {
      const call = (calls[index] ??= { id: '', name: '', arguments: '' });
      call.id += id ?? '';
      call.name += called?.name ?? '';
      call.arguments += called?.arguments ?? '';
    }
  }
  expect(finishReason).toBe('tool_calls');
  return calls;
}
