import { callOutcome, priceNanoUsd, type CallOutcome } from '../support/ledger/call-outcome';
import { StreamedCall } from '../support/upstream/streamed-call';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { chatAnswer, dataEvent, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';
import { until } from '../support/until';

const QUESTION = 'How much is it?';
const CALL = {
  id: 'c1',
  type: 'function',
  function: { name: 'calculator', arguments: '{"expression":"1+1"}' },
};

/** An answer that asks for a tool. */
function asking(isStreamed: boolean): Reaction {
  const message = { role: 'assistant', content: null, tool_calls: [CALL] };
  const choices = [{ index: 0, [isStreamed ? 'delta' : 'message']: message, finish_reason: 'tool_calls' }];
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const answer = { ...chatAnswer('led'), choices, usage };
  return isStreamed ? streamReaction([dataEvent(answer), dataEvent('[DONE]')]) : jsonReaction(answer);
}

describe('a client that goes away from an agent', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['led']);
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  it.each([false, true])(
    'in its first step pays for the input of that step (streamed: %s)',
    async (stream) => {
      const outcome = await leaveInStep([{ instead: 'silence' }], stream);
      expectCharged(outcome);
      expect(outcome.outputTokens).toBe(0);
      expect(outcome.inputTokens).toBeGreaterThan(5);
      expect(outcome.inputTokens).toBeLessThan(200);
    },
  );

  it.each([false, true])(
    'in its second step pays for the first and for the input of the second (streamed: %s)',
    async (stream) => {
      const first = await leaveInStep([{ instead: 'silence' }], stream);
      const outcome = await leaveInStep([asking(stream), { instead: 'silence' }], stream);
      // The head of a stream has left with the first step.
      expectCharged(outcome, stream ? 200 : 499);
      expect(outcome.outputTokens).toBe(10);
      // The second step reads what the first did, and what the model asked for and was told.
      expect(outcome.inputTokens).toBeGreaterThan(100 + first.inputTokens);
      expect(outcome.inputTokens).toBeLessThan(100 + 2 * first.inputTokens + 100);
    },
  );

  async function leaveInStep(reactions: Reaction[], stream: boolean): Promise<CallOutcome> {
    const { service, url } = upstreams.service;
    const upstream = upstreams.of('led');
    const [before, steps] = [upstream.calls.length, reactions.length];
    upstream.script = () => reactions.shift() ?? {};
    const account = await upstreams.account();
    const agent = { name: 'Sums', model: 'led', max_tokens: 40, tools: ['calculator'] };
    const stored = await service.call('createAgent', { credential: account.key, body: agent });
    const requestId = `left-by-${account.id}`;
    const call = new StreamedCall({
      url: `${url}/api/hub/agents/chat`,
      key: account.key,
      requestId,
      body: { agent_id: stored.body.data.id, messages: [{ role: 'user', content: QUESTION }], stream },
    });
    await until('the last step has begun', () => upstream.calls.length === before + steps);
    await until('the upstream has read it', () => upstream.lastCall.body !== undefined);
    call.leave();
    await until('the upstream is left alone', () => upstream.lastCall.leftByClientAt !== null);
    return callOutcome(service, account, requestId);
  }

  function expectCharged({ inputTokens, outputTokens, ...outcome }: CallOutcome, status = 499): void {
    const chargedNanoUsd = priceNanoUsd(inputTokens + outputTokens);
    expect(outcome).toMatchObject({ outcome: 'settled', status, chargedNanoUsd });
  }
});
