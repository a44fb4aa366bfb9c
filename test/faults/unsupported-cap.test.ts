import type { Script } from '../support/upstream/raw-upstream';
import { answering, FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { callOutcome } from '../support/ledger/call-outcome';
import { StreamedCall } from '../support/upstream/streamed-call';
import { errorReaction, jsonReaction } from '../support/upstream/upstream-answers';

const TEXT = 'The first one answers.';
const REFUSAL = {
  error: {
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    type: 'invalid_request_error',
    param: 'max_tokens',
    code: 'unsupported_parameter',
  },
};
const messages = [{ role: 'user', content: 'Hello' }];

/** OpenAI's newer models: they know `max_completion_tokens` alone. */
const newer: Script = (request, count) => {
  if (request.path.endsWith('/responses')) {
    return errorReaction(404, 'no such path');
  }
  return request.body && 'max_tokens' in request.body
    ? jsonReaction(REFUSAL, { status: 400 })
    : answering(TEXT)(request, count);
};

describe('a model that refuses max_tokens', () => {
  let upstreams: FaultyUpstreams;
  const cases: [string, string, object][] = [
    ['chat', '/v1/chat/completions', { messages }],
    ['streamed-chat', '/v1/chat/completions', { messages, stream: true }],
    ['response', '/v1/responses', { input: 'Hello', max_output_tokens: 50 }],
    ['streamed-response', '/v1/responses', { input: 'Hello', stream: true }],
    ['agent', '/api/hub/agents/generate', { prompt: 'Hello' }],
    ['streamed-agent', '/api/hub/agents/chat', { messages, stream: true, max_tokens: 50 }],
  ];
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start([...cases.map(([name]) => name), 'client']);
    for (const [name] of [...cases, ['client']]) {
      upstreams.of(name).script = newer;
    }
  });
  afterAll(async () => upstreams.stop());

  const ask = async (name: string, path: string, fields: object) => {
    const account = await upstreams.account();
    const requestId = `capped-${name}`;
    const body = { model: name, ...fields };
    const call = new StreamedCall({ url: upstreams.service.url + path, key: account.key, requestId, body });
    await call.ends();
    return { call, outcome: await callOutcome(upstreams.service.service, account, requestId) };
  };
  const chats = (name: string) =>
    upstreams.of(name).calls.filter(({ path }) => path.endsWith('/chat/completions'));

  it('refuses the cap of a client as it refused the client itself', async () => {
    const { call, outcome } = await ask('client', '/v1/chat/completions', { messages, max_tokens: 50 });
    expect(call.status).toBe(400);
    expect(JSON.parse(call.text)).toMatchObject({
      error: 'Upstream refused',
      message: expect.stringContaining(REFUSAL.error.message),
    });
    expect(outcome).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
    expect(chats('client')).toHaveLength(1);
  });

  it.each(cases)('gets the service’s own cap by its newer name: %s', async (name, path, fields) => {
    const { call, outcome } = await ask(name, path, fields);
    expect(call.status).toBe(200);
    expect(call.text).toContain('answers.');
    expect(outcome).toMatchObject({ outcome: 'settled', status: 200 });
    const [first, second, ...others] = chats(name).map(({ body }) => body);
    expect(others).toEqual([]);
    expect(second).not.toHaveProperty('max_tokens');
    expect(second?.max_completion_tokens).toBe(first?.max_tokens);
    expect(first?.max_tokens).toBeGreaterThan(0);
  });
});
