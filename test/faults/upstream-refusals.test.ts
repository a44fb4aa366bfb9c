import { callOutcome, OUTPUT_TOKENS_MAX } from '../support/ledger/call-outcome';
import { FaultyUpstreams, sharedModel, UPSTREAM_KEY } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { errorReaction, jsonReaction } from '../support/upstream/upstream-answers';

const STATUSES = [400, 404, 413, 422];

/** The request, not the upstream, is at fault: what another one would say of it does not matter. */
describe('what an upstream refuses', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(STATUSES.map((status) => `status-${status}`));
  });
  afterAll(async () => upstreams.stop());

  const ask = async (status: number, stream: boolean) => {
    const account = await upstreams.account();
    const requestId = `refused-${status}-${stream}`;
    const model = sharedModel(`status-${status}`);
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model, messages, max_tokens: OUTPUT_TOKENS_MAX, stream };
    const url = `${upstreams.service.url}/v1/chat/completions`;
    const call = new StreamedCall({ url, key: account.key, requestId, body });
    await call.ends();
    return { call, outcome: await callOutcome(upstreams.service.service, account, requestId) };
  };

  describe.each([
    ['unstreamed', false],
    ['streamed', true],
  ])('%s', (_, isStreamed) => {
    it.each(STATUSES)('leaves with its status %d and its sentence, uncharged, asked once', async (status) => {
      const upstream = upstreams.of(`status-${status}`);
      const text = `{ "error" : {"message":"Not like this","vendor":{"ü":[1.0,1e2]},"code":null} }\n`;
      upstream.script = () => jsonReaction(text, { status });
      const before = { first: upstream.calls.length, second: upstreams.second.calls.length };
      const { call, outcome } = await ask(status, isStreamed);
      expect(call.status).toBe(status);
      const message = "The model's provider refused the request: Not like this";
      expect(JSON.parse(call.text)).toMatchObject({ error: 'Upstream refused', message });
      expect(call.headers['content-type']).toContain('application/json');
      expect(outcome).toMatchObject({ outcome: 'released', status, chargedNanoUsd: 0n });
      expect(upstream.calls.length).toBe(before.first + 1);
      expect(upstreams.second.calls.length).toBe(before.second);
    });
  });

  it('never repeats the key that the upstream was shown', async () => {
    upstreams.of('status-400').script = () =>
      errorReaction(400, `Your key ${UPSTREAM_KEY} is fine, the rest is not`);
    const account = await upstreams.account();
    const url = `${upstreams.service.url}/v1/chat/completions`;
    const body = {
      model: 'status-400',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: OUTPUT_TOKENS_MAX,
    };
    const call = new StreamedCall({ url, key: account.key, requestId: 'echoed', body });
    await call.ends();
    expect(call.status).toBe(400);
    expect(call.text).not.toContain(UPSTREAM_KEY);
  });
});
