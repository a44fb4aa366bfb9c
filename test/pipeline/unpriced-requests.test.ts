import type { ApiAnswer, OperationId } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { FaultyUpstreams, sharedModel } from '../support/upstream/faulty-upstreams';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';

const DATA = `data:application/pdf;base64,${'JVBERi0x'.repeat(50_000)}`;
const TERMS = {
  part_tokens: { file: 200_000, image: 5_000, image_low: 300, picture_book: 70 },
  pass_fields: { service_tier: null, 'tools.web_search': '0.01', web_search_options: '0.03', prompt: '0' },
};

type Case = readonly [string, Operation, string, object];
type Operation = 'createChatCompletion' | 'createCompletion' | 'createResponse' | 'createEmbedding';

const chatOf = (part: unknown) => ({ messages: [{ role: 'user', content: [part] }] });
const inputOf = (part: unknown) => ({ input: [{ role: 'user', content: [part] }] });
const BODIES: Record<Operation, object> = {
  createChatCompletion: { messages: [{ role: 'user', content: 'x' }] },
  createCompletion: { prompt: 'x' },
  createResponse: { input: 'x' },
  createEmbedding: { input: 'x' },
};

/** What is refused, by the path that the refusal names. */
const PARTS: readonly Case[] = [
  [
    'a file',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'file', file: { file_data: DATA } }),
  ],
  [
    'a stored file',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'file', file: { file_id: 'f' } }),
  ],
  [
    'a file of a response',
    'createResponse',
    'input.0.content.0',
    inputOf({ type: 'input_file', file_data: DATA }),
  ],
  ['a file by its id', 'createResponse', 'input.0.content.0', inputOf({ type: 'input_file', file_id: 'f' })],
  [
    'a file by its URL',
    'createResponse',
    'input.0.content.0',
    inputOf({ type: 'input_file', file_url: 'https://a.example' }),
  ],
  [
    'a file in place of an image',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'image_url', image_url: { url: DATA } }),
  ],
  [
    'a sound',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } }),
  ],
  [
    'a sound said before',
    'createChatCompletion',
    'messages.0.audio',
    { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
  ],
  [
    'a film',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'video_url', video_url: { url: 'https://a.example' } }),
  ],
  [
    'a part that nobody knows',
    'createChatCompletion',
    'messages.0.content.0',
    chatOf({ type: 'picture_book', id: 'b' }),
  ],
  [
    'an image in a detail without bound',
    'createResponse',
    'input.0.content.0',
    inputOf({ type: 'input_image', image_url: 'https://a.example', detail: 'original' }),
  ],
  [
    "a file in a tool's output",
    'createResponse',
    'input.0.output.0',
    {
      input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }],
    },
  ],
  ['a file beside a prompt', 'createCompletion', 'messages.0.content.0', chatOf({ type: 'file', file: {} })],
  ['a file to embed', 'createEmbedding', 'messages.0.content.0', chatOf({ type: 'file', file: {} })],
];
const FIELDS: readonly Case[] = [
  ...(['createChatCompletion', 'createCompletion', 'createResponse', 'createEmbedding'] as const).map(
    (operation) => ['service_tier', operation, 'service_tier', { service_tier: 'priority' }] as const,
  ),
  ...Object.entries({
    web_search_options: {},
    plugins: [{ id: 'web' }],
    fallbacks: ['dear'],
    provider: { order: ['dear'] },
    search_parameters: { mode: 'on' },
    deferred: true,
    context_window_fallbacks: [{ gpt: ['dear'] }],
    content_policy_fallbacks: [{ gpt: ['dear'] }],
    context_window_fallback_dict: { gpt: 'dear' },
    models: ['priced', 'dearer'],
    route: 'fallback',
    cache_control: { type: 'ephemeral' },
    api_base: 'http://10.0.0.1',
    extra_body: { n: 50 },
  }).map(([field, value]) => [field, 'createChatCompletion', field, { [field]: value }] as const),
  [
    'a tool of the upstream',
    'createChatCompletion',
    'tools.1',
    { tools: [{ type: 'function', function: { name: 'f' } }, { type: 'web_search' }] },
  ],
  [
    'a tool of the upstream in a response',
    'createResponse',
    'tools.0',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  ],
  [
    'a tool whose type has no text',
    'createChatCompletion',
    'tools.0',
    { tools: [{ type: { toString: 1 } }] },
  ],
  [
    'a tool among the input',
    'createResponse',
    'input.0.tools.0',
    { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'mcp' }] }] },
  ],
  ['a stored prompt', 'createResponse', 'prompt', { prompt: { id: 'pmpt_1' } }],
  [
    'a part to be cached',
    'createChatCompletion',
    'messages.0.content.0.cache_control',
    chatOf({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }),
  ],
  [
    'a tool to be cached',
    'createChatCompletion',
    'tools.0.cache_control',
    { tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }] },
  ],
];

