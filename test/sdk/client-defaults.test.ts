import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';

const ASKED = { role: 'user', content: 'Hi' };
const USAGE = { prompt_tokens: 1, total_tokens: 1 };
const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: MODEL, output: [] },
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

/** What libraries send that write down every field they know, or send an earlier answer back as they hold it. */
const REQUESTS: [string, string, object][] = [
  [
    'a chat with every option null',
    '/v1/chat/completions',
    {
      messages: [ASKED],
      ...nulls('tools', 'tool_choice', 'response_format', 'user', 'seed', 'stop', 'n', 'store'),
    },
  ],
  [
    'a chat with options that are empty',
    '/v1/chat/completions',
    { messages: [ASKED], tools: [], stop: [], logit_bias: {}, metadata: {} },
  ],
  [
    'an answer of a chat sent back with its nulls',
    '/v1/chat/completions',
    {
      messages: [
        { ...ASKED, ...nulls('name', 'tool_call_id', 'tool_calls') },
        {
          ...{ role: 'assistant', content: 'Hello' },
          ...nulls('refusal', 'annotations', 'audio', 'function_call', 'tool_calls', 'name'),
        },
        {
          role: 'user',
          content: [{ type: 'image_url', text: null, image_url: { url: 'https://example.com/a' } }],
        },
      ],
    },
  ],
  ['a completion with a user that is null', '/v1/completions', { prompt: 'Hi', user: null }],
  [
    'embeddings with every option null',
    '/v1/embeddings',
    { input: ['Hi'], ...nulls('encoding_format', 'dimensions', 'user') },
  ],
  ['embeddings of tokens', '/v1/embeddings', { input: [[1, 2], [3]], encoding_format: 'base64' }],
  [
    'a response with every option null',
    '/v1/responses',
    {
      input: 'Hi',
      ...nulls('tools', 'tool_choice', 'text', 'reasoning', 'include', 'stream_options', 'user'),
    },
  ],
  ['a response with no format', '/v1/responses', { input: 'Hi', text: { format: null, verbosity: null } }],
  [
    'items of an earlier response sent back with their nulls',
    '/v1/responses',
    {
      input: [
        { ...ASKED, ...nulls('type', 'name', 'call_id', 'arguments', 'output') },
        { type: 'reasoning', id: 'rs_1', summary: [], ...nulls('content', 'encrypted_content', 'status') },
        { type: 'tool_search_call', call_id: null, arguments: { goal: 'x' }, execution: 'server' },
        { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'x', outcome: { type: 'exit' } }] },
      ],
    },
  ],
];

describe('what clients send without being told to', () => {
  const scene = sdkScene(() => RawUpstream.start(answered));

  it.each(REQUESTS)('reaches the upstream as it is: %s', async (_, path, fields) => {
    const { status, body } = await post(path, fields);
    expect([status, body]).toEqual([200, expect.any(Object)]);
    expect(scene.upstream.lastCall.path).toBe(path);
    expect(scene.upstream.lastCall.body).toMatchObject(fields);
  });

  it('does not hinder the embedded engine, where it asks for nothing', async () => {
    const chats = REQUESTS.slice(0, 2).map(
      ([, path, fields]) => [path, fields, 'embedded-extractive-1'] as const,
    );
    const [, path = '', fields = {}] = REQUESTS[4] ?? [];
    for (const [to, body, model] of [...chats, [path, fields, 'embedded-hash-384'] as const]) {
      const answer = await post(to, { ...body, model });
      expect([answer.status, answer.body]).toEqual([200, expect.any(Object)]);
    }
  });

  async function post(path: string, fields: object): Promise<{ status: number; body: unknown }> {
    const response = await fetch(scene.running.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${scene.world.owner.key}` },
      body: JSON.stringify({ model: MODEL, ...fields }),
    });
    return { status: response.status, body: await response.json() };
  }
});

function answered({ path }: RecordedRequest): Reaction {
  if (path.endsWith('/responses')) {
    return jsonReaction(RESPONSE);
  }
  if (path.endsWith('/embeddings')) {
    const data = [{ object: 'embedding', index: 0, embedding: [1] }];
    return jsonReaction({ object: 'list', model: MODEL, data, usage: USAGE });
  }
  return jsonReaction(chatAnswer(MODEL, { texts: ['Hello'] }));
}

function nulls(...fields: string[]): Record<string, null> {
  return Object.fromEntries(fields.map((field) => [field, null]));
}
