import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { chatAnswer, dataEvent, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';

/** After so many failures in a row an upstream is left alone. */
const FAILURES_MAX = 5;
const MESSAGES = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: OUTPUT_TOKENS_MAX };
const CHAT = ['chat/completions', MESSAGES] as const;
const STREAM = ['chat/completions', { ...MESSAGES, stream: true }] as const;
const RESPONSE = ['responses', { input: 'Hello', max_output_tokens: OUTPUT_TOKENS_MAX }] as const;
const RESPONSE_STREAM = ['responses', { ...RESPONSE[1], stream: true }] as const;
const EMBEDDING = ['embeddings', { input: 'Hello' }] as const;
const USAGE = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };

interface Failure {
  readonly name: string;
  readonly asked: readonly [path: string, fields: object];
  readonly reaction: Reaction;
  /** What the caller gets; of a stream that had begun 200, and an event that tells the error. */
  readonly status: number;
  /** Whether any other request would have failed as well. */
  readonly isOutage?: boolean;
}

const errorOf = (code: unknown, type?: string) => ({ code, message: 'It went wrong.', type });
const failed = { id: 'resp_1', object: 'response', status: 'failed', model: 'm', output: [] };
const role = { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] };
const finish = (content: string, fields: object = {}) =>
  dataEvent({ choices: [{ index: 0, delta: { content }, finish_reason: 'error' }], ...fields });
const response = (status: string, fields: object = {}) => ({ ...failed, status, error: null, ...fields });

const FAILURES: readonly Failure[] = [
  ...[
    { code: 'no-code', error: errorOf(undefined), status: 502 },
    { code: 'bad-request', error: errorOf(400), status: 400 },
    { code: 'bad-name', error: errorOf('context_length_exceeded', 'invalid_request_error'), status: 400 },
    { code: 'our-key', error: errorOf('invalid_api_key', 'invalid_request_error'), status: 502 },
    { code: 'bad-gateway', error: errorOf('502'), status: 502, isOutage: true },
    { code: 'limit', error: errorOf('rate_limit_exceeded'), status: 503, isOutage: true },
  ].flatMap(({ code, error, ...expected }) => [
    {
      name: `empty-${code}`,
      asked: CHAT,
      reaction: jsonReaction({ choices: [], error, usage: USAGE }),
      ...expected,
    },
    {
      name: `first-${code}`,
      asked: STREAM,
      reaction: streamReaction([': wait\n\n', dataEvent({ error })]),
      ...expected,
    },
  ]),
  {
    name: 'finish-reason',
    asked: CHAT,
    reaction: jsonReaction(chatAnswer('m', { texts: ['Half'], finishReason: 'error' })),
    status: 502,
  },
  { name: 'no-vectors', asked: EMBEDDING, reaction: jsonReaction({ data: [], error: 'No.' }), status: 502 },
  {
    name: 'response',
    asked: RESPONSE,
    reaction: jsonReaction({ ...failed, error: errorOf('server_error') }),
    status: 502,
    isOutage: true,
  },
  {
    name: 'response-prompt',
    asked: RESPONSE,
    reaction: jsonReaction({ ...failed, error: errorOf('invalid_prompt') }),
    status: 400,
  },
  { name: 'first-finish', asked: STREAM, reaction: streamReaction([finish('')]), status: 502 },
  {
    name: 'second-finish',
    asked: STREAM,
    reaction: streamReaction([dataEvent(role), finish('', { usage: USAGE })]),
    status: 200,
  },
  {
    name: 'second-error',
    asked: STREAM,
    reaction: streamReaction([dataEvent(role), finish('', { error: errorOf(502) })]),
    status: 200,
  },
  {
    name: 'response-stream',
    asked: RESPONSE_STREAM,
    reaction: streamReaction([
      dataEvent({ type: 'response.created', response: response('in_progress') }),
      dataEvent({
        type: 'response.failed',
        response: response('failed', { error: errorOf('server_error') }),
      }),
    ]),
    status: 200,
  },
];

describe('a failure that an upstream tells within an answer of 200', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start([...FAILURES.map(({ name }) => name), 'delivered']);
  });
  afterAll(async () => upstreams.stop());

  const send = async (model: string, [path, fields]: Failure['asked'], reaction: Reaction, key: string) => {
    upstreams.of(model).script = () => reaction;
    const url = `${upstreams.service.url}/v1/${path}`;
    const call = new StreamedCall({ url, key, requestId: `failure-${model}`, body: { model, ...fields } });
    await call.ends();
    return call;
  };
  const ask = async (model: string, asked: Failure['asked'], reaction: Reaction) => {
    const account = await upstreams.account();
    const call = await send(model, asked, reaction, account.key);
    return { call, outcome: await callOutcome(upstreams.service.service, account, `failure-${model}`) };
  };

  it.each(FAILURES)('is free, and told: $name', async ({ name, asked, reaction, status }) => {
    const { call, outcome } = await ask(name, asked, reaction);
    expect(call).toMatchObject({ status, end: 'complete' });
    expect(outcome).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
    expect(call.text).toContain('error');
    expect(call.text).not.toContain('[DONE]');
    if (status === 400) {
      const message = expect.stringContaining('It went wrong.') as string;
      expect(JSON.parse(call.text)).toMatchObject({ error: 'Upstream refused', message });
    }
  });

  it('counts as an outage only where others would meet it', async () => {
    const { key } = await upstreams.account();
    const leftAlone: string[] = [];
    for (const { name, asked, reaction } of FAILURES) {
      for (let count = 0; count < FAILURES_MAX; count += 1) {
        await send(name, asked, reaction, key);
      }
      const { length } = upstreams.of(name).calls;
      await send(name, asked, reaction, key);
      leftAlone.push(...(upstreams.of(name).calls.length > length ? [] : [name]));
    }
    expect(leftAlone).toEqual(FAILURES.filter(({ isOutage }) => isOutage).map(({ name }) => name));
    expect(await upstreams.service.faults()).toEqual([]);
  });

  it('leaves what was delivered before to be paid', async () => {
    const text = dataEvent({ choices: [{ index: 0, delta: { content: 'At nine' }, finish_reason: null }] });
    const { call, outcome } = await ask('delivered', STREAM, streamReaction([text, finish('.')]));
    expect(call.delivered).toBe('At nine.');
    expect(call.error).toMatchObject({ code: 502 });
    const { countedInputTokens: inputTokens } = outcome;
    expect(outcome).toMatchObject({ outcome: 'settled', inputTokens, outputTokens: 3 });
    expect(outcome.chargedNanoUsd).toBe(priceNanoUsd(inputTokens + 3));
  });
});