describe('what may cost more than its text', () => {
  let upstreams: FaultyUpstreams;
  let account: TestAccount;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['plain', 'priced'], { priced: TERMS });
    for (const name of ['plain', 'priced']) {
      upstreams.of(name).script = ({ body }) => jsonReaction(chatAnswer(String(body?.model)));
    }
    account = await createAccount(upstreams.service.service, { creditUsd: '10' });
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const ask = (operation: Operation, fields: object): Promise<ApiAnswer> =>
    upstreams.service.service.call<OperationId>(operation, {
      credential: account.key,
      body: { ...BODIES[operation], max_tokens: 40, ...fields },
    });
  const receiptOf = async ({ headers }: ApiAnswer) =>
    (
      await upstreams.service.service.call('getRequestReceipt', {
        credential: account.token,
        params: { request_id: headers['x-request-id'] ?? '' },
      })
    ).body;
  const sold = async () => {
    const [row]: { count: string }[] = await upstreams.service.service.database.query(
      'SELECT count(*) FROM ledger_entries WHERE account_id = $1',
      [account.id],
    );
    return Number(row?.count);
  };

  it.each([...PARTS, ...FIELDS])(
    'is refused by name where nobody priced it: %s',
    async (_, operation, at, fields) => {
      const [entries, calls] = [await sold(), upstreams.of('plain').calls.length];
      const answer = await ask(operation, { model: 'plain', ...fields });
      expect([answer.status, answer.body.error]).toEqual([400, 'Validation error']);
      expect(answer.body.details).toEqual([
        { field: at, message: expect.stringContaining('the operator of this service has set no price') },
      ]);
      expect([await sold(), upstreams.of('plain').calls.length]).toEqual([entries, calls]);
    },
  );

  it.each<[string, Operation, string, object]>([
    [
      'an image at an address of a private network',
      'createChatCompletion',
      'messages.0.content.0',
      chatOf({ type: 'image_url', image_url: { url: 'http://10.0.0.1/a.png' } }),
    ],
    [
      'an image at a number that is an address',
      'createChatCompletion',
      'messages.0.content.0',
      chatOf({ type: 'image_url', image_url: 'http://2130706433/a.png' }),
    ],
    [
      'an image at an address that only other parsers find',
      'createChatCompletion',
      'messages.0.content.0',
      chatOf({ type: 'image_url', image_url: 'http://images.example.com\\@10.0.0.1/a.png' }),
    ],
    [
      'an image at a name of one word',
      'createResponse',
      'input.0.content.0',
      inputOf({ type: 'input_image', image_url: 'http://metadata/a.png' }),
    ],
    [
      'an image among the files of the server',
      'createResponse',
      'input.0.output.0',
      { input: [{ type: 'x', output: [{ type: 'input_image', image_url: 'file:///etc/passwd' }] }] },
    ],
    [
      'an image by a path',
      'createChatCompletion',
      'messages.0.content.0',
      chatOf({ type: 'image', source: { type: 'url', url: '/etc/passwd' } }),
    ],
  ])(
    'is refused where an upstream would fetch it from its own network: %s',
    async (_, operation, at, fields) => {
      const calls = upstreams.of('plain').calls.length;
      const answer = await ask(operation, { model: 'plain', ...fields });
      expect([answer.status, answer.body.details]).toEqual([
        400,
        [{ field: at, message: 'must hold data: or a URL of a public host' }],
      ]);
      expect(upstreams.of('plain').calls.length).toBe(calls);
    },
  );

  it('passes where its URL names a public host, by http too', async () => {
    const url = 'http://images.example.com:8080/a.png';
    const part = { type: 'image_url', image_url: { url } };
    expect((await ask('createChatCompletion', { model: 'plain', ...chatOf(part) })).status).toBe(200);
    expect(upstreams.of('plain').lastCall.text).toContain(url);
  });

  it('is refused too where no upstream would answer, rather than ignored', async () => {
    const answer = await ask('createChatCompletion', {
      model: 'embedded-extractive-1',
      service_tier: 'flex',
    });
    expect([answer.status, answer.body.details.map(({ field }) => field)]).toEqual([400, ['service_tier']]);
  });

  it.each([null, 'auto', 'default'])('passes as %j, and beside fields that nobody knows', async (tier) => {
    const fields = { service_tier: tier, plugins: null, top_k: 3 };
    const answer = await ask('createChatCompletion', { model: 'plain', ...fields });
    expect(answer.status).toBe(200);
    expect(upstreams.of('plain').lastCall.body).toMatchObject({ top_k: 3 });
  });

  it.each([
    [
      'files',
      400_000,
      [
        { type: 'file', file: { file_data: DATA } },
        { type: 'image_url', image_url: { url: DATA } },
      ],
    ],
    ['an image', 5_000, [{ type: 'image_url', image_url: { url: 'https://a.example', detail: 'original' } }]],
    [
      'an image in low detail',
      300,
      [{ type: 'image_url', image_url: { url: 'https://a.example', detail: 'low' } }],
    ],
    ['a part that nobody knows', 70, [{ type: 'picture_book' }]],
  ])('reserves what the operator has set for %s', async (_, tokens, parts) => {
    const answer = await ask('createChatCompletion', {
      model: 'priced',
      ...chatOf(parts[0]),
      messages: [{ role: 'user', content: parts }],
    });
    expect(answer.status).toBe(200);
    const { reserved } = await receiptOf(answer);
    expect(reserved).toBeGreaterThanOrEqual(0.002 + 0.00001 * (tokens + 40));
    expect(reserved).toBeLessThan(0.002 + 0.00001 * (tokens + 40 + 60));
  });

  it('adds the price of a call to the base, under a name that tells what for', async () => {
    const free = await ask('createChatCompletion', { model: 'priced', service_tier: 'flex' });
    const dear = await ask('createChatCompletion', {
      model: 'priced',
      service_tier: 'flex',
      web_search_options: {},
      tools: [{ type: 'web_search' }],
    });
    expect(upstreams.of('priced').lastCall.body).toMatchObject({
      service_tier: 'flex',
      web_search_options: {},
    });
    const [one, other] = [await receiptOf(free), await receiptOf(dear)];
    expect([one.price, other.price]).toEqual([
      'chat_completion',
      'chat_completion+tools.web_search+web_search_options',
    ]);
    expect(other.charged - one.charged).toBeCloseTo(0.04, 9);
  });

  it('goes past upstreams that have no price for it', async () => {
    const model = sharedModel('priced');
    const calls = upstreams.second.calls.length;
    upstreams.of('priced').script = () => ({ status: 500, chunks: ['{}'] });
    expect((await ask('createChatCompletion', { model })).status).toBe(200);
    expect(upstreams.second.calls).toHaveLength(calls + 1);
    expect((await ask('createChatCompletion', { model, service_tier: 'flex' })).status).toBe(502);
    expect(upstreams.second.calls).toHaveLength(calls + 1);
  });
});
