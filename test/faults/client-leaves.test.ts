import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerSoFar } from '../../src/models/usage';
import { countTokens } from '../../src/text/count-tokens';
import {
  callOutcome,
  OUTPUT_TOKENS_MAX,
  priceNanoUsd,
  type CallOutcome,
} from '../support/ledger/call-outcome';
import { completionEvents, FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { openReservations } from '../support/ledger/open-reservations';
import { LockStep } from '../support/ledger/lock-step';
import { UnacceptingPort } from '../support/processes/unaccepting-port';
import { StreamedCall } from '../support/upstream/streamed-call';
import type { TestAccount } from '../support/api/world';
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
  let deaf: UnacceptingPort;
  beforeAll(async () => {
    deaf = await UnacceptingPort.open();
    upstreams = await FaultyUpstreams.start(['led', 'deaf'], { deaf: { base_url: deaf.baseUrl } });
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
    await deaf.close();
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
    return {
      account,
      call,
      asked: lastCall,
      ended: () => callOutcome(upstreams.service.service, account, requestId),
    };
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

  /** What a call costs that was left before a byte of its answer had come. */
  const expectInputCharged = (outcome: CallOutcome) => {
    const { countedInputTokens: inputTokens } = outcome;
    expect(inputTokens).toBeGreaterThan(0);
    const cost = { inputTokens, outputTokens: 0, chargedNanoUsd: priceNanoUsd(inputTokens) };
    expect(outcome).toMatchObject({ outcome: 'settled', status: 499, ...cost });
  };

  describe('before the first byte', () => {
    it.each([
      ['an unstreamed chat', 'chat/completions', {}],
      ['a streamed chat', 'chat/completions', { stream: true }],
      ['an unstreamed completion', 'completions', {}],
      ['a streamed completion', 'completions', { stream: true }],
    ])('of %s pays for the input, which the upstream has taken', async (_, path, fields) => {
      const { call, asked, ended } = await begin(path, fields, () => ({ instead: 'silence' }));
      await leave(call, asked);
      expectInputCharged(await ended());
    });

    it('pays for the input once though the upstream was asked twice, also when its headers are there', async () => {
      const reactions: Reaction[] = [{ instead: 'reset' }, { delayBeforeFirstByteMs: 60_000 }];
      const { call, ended } = await begin('chat/completions', {}, () => reactions.shift() ?? {});
      await until('it is asked again', () => reactions.length === 0);
      await leave(call, upstreams.of('led').lastCall);
      expectInputCharged(await ended());
    });
  });

  describe('in the middle of an unstreamed answer', () => {
    const text = JSON.stringify(chatAnswer('led', { texts: [ANSWER] }));
    const upTo = (part: string) => text.indexOf(part) + part.length;
    it.each([
      ['before its text', upTo('"role":"assistant"'), ''],
      ['in its text', upTo('The notice period is'), 'The notice period is'],
      ['before its usage', upTo('"finish_reason":"stop"'), ANSWER],
      ['in a number of its usage', upTo('"completion_tokens":') + 1, ANSWER],
    ])('pays for the input and for what has come, %s', async (_, length, produced) => {
      const lockStep = new LockStep();
      const chunks = [text.slice(0, length), text.slice(length)];
      const script = () => ({ ...jsonReaction({}), chunks, lockStep });
      const { call, asked, ended } = await begin('chat/completions', {}, script);
      const received = jest.spyOn(AnswerSoFar.prototype, 'received');
      lockStep.release();
      await until('a part of it is there', () => received.mock.calls.length > 0);
      received.mockRestore();
      await leave(call, asked);
      const outcome = await ended();
      const outputTokens = countTokens(produced);
      const { inputTokens } = outcome;
      expect(inputTokens).toBe(
        produced === ANSWER && length > upTo('"prompt_tokens":9') ? 9 : outcome.countedInputTokens,
      );
      const chargedNanoUsd = priceNanoUsd(inputTokens + outputTokens);
      expect(outcome).toMatchObject({ outcome: 'settled', status: 499, outputTokens, chargedNanoUsd });
    });

    it('pays for the pieces that have come from an upstream which streams all the same', async () => {
      const lockStep = new LockStep();
      const joined = jest.spyOn(AnswerSoFar.prototype, 'joined');
      const script = (model: string) => streamReaction(chatEvents(model, { texts: [ANSWER] }), { lockStep });
      const { call, asked, ended } = await begin('chat/completions', {}, script);
      const produced = 'The notice period is';
      lockStep.release(1 + produced.split(' ').length);
      await until('a part of it is there', () => joined.mock.lastCall?.[0]().includes(produced) === true);
      joined.mockRestore();
      await leave(call, asked);
      const outputTokens = countTokens(produced);
      const { countedInputTokens: inputTokens, ...outcome } = await ended();
      const chargedNanoUsd = priceNanoUsd(inputTokens + outputTokens);
      expect(outcome).toMatchObject({ outcome: 'settled', status: 499, outputTokens, chargedNanoUsd });
    });

    it('is charged once, however close its end is', async () => {
      for (let turns = 0; turns < 12; turns += 1) {
        const lockStep = new LockStep();
        const script = () => ({ ...jsonReaction(text), lockStep });
        const { call, ended } = await begin('chat/completions', {}, script);
        lockStep.release();
        for (let turn = 0; turn < turns; turn += 1) {
          await nextTurn();
        }
        call.leave();
        const outcome = await ended();
        expect([200, 499]).toContain(outcome.status);
        expect(outcome).toMatchObject({ outcome: 'settled' });
        expect(outcome.chargedNanoUsd).toBe(priceNanoUsd(outcome.inputTokens + outcome.outputTokens));
      }
    });
  });

  describe('whose key is revoked instead', () => {
    const revokeKey = async (account: TestAccount) => {
      const { status } = await upstreams.service.service.call('revokeKey', {
        credential: account.token,
        params: { key_id: account.keyId },
      });
      expect(status).toBe(200);
    };

    it.each([
      ['an unstreamed chat', {}, { instead: 'silence' }],
      ['a stream that has not begun', { stream: true }, { instead: 'silence' }],
      ['an answer of which a part has come', {}, { ...jsonReaction('{"id":"c"}'), lockStep: new LockStep() }],
    ] as const)('is refused and pays nothing for %s', async (_, fields, reaction) => {
      const { account, call, asked, ended } = await begin('chat/completions', fields, () => reaction);
      await revokeKey(account);
      expect(await openReservations(upstreams.service.service, account.id)).toEqual([]);
      await call.ends();
      expect(call.status).toBe(401);
      expect(await ended()).toMatchObject({ outcome: 'released', status: 401, chargedNanoUsd: 0n });
      await until('the upstream is left alone', () => asked.leftByClientAt !== null);
    });

    it('pays for what it is answered, and for nothing else, however close its end is', async () => {
      for (let turns = 0; turns < 12; turns += 1) {
        const lockStep = new LockStep();
        const script = () => ({ ...jsonReaction(chatAnswer('led', { texts: [ANSWER] })), lockStep });
        const { account, call, ended } = await begin('chat/completions', {}, script);
        const revoked = revokeKey(account);
        for (let turn = 0; turn < turns; turn += 1) {
          await nextTurn();
        }
        lockStep.release();
        await Promise.all([revoked, call.ends()]);
        const outcome = await ended();
        expect([200, 401]).toContain(call.status);
        expect(outcome.status).toBe(call.status);
        expect(outcome.chargedNanoUsd > 0n).toBe(call.status === 200);
      }
    });
  });

  it('before an upstream has taken the call pays nothing', async () => {
    const account = await upstreams.account();
    const requestId = `early-${account.id}`;
    const body = {
      model: 'deaf',
      messages: [{ role: 'user', content: 'Hello?' }],
      max_tokens: OUTPUT_TOKENS_MAX,
    };
    const { service, url } = upstreams.service;
    const call = new StreamedCall({ url: `${url}/v1/chat/completions`, key: account.key, requestId, body });
    await until('the call is reserved', async () => {
      const rows = await service.database.query('SELECT FROM reservations WHERE account_id = $1', [
        account.id,
      ]);
      return (rows as unknown[]).length === 1;
    });
    call.leave();
    expect(await callOutcome(service, account, requestId)).toMatchObject({
      outcome: 'released',
      status: 499,
      chargedNanoUsd: 0n,
    });
  });

  it('pays for the input of embeddings', async () => {
    upstreams.of('led').script = () => ({ instead: 'silence' });
    const account = await upstreams.account();
    const url = `${upstreams.service.url}/v1/embeddings`;
    const body = { model: 'led', input: 'How long is the notice period?' };
    const asked = upstreams.of('led').calls.length;
    const call = new StreamedCall({ url, key: account.key, requestId: `vectors-${account.id}`, body });
    await until('the upstream is asked', () => upstreams.of('led').calls.length > asked);
    await leave(call, upstreams.of('led').lastCall);
    await until('it is settled', async () => (await upstreams.service.faults()).length === 0);
    const receipt = await upstreams.service.lastReceipt(account);
    expect(receipt).toMatchObject({ outcome: 'settled', status: 499, outputTokens: 0 });
    expect(receipt.inputTokens).toBeGreaterThan(0);
    expect(receipt.chargedNanoUsd).toBe(100_000n + 1_000n * BigInt(receipt.inputTokens));
  });

  it('frees the Idempotency-Key of a stream that had not begun, so that a retry runs anew', async () => {
    upstreams.of('led').script = () => ({ instead: 'silence' });
    const account = await upstreams.account();
    const body = {
      model: 'led',
      stream: true,
      messages: [{ role: 'user', content: 'When?' }],
      max_tokens: 9,
    };
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': account.key,
        'idempotency-key': account.id,
      },
      body: JSON.stringify(body),
    };
    const url = `${upstreams.service.url}/v1/chat/completions`;
    const leaving = new AbortController();
    const asked = upstreams.of('led').calls.length;
    const left = fetch(url, { ...request, signal: leaving.signal });
    await until('the upstream is asked', () => upstreams.of('led').calls.length > asked);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until('it is settled', async () => (await upstreams.service.faults()).length === 0);
    expect(await upstreams.service.lastReceipt(account)).toMatchObject({ outcome: 'settled', status: 499 });
    upstreams.of('led').script = () => streamReaction(chatEvents('led'));
    const retry = await fetch(url, request);
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await retry.text()).toContain('[DONE]');
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
