import type { InjectOptions } from 'fastify';
import { processorMsOf } from '../support/processor-time';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const MEMORY = { method: 'POST', url: '/api/hub/memory' } as const;
const CHAT = { method: 'POST', url: '/v1/chat/completions' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Refusal {
  error: string;
  message: string;
  details: { field: string; message: string }[];
}

describe('the faults of a request', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
  afterAll(async () => service.stop());

  async function refusal(request: InjectOptions): Promise<Refusal> {
    const headers = { 'x-api-key': world.owner.key, ...request.headers };
    const answer = await service.app.inject({ remoteAddress: world.ip, ...request, headers });
    expect(answer.statusCode).toBe(400);
    return answer.json<Refusal>();
  }

  async function faultsOf(request: InjectOptions): Promise<Record<string, string>> {
    const { details } = await refusal(request);
    return Object.fromEntries(details.map(({ field, message }) => [field, message]));
  }

  it('are all told at once, in sentences', async () => {
    const payload = {
      key: '',
      metadata: 5,
      namespace: 'a\0b',
      ttl_seconds: 1.5,
      colour: 'red',
    };
    expect(await faultsOf({ ...MEMORY, payload })).toEqual({
      key: 'must be at least 1 character long',
      value: 'is required',
      metadata: 'must be an object',
      namespace: 'must be well-formed text without NUL',
      ttl_seconds: 'must be a whole number or null',
      colour: 'is not a known field; known here are key, value, metadata, namespace and ttl_seconds',
    });
  });

  it('name a number that JSON reads as infinite, once', async () => {
    const payload = '{"key": "k", "value": "v", "metadata": {"n": -1e999}, "ttl_seconds": 1e999}';
    expect((await refusal({ ...MEMORY, payload, headers: JSON_TYPE })).details).toEqual([
      { field: 'ttl_seconds', message: 'must be a whole number or null' },
      { field: 'metadata.n', message: 'must be a number between -1.8e308 and 1.8e308' },
    ]);
  });

  it('are told of what a text holds beside those of its form', async () => {
    const payload = { key: `\0${'k'.repeat(300)}`, value: 'v' };
    expect((await refusal({ ...MEMORY, payload })).details.map(({ message }) => message)).toEqual([
      'must be at most 255 characters long',
      'must be well-formed text without NUL',
    ]);
  });

  it('are told of the form of a value that was meant', async () => {
    const messages = [
      { role: 'user', content: 5 },
      { role: 'nobody', content: 'x' },
      { role: 'user', content: [{ text: 'x' }] },
    ];
    expect(await faultsOf({ ...CHAT, payload: { model: 'm', messages, max_tokens: 0 } })).toEqual({
      'messages[0].content': 'must be text, a list or null',
      'messages[1].role': 'must be one of developer, system, user, assistant, tool, function',
      'messages[2].content[0].type': 'is required',
      max_tokens: 'must be at least 1',
    });
  });

  it('are told up to 20, with the number of the others', async () => {
    const messages = Array.from({ length: 1_000 }, () => 1);
    const { details, message } = await refusal({ ...CHAT, payload: { model: 'm', messages } });
    expect(details).toHaveLength(21);
    expect(details.at(-1)).toEqual({ field: 'body', message: 'has 980 more faults' });
    expect(message.length).toBeLessThan(2_000);
  });

  it('cost little more to find where there are 290,000', async () => {
    const ofFaults = (count: number) => `{"model":"m","messages":[${'1,'.repeat(count)}1]}`;
    const send = (payload: string) => refusal({ ...CHAT, headers: JSON_TYPE, payload });
    await send(ofFaults(1_000));
    const parsed = await processorMsOf(() => {
      for (let round = 0; round < 3; round += 1) {
        JSON.parse(ofFaults(290_000));
      }
    });
    const { details } = await send(ofFaults(290_000));
    expect(details).toEqual([{ field: 'messages', message: 'must have at most 30000 items' }]);
    const needed = await processorMsOf(() => send(ofFaults(290_000)));
    expect(needed).toBeLessThan(100 + 3 * parsed);
  });

  it.each([
    ['{"key":"k","value":"v","__proto__":{}}', /^has a member __proto__, which is not allowed/],
    [
      '{"key":"k","metadata":{"constructor":{"prototype":1}}}',
      /^has a member metadata\.constructor\.prototype, which is not allowed/,
    ],
    ['{"key":"k" "value":"v"}', /^is not valid JSON: see line 1, column 12$/],
  ])('name what is wrong with the text %s', async (payload, message) => {
    expect(await faultsOf({ ...MEMORY, headers: JSON_TYPE, payload })).toEqual({
      body: expect.stringMatching(message),
    });
  });

  it('name a field that is called constructor like any other', async () => {
    const payload = '{"key":"k","value":"v","constructor":"x"}';
    expect(await faultsOf({ ...MEMORY, headers: JSON_TYPE, payload })).toEqual({
      constructor: expect.stringMatching(/^is not a known field/),
    });
  });

  it('name a query parameter that is given twice, beside the others', async () => {
    const headers = { authorization: `Bearer ${world.owner.token}`, 'x-api-key': '' };
    const url = '/api/payments/transactions?limit=1&limit=2&order=up&offset=-1&colour=red';
    expect(await faultsOf({ url, headers })).toEqual({
      limit: 'is given 2 times, but may be given once',
      order: 'must be one of asc, desc',
      offset: 'must be at least 0',
      colour:
        'is not a parameter of this operation, which takes limit, offset, sort, order, start_date, end_date, status and type',
    });
  });

  it.each(['0x1', '1e1', '%201', '1%20', '%2B1', '1.0', ''])(
    'name a whole number written as %s',
    async (limit) => {
      const headers = { authorization: `Bearer ${world.owner.token}` };
      const url = `/api/payments/transactions?limit=${limit}`;
      expect(await faultsOf({ url, headers })).toEqual({ limit: 'must be a whole number' });
    },
  );

  it('are none in an empty or an identity encoding of the body', async () => {
    for (const encoding of ['identity', ' Identity ']) {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding };
      expect(await faultsOf({ ...MEMORY, headers, payload: '{"key":"k"}' })).toEqual({
        value: 'is required',
      });
    }
  });
});
