import { countTokens } from '../../src/core/text/tokens/count-tokens';
import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import { completionEvents, FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { LockStep } from '../support/ledger/lock-step';
import { StreamedCall } from '../support/upstream/streamed-call';
import { until } from '../support/until';
import {
  chatAnswer,
  chatEvents,
  dataEvent,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';

const ANSWER = 'The notice period is three months, unless both sides agree.';
const WORDS = ANSWER.match(/\s*\S+/g) ?? [];

describe('a client that goes away', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['led']);
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const begin = async (path: string, fields: object, script: (model: string) => Reaction) => {
    upstreams.of('led').script = ({ body }) => script(String(body?.model));
    const account = await upstreams.account();
    const question = 'How long is the notice period?';
    const input =
      path === 'completions' ? { prompt: question } : { messages: [{ role: 'user', content: question }] };
    const body = { model: 'led', ...input, max_tokens: OUTPUT_TOKENS_MAX, ...fields };
    const requestId = `left-by-${account.id}`;
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/${path}`,
      key: account.key,
      requestId,
      body,
    });
    const before = upstreams.of('led').calls.length;
    await until('the upstream is asked', () => upstreams.of('led').calls.length > before);
    const { lastCall } = upstreams.of('led');
    await until('the upstream has read the request', () => lastCall.body !== undefined);
    return { call, asked: lastCall, ended: () => callOutcome(upstreams.service.service, account, requestId) };
  };

  const leave = async (call: StreamedCall, asked: RecordedRequest) => {
    const { chunksWritten } = asked;
    const turns = await turnsDuring(async () => {
      call.leave();
      await until('the upstream is left alone', () => asked.leftByClientAt !== null);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    expect(asked.chunksWritten).toBe(chunksWritten);
  };

  describe('before the first byte', () => {
    it.each([
      ['an unstreamed chat', 'chat/completions', {}],
      ['a streamed chat', 'chat/completions', { stream: true }],
      ['an unstreamed completion', 'completions', {}],
      ['a streamed completion', 'completions', { stream: true }],
    ])('of %s pays nothing', async (_, path, fields) => {
      const { call, asked, ended } = await begin(path, fields, () => ({ instead: 'silence' }));
      await leave(call, asked);
      expect(await ended()).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
    });

    it('of an unstreamed chat in the middle of its answer pays nothing', async () => {
      const lockStep = new LockStep();
      const text = JSON.stringify(chatAnswer('led'));
      const halves = [text.slice(0, 60), text.slice(60)];
      const { call, asked, ended } = await begin('chat/completions', {}, () => ({
        ...jsonReaction({}),
        chunks: halves,
        lockStep,
      }));
      lockStep.release();
      await until('half of it is there', () => asked.chunksWritten === 1);
      await leave(call, asked);
      expect(await ended()).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
    });
  });

  describe.each([
    ['chat', 'chat/completions', (model: string) => chatEvents(model, { texts: [ANSWER] })],
    ['completion', 'completions', (model: string) => completionEvents(model, ANSWER)],
  ])('in the middle of a streamed %s', (_, path, events) => {
    it.each([0, 1, 5])('pays for the input and for %d words', async (count) => {
      const lockStep = new LockStep();
      const script = (model: string) => streamReaction(events(model), { lockStep });
      const { call, asked, ended } = await begin(path, { stream: true }, script);
      for (let event = 1; event <= 1 + count; event += 1) {
        lockStep.release();
        await call.receives(event);
      }
      await leave(call, asked);
      const outcome = await ended();
      const outputTokens = countTokens(WORDS.slice(0, count).join(''));
      const inputTokens = outcome.countedInputTokens;
      const chargedNanoUsd = priceNanoUsd(inputTokens + outputTokens);
      expect(outcome).toMatchObject({
        outcome: 'settled',
        status: 200,
        inputTokens,
        outputTokens,
        chargedNanoUsd,
      });
    });
  });

  it('pays for the words of every choice, for thoughts and for the arguments of calls', async () => {
    const lockStep = new LockStep();
    const deltas = [
      { index: 0, delta: { role: 'assistant', content: 'Three' } },
      { index: 1, delta: { role: 'assistant', reasoning_content: 'They may want to know' } },
      { index: 0, delta: { content: ' months' } },
      { index: 1, delta: { tool_calls: [{ index: 0, function: { name: 'find', arguments: '{"what":' } }] } },
      { index: 1, delta: { tool_calls: [{ index: 0, function: { arguments: '"notice"}' } }] } },
    ];
    const events = deltas.map((choice) => dataEvent({ id: 'c', choices: [choice] }));
    const fields = { stream: true, n: 2, max_tokens: OUTPUT_TOKENS_MAX / 2 };
    const { call, asked, ended } = await begin('chat/completions', fields, () =>
      streamReaction([...events, dataEvent('[DONE]')], { lockStep }),
    );
    for (let event = 1; event <= events.length; event += 1) {
      lockStep.release();
      await call.receives(event);
    }
    await leave(call, asked);
    const outcome = await ended();
    // Joined or apart, what a choice says in several ways is not the same text to a tokeniser.
    const apart = ['Three months', 'They may want to know', 'find', '{"what":"notice"}'].map(countTokens);
    const sum = apart.reduce((total, tokens) => total + tokens, 0);
    expect(Math.abs(outcome.outputTokens - sum)).toBeLessThanOrEqual(2);
    expect(outcome.chargedNanoUsd).toBe(priceNanoUsd(outcome.inputTokens + outcome.outputTokens));
    expect(outcome.inputTokens).toBe(outcome.countedInputTokens);
  });
});
