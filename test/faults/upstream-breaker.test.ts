import { callOutcome, OUTPUT_TOKENS_MAX } from '../support/ledger/call-outcome';
import { answering, FaultyUpstreams, SECOND_ANSWER, sharedModel } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { errorReaction } from '../support/upstream/upstream-answers';

const NAMES = [
  'broken',
  'streaming',
  'refusing',
  'recovering',
  'alone',
  'degraded',
  'left',
  'limited',
  'overloaded',
];
/** After so many failures in a row an upstream is left alone. */
const FAILURES = 5;

describe('an upstream that goes on failing', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(NAMES);
    for (const name of NAMES) {
      upstreams.of(name).script = () => errorReaction(500, 'out of order');
    }
  });
  afterAll(async () => upstreams.stop());

  const ask = async (model: string, fields: object = {}) => {
    const account = await upstreams.account();
    const requestId = `breaker-${account.id}`;
    const messages = [{ role: 'user', content: 'The office opens at nine. When does the office open?' }];
    const body = { model, messages, max_tokens: OUTPUT_TOKENS_MAX, ...fields };
    const url = `${upstreams.service.url}/v1/chat/completions`;
    const call = new StreamedCall({ url, key: account.key, requestId, body });
    return { call, ended: async () => callOutcome(upstreams.service.service, account, requestId) };
  };
  const statusOf = async (model: string, fields: object = {}) => {
    const { call } = await ask(model, fields);
    await call.ends();
    return call.status;
  };
  const breakOff = async (name: string, fields: object = {}) => {
    while (upstreams.of(name).calls.length < FAILURES) {
      expect(await statusOf(name, fields)).toBe(502);
    }
    expect(upstreams.of(name).calls).toHaveLength(FAILURES);
  };

  it.each([
    ['broken', {}],
    ['streaming', { stream: true }],
  ])(
    'is left alone after five failures in a row: 503, uncharged, and the next one answers (%s)',
    async (name, fields) => {
      await breakOff(name, fields);
      const { call, ended } = await ask(name, fields);
      await call.ends();
      expect(call.status).toBe(503);
      expect(Number(call.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(await ended()).toMatchObject({ outcome: 'released', status: 503, chargedNanoUsd: 0n });
      expect(await statusOf(sharedModel(name), fields)).toBe(200);
      expect(upstreams.of(name).calls).toHaveLength(FAILURES);
      const health = await upstreams.service.service.call('getReadiness');
      expect(health).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(health.body.checks).toContainEqual(
        expect.objectContaining({ name: `upstream ${name}`, status: 'unavailable' }),
      );
    },
  );

  it('is asked again each time when it is up, but refuses us', async () => {
    const upstream = upstreams.of('refusing');
    upstream.script = () => errorReaction(401, 'not you');
    for (let call = 0; call < 2 * FAILURES; call += 1) {
      await statusOf('refusing');
    }
    expect(upstream.calls).toHaveLength(2 * FAILURES);
  });

  it.each([
    ['limited', 429],
    ['overloaded', 529],
  ])('is left alone for as long as it asks for, which callers are told (%s)', async (name, status) => {
    const upstream = upstreams.of(name);
    upstream.script = () => errorReaction(status, 'later', { headers: { 'retry-after': '40' } });
    for (let count = 0; count < FAILURES; count += 1) {
      const { call } = await ask(name);
      await call.ends();
      expect(call).toMatchObject({ status: 503, headers: { 'retry-after': '40' } });
    }
    const { call, ended } = await ask(name);
    await call.ends();
    expect(call.status).toBe(503);
    expect(Number(call.headers['retry-after'])).toBeGreaterThan(10);
    expect(await ended()).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
    expect(upstream.calls).toHaveLength(FAILURES);
  });

  it('begins to count anew after an answer', async () => {
    const upstream = upstreams.of('recovering');
    for (let round = 0; round < 3; round += 1) {
      upstream.script = () => errorReaction(500, 'out of order');
      expect([await statusOf('recovering'), await statusOf('recovering')]).toEqual([502, 502]);
      upstream.script = answering('Here again.');
      expect(await statusOf('recovering')).toBe(200);
    }
    expect(upstream.calls).toHaveLength(3 * 5);
  });

  it('is not blamed for clients that go away', async () => {
    const upstream = upstreams.of('left');
    upstream.script = () => ({ instead: 'silence' });
    for (let round = 0; round < 2 * FAILURES; round += 1) {
      const before = upstream.calls.length;
      const { call, ended } = await ask('left');
      while (upstream.calls.length === before) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      call.leave();
      expect(await ended()).toMatchObject({ outcome: 'settled', status: 499, outputTokens: 0 });
    }
    upstream.script = answering('Still here.');
    expect(await statusOf('left')).toBe(200);
  });

  describe('with the embedded engine beside it', () => {
    it.each([{}, { allow_degraded: false }, { stream: true }])(
      'is never replaced by it unasked (%j)',
      async (fields) => {
        expect([502, 503]).toContain(await statusOf('alone', fields));
      },
    );

    it.each([false, true])('is replaced by it when the request says so (stream: %s)', async (stream) => {
      const { call, ended } = await ask('degraded', { allow_degraded: true, stream });
      await call.ends();
      expect(call.status).toBe(200);
      expect(call.headers['x-model-used']).toBe('embedded-extractive-1');
      expect(stream ? call.delivered : call.text).toContain('The office opens at nine.');
      const outcome = await ended();
      expect(outcome).toMatchObject({ outcome: 'settled', status: 200 });
      expect(outcome.chargedNanoUsd).toBeGreaterThan(2_000_000n);
    });

    it('does not come before another upstream', async () => {
      const { call } = await ask(sharedModel('degraded'), { allow_degraded: true });
      await call.ends();
      expect(call.text).toContain(SECOND_ANSWER);
    });

    it('learns nothing of allow_degraded', () => {
      expect(upstreams.of('degraded').calls.length).toBeGreaterThan(0);
      for (const { body } of [...upstreams.of('degraded').calls, ...upstreams.second.calls]) {
        expect(body).not.toHaveProperty('allow_degraded');
      }
    });
  });
});
