import { answering, FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { errorReaction } from '../support/upstream/upstream-answers';
import { readingMessages } from '../support/upstream/message-answers';
import { StreamedCall } from '../support/upstream/streamed-call';
import type { TestAccount } from '../support/api/world';

const CAP = 7;
const MESSAGES = [{ role: 'user', content: 'How long is it?' }];
/** Under other names some servers read them in place of the cap that was reserved. */
const OTHER_NAMES = {
  n_predict: -1,
  num_predict: 30_000,
  max_new_tokens: 30_000,
  max_gen_toks: '30000',
  n_cmpl: 100,
};

describe('the cap of an answer', () => {
  let upstreams: FaultyUpstreams;
  let account: TestAccount;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['capped', 'native'], { native: { messages_key: 'bearer' } });
    upstreams.of('native').script = readingMessages;
    const answer = answering('Three months.');
    upstreams.of('capped').script = (request, count) =>
      request.path.endsWith('/responses') ? errorReaction(404, 'no such path') : answer(request, count);
    account = await upstreams.account();
  });
  afterAll(async () => upstreams.stop());

  it.each([
    ['/v1/chat/completions', { messages: MESSAGES, max_tokens: CAP }],
    ['/v1/completions', { prompt: 'How long is it?', max_tokens: CAP }],
    ['/v1/responses', { input: 'How long is it?', max_output_tokens: CAP }],
  ])('of %s can not be passed by a name that this service does not reserve by', async (path, fields) => {
    const call = new StreamedCall({
      url: `${upstreams.service.url}${path}`,
      key: account.key,
      requestId: `capped-${path.length}-of-${account.id}`,
      body: { model: 'capped', ...fields, ...OTHER_NAMES },
    });
    await call.ends();
    expect([call.status, call.text]).toEqual([200, expect.any(String)]);
    const { body } = upstreams.of('capped').lastCall;
    expect(body).toMatchObject({ max_tokens: CAP });
    const left = Object.keys(OTHER_NAMES);
    expect(left.filter((name) => name in (body ?? {}))).toEqual([]);
  });

  it('of a message holds too where the upstream is asked for one', async () => {
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/messages`,
      key: account.key,
      requestId: `message-of-${account.id}`,
      body: { model: 'native', messages: MESSAGES, max_tokens: CAP, ...OTHER_NAMES, best_of: 100, n: 100 },
    });
    await call.ends();
    const body = { model: 'native', messages: MESSAGES, max_tokens: CAP };
    expect([call.status, upstreams.of('native').lastCall.body]).toEqual([200, body]);
  });

  it('of a chat holds for one of several answers of which the best is taken', async () => {
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/chat/completions`,
      key: account.key,
      requestId: `best-of-${account.id}`,
      body: { model: 'capped', messages: MESSAGES, max_tokens: 1_000, best_of: 100, n: 1 },
    });
    await call.ends();
    const { body } = upstreams.of('capped').lastCall;
    expect([call.status, body?.n, 'best_of' in (body ?? {})]).toEqual([200, 1, false]);
  });

  it('of a completion leaves the best of several answers as it is, which are reserved', async () => {
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/completions`,
      key: account.key,
      requestId: `completions-best-of-${account.id}`,
      body: { model: 'capped', prompt: 'How long?', max_tokens: 10, best_of: 3 },
    });
    await call.ends();
    expect(upstreams.of('capped').lastCall.body?.best_of).toBe(3);
  });
});
