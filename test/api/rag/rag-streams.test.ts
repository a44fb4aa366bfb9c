import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { RawUpstream } from '../../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../../support/upstream/sdk-scene';
import { StreamedCall } from '../../support/upstream/streamed-call';
import { typedAnswer, type TypedAnswer } from '../../support/upstream/typed-events';
import { chatEvents, errorReaction, streamReaction } from '../../support/upstream/upstream-answers';
import { until } from '../../support/until';

const PATH = '/api/hub/rag/generate';
const CONTENT = 'The library opens at nine on weekdays. On Sundays it stays closed.';
const NOT_FOUND = 'The documents do not answer this question.';
const BASE_NANO_USD = 3_000_000n;
const TOKEN_NANO_USD = 10_000n;

describe('generateWithRag in front of an upstream', () => {
  const scene = sdkScene(() => RawUpstream.start(() => ({})));
  let indexing = 0n;
  const spentNanoUsd = async () => (await scene.spentNanoUsd()) - indexing;
  const ask = (body: object = {}, headers?: Record<string, string>) =>
    typedAnswer(scene.running, PATH, {
      key: scene.world.owner.key,
      body: { query: 'When does the library open?', max_tokens: 100, stream: true, ...body },
      headers,
    });
  const says = (text: string) => streamReaction(chatEvents(MODEL, { texts: [text] }));
  beforeEach(async () => {
    await callAs('indexRagDocument', scene.world, { body: { content: CONTENT, document_id: 'handbook' } });
    indexing = await scene.spentNanoUsd();
  });

  it('answers JSON, free of charge, where the upstream fails before a stream', async () => {
    scene.upstream.script = () => errorReaction(500, 'No.');
    const answer = await ask();
    expect([answer.status, answer.events, await spentNanoUsd()]).toEqual([502, [], 0n]);
  });

  it('begins with the results, and ends with the cited answer and its cost', async () => {
    scene.upstream.script = () => says('It opens at nine [1].');
    const answer = await ask();
    expectComplete(answer, 'It opens at nine [1].');
    const [start, done] = [answer.events[0], answer.events.at(-1)];
    expect(start).toMatchObject({
      type: 'start',
      data: { results: [{ document_id: 'handbook' }], total: 1 },
    });
    const quote = 'The library opens at nine on weekdays.';
    expect(done?.data).toMatchObject({
      found: true,
      citations: [{ index: 1, quote, start: 0, end: quote.length }],
    });
    const { total_tokens: tokens } = done?.data?.usage as { total_tokens: number };
    expect(await spentNanoUsd()).toBe(BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens));
    expect(Math.round((done?.cost ?? 0) * 1e9)).toBe(Number(await spentNanoUsd()));
  });

  it('shows nothing of the mark by which a model says that the sources hold no answer', async () => {
    scene.upstream.script = () => says('NOT_IN_SOURCES because of this.');
    const answer = await ask();
    expectComplete(answer, NOT_FOUND);
    expect(answer.events.at(-1)?.data).toMatchObject({ found: false, citations: [], model: MODEL });
    expect(answer.text).not.toContain('NOT_IN');
  });

  it('streams the embedded quotes for a failing upstream where that is allowed', async () => {
    scene.upstream.script = () => errorReaction(500, 'No.');
    const answer = await ask({ allow_degraded: true });
    expectComplete(answer, 'The library opens at nine on weekdays. [1]');
    expect(answer.events.at(-1)?.data).toMatchObject({ found: true, model: 'embedded-extractive-1' });
  });

  it('streams that nothing was found without asking a model, for the base price', async () => {
    const calls = scene.upstream.calls.length;
    const answer = await ask({ collection: 'other' });
    expectComplete(answer, NOT_FOUND);
    expect(answer.events[0]).toEqual({ type: 'start', data: { results: [], total: 0 } });
    expect([scene.upstream.calls.length, await spentNanoUsd()]).toEqual([calls, BASE_NANO_USD]);
  });

  it('replays a stream as its answer', async () => {
    scene.upstream.script = () => says('It opens at nine [1].');
    const headers = { 'idempotency-key': newId() };
    const first = await ask({}, headers);
    const spent = await spentNanoUsd();
    const replay = await ask({}, headers);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((JSON.parse(replay.text) as { data: unknown }).data).toEqual(first.events.at(-1)?.data);
    expect(await spentNanoUsd()).toBe(spent);
  });

  it('charges what came before the upstream breaks off, and says so in place of an end', async () => {
    const chunks = chatEvents(MODEL, { texts: ['It opens at nine [1].'] }).slice(0, 4);
    scene.upstream.script = () => streamReaction(chunks, { end: 'reset' });
    const answer = await ask();
    expect(answer.events.at(-1)?.error).toMatchObject({ code: 502 });
    expect(answer.text).not.toMatch(/\[DONE\]|"done"/);
    expect(await spentNanoUsd()).toBeGreaterThan(BASE_NANO_USD + TOKEN_NANO_USD * 50n);
  });

  it('aborts the upstream and charges what was produced for a caller who left', async () => {
    const chunks = chatEvents(MODEL, { texts: ['It opens at nine [1].'] }).slice(0, 4);
    scene.upstream.script = () => streamReaction(chunks, { end: 'silence' });
    const call = new StreamedCall({
      url: `${scene.running.url}${PATH}`,
      key: scene.world.owner.key,
      requestId: newId(),
      body: { query: 'When does the library open?', stream: true },
    });
    await call.receives(2);
    call.leave();
    await until('the upstream is left', () => scene.upstream.lastCall.leftByClientAt !== null);
    await until('the call is charged', async () => (await spentNanoUsd()) > BASE_NANO_USD);
  });
});

function expectComplete({ status, text, delivered, events }: TypedAnswer, answer: string): void {
  expect([status, delivered, events.at(-1)?.data?.answer]).toEqual([200, answer, answer]);
  expect(text).toMatch(/\n\n: cost=0\.\d+ tokens=\d+ balance=9\.\d+\n\ndata: \[DONE\]\n\n$/);
}
