import { callOutcome, OUTPUT_TOKENS_MAX } from '../support/ledger/call-outcome';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import {
  chatAnswer,
  chatEvents,
  dataEvent,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';

/** More than was asked for, and more than is counted. */
const TEXTS = [
  ['more than was asked for', 'word '.repeat(2 * OUTPUT_TOKENS_MAX)],
  ['more than is counted', 'word'.repeat(1024 * 1024 + 1)],
] as const;

describe('usage that is counted for an upstream which tells none', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['silent']);
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const ask = async (stream: boolean, text: string) => {
    upstreams.of('silent').script = ({ body }) => {
      const model = String(body?.model);
      if (!stream) {
        return jsonReaction(chatAnswer(model, { texts: [text], usage: undefined }));
      }
      const chunk = dataEvent({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] });
      return streamReaction([chunk, chatEvents(model).at(-1) ?? '']);
    };
    const account = await upstreams.account();
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/chat/completions`,
      key: account.key,
      requestId: `counted-${account.id}`,
      body: {
        model: 'silent',
        messages: [{ role: 'user', content: 'How long is it?' }],
        max_tokens: OUTPUT_TOKENS_MAX,
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
      },
    });
    await call.ends();
    const { inputTokens, outputTokens } = await callOutcome(
      upstreams.service.service,
      account,
      `counted-${account.id}`,
    );
    return { call, inputTokens, outputTokens };
  };

  it.each(TEXTS)('is what was charged, in an answer of %s', async (_, text) => {
    const { call, inputTokens, outputTokens } = await ask(false, text);
    expect(outputTokens).toBe(OUTPUT_TOKENS_MAX);
    expect(JSON.parse(call.text)).toMatchObject({
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    });
  });

  it.each(TEXTS)('is what was charged, at the end of a stream of %s', async (_, text) => {
    const { call, inputTokens, outputTokens } = await ask(true, text);
    expect(outputTokens).toBe(OUTPUT_TOKENS_MAX);
    expect(JSON.parse(call.data.at(-2) ?? '')).toMatchObject({
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    });
  });
});
