import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { RawUpstream } from '../../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../../support/upstream/service-with-upstreams';
import { errorReaction } from '../../support/upstream/upstream-answers';
import { World } from '../../support/api/world';

const MODEL = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const REQUEST = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: QUESTION }] };
const IMAGE = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };

/** A user's message of these blocks. */
const said = (...content: unknown[]) => ({ ...REQUEST, messages: [{ role: 'user', content }] });

describeOperation(
  'createMessage',
  (_, variant) => ({
    body: { ...REQUEST, messages: [{ role: 'user', content: `${QUESTION} Is it ${variant}?` }] },
  }),
  (status) => {
    status(404, 'refuses an unknown model where names are strict, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createMessage', world, { body: { ...REQUEST, model: 'claude-x' } });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        404,
        {
          type: 'error',
          error: {
            type: 'not_found_error',
            message:
              "The model 'claude-x' does not exist, or not for this operation. GET /v1/models lists all.",
          },
          request_id: answer.headers['request-id'],
        },
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(413, 'tells in the words of the provider that it found the request too large', async () => {
      const upstream = await RawUpstream.start(() => errorReaction(413, 'Not so long.'));
      const entry = { name: 'raw', base_url: upstream.baseUrl, models: [{ id: 'm' }] };
      const { service } = await ServiceWithUpstreams.start([entry]);
      const world = await World.create(service);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createMessage', world, { body: { ...REQUEST, model: 'm' } });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        413,
        { type: 'error', error: { type: 'request_too_large', message: 'Not so long.' } },
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
      await service.stop();
      await upstream.stop();
    });

    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeRefusals('createMessage', world, {
        nothing: undefined,
        'no cap': { ...REQUEST, max_tokens: undefined },
        'no output': { ...REQUEST, max_tokens: 0 },
        'no messages': { ...REQUEST, messages: [] },
        'an unknown role': { ...REQUEST, messages: [{ role: 'boss', content: 'x' }] },
        'no content': { ...REQUEST, messages: [{ role: 'user' }] },
        'a text without its text': said({ type: 'text' }),
        'a result of no call': said({ type: 'tool_result', content: 'x' }),
        'a tool without a name': { ...REQUEST, tools: [{ input_schema: {} }] },
        'a class of service that costs more': { ...REQUEST, service_tier: 'priority' },
      });
    });

    status(400, 'has one form of errors for each way to write its path', async (world) => {
      for (const path of ['/v1/messages', '//v1//messages/', '/%761/message%73']) {
        const headers = { 'x-api-key': world.owner.key, 'content-type': 'application/json' };
        const answer = await world.service.app.inject({ method: 'POST', url: path, headers, payload: '{}' });
        expect([answer.statusCode, answer.json()]).toMatchObject([400, { type: 'error' }]);
      }
    });

    status(400, 'refuses what the engine cannot honour, by name and free of charge', async (world) => {
      const tool = { name: 'f', input_schema: { type: 'object' } };
      const requests = {
        tools: { ...REQUEST, tools: [tool] },
        'tools[0]': { ...REQUEST, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
        'messages[0].content[0]': said(IMAGE),
        mcp_servers: { ...REQUEST, mcp_servers: [{ type: 'url', url: 'https://example.com' }] },
      };
      await expectFreeRefusals('createMessage', world, requests);
      for (const [field, body] of Object.entries(requests)) {
        const answer = await callAs('createMessage', world, { body });
        expect(answer.body.details.map((detail) => detail.field)).toEqual([field]);
      }
    });

    status(402, 'says as billing_error what is needed and what is there', async (world) => {
      await world.setBalanceUsd(world.owner, '0.0025');
      const answer = await callAs('createMessage', world, { body: REQUEST });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        402,
        {
          type: 'error',
          error: {
            type: 'billing_error',
            required: expect.any(Number),
            available: 0.0025,
            affordable_max_tokens: expect.any(Number),
          },
        },
      ]);
      const { affordable_max_tokens: affordable } = answer.body;
      const again = await callAs('createMessage', world, { body: { ...REQUEST, max_tokens: affordable } });
      expect(again.status).toBe(200);
    });

    status(200, 'answers from the messages, and charges the tokens that it tells', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createMessage', world, {
        body: { ...REQUEST, metadata: { user_id: 'u' }, thinking: { type: 'adaptive' }, top_k: 4, new: 1 },
        query: { beta: 'true' },
        headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a-2025-01-01,b' },
      });
      const { usage, ...message } = answer.body;
      expect(message).toMatchObject({
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        ...{ type: 'message', role: 'assistant', model: MODEL, stop_reason: 'end_turn', stop_sequence: null },
        content: [{ type: 'text', text: 'The library opens at nine.' }],
      });
      const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
      expect([tokens > 0, before - (await world.balanceNanoUsd())]).toEqual([
        true,
        2_000_000n + 10_000n * BigInt(tokens),
      ]);
      expect(answer.headers).toMatchObject({
        'x-model-used': MODEL,
        'x-tokens-used': String(tokens),
        'request-id': answer.headers['x-request-id'],
      });
    });

    status(200, 'gives the same answer to a system prompt, in a text and in cached blocks', async (world) => {
      const [known, question] = [
        'The library opens at nine. It closes at six.',
        'When does the library open?',
      ];
      const kept = { type: 'text', text: known, cache_control: { type: 'ephemeral', ttl: '1h' } };
      for (const system of [known, [kept]]) {
        const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }];
        const answer = await callAs('createMessage', world, { body: { ...REQUEST, system, messages } });
        expect(answer.body.content).toEqual([{ type: 'text', text: 'The library opens at nine.' }]);
      }
    });

    status(200, 'keeps to max_tokens', async (world) => {
      const answer = await callAs('createMessage', world, { body: { ...REQUEST, max_tokens: 3 } });
      expect(answer.body).toMatchObject({
        stop_reason: 'max_tokens',
        content: [{ text: 'The library opens' }],
        usage: { output_tokens: 3 },
      });
    });
  },
  { STRICT_MODELS: 'true' },
);
