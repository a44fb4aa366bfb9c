import { AccountDatabases } from '../../../src/database/account-databases';
import { newId } from '../../../src/runtime/ids';
import { storedStories } from '../../support/api/store-story';
import { RawUpstream } from '../../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../../support/upstream/sdk-scene';
import { StreamedCall } from '../../support/upstream/streamed-call';
import { typedAnswer } from '../../support/upstream/typed-events';
import {
  chatAnswer,
  chatEvents,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../../support/upstream/upstream-answers';
import { until } from '../../support/until';

const PATH = '/api/hub/story/generate';
const STORY = 'The Letter\n\nMara read it twice.';
const BASE_NANO_USD = 3_000_000n;
const TOKEN_NANO_USD = 20_000n;
const BODY = { prompt: 'A lighthouse keeper finds a letter.', length: 'short', max_tokens: 400 };

describe('generateStory in front of an upstream', () => {
  const scene = sdkScene(() => RawUpstream.start(() => ({})));
  const tell = (body: object, headers?: Record<string, string>) =>
    typedAnswer(scene.running, PATH, { key: scene.world.owner.key, body: { ...BODY, ...body }, headers });
  const events = () => chatEvents(MODEL, { texts: [STORY] });

  it.each([
    [500, false, 502],
    [500, true, 502],
    // No outage: it ends the row of those before, so that the upstream is not left alone.
    [401, false, 502],
    [429, false, 503],
  ])(
    'answers JSON, free of charge, where the upstream answers %d before a stream, allow_degraded: %s',
    async (refusal, allow_degraded, status) => {
      scene.upstream.script = () => errorReaction(refusal, 'No.');
      const answer = await tell({ stream: true, allow_degraded });
      expect([answer.status, answer.events]).toEqual([status, []]);
      expect([await scene.spentNanoUsd(), await storedStories(scene.world)]).toEqual([0n, 0]);
    },
  );

  it('streams the story without its title, then the stored story with its cost', async () => {
    scene.upstream.script = () => streamReaction(events());
    const answer = await tell({ stream: true });
    expect([answer.status, answer.delivered]).toEqual([201, 'Mara read it twice.']);
    const done = answer.events.at(-1);
    expect(done?.data).toMatchObject({
      title: 'The Letter',
      text: answer.delivered,
      kind: 'prose',
      model: MODEL,
    });
    const { total_tokens: tokens } = done?.data?.usage as Usage;
    const spent = await scene.spentNanoUsd();
    expect(spent).toBe(BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens));
    expect(Math.round((done?.cost ?? 0) * 1e9)).toBe(Number(spent));
    expect(answer.text).toMatch(/\n\n: cost=0\.\d+ tokens=\d+ balance=9\.\d+\n\ndata: \[DONE\]\n\n$/);
    expect(scene.upstream.lastCall.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(await storedStories(scene.world)).toBe(1);
  });

  it('replays a stream as its story, and asks no model again', async () => {
    scene.upstream.script = () => streamReaction(events());
    const headers = { 'idempotency-key': newId() };
    const first = await tell({ stream: true }, headers);
    const [spent, calls] = [await scene.spentNanoUsd(), scene.upstream.calls.length];
    const replay = await tell({ stream: true }, headers);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(dataOf(replay.text)).toEqual(first.events.at(-1)?.data);
    expect([await scene.spentNanoUsd(), scene.upstream.calls.length]).toEqual([spent, calls]);
    expect(await storedStories(scene.world)).toBe(1);
  });

  it.each(['cut', 'reset'] as const)(
    'charges what came before a %s, says so and stores nothing',
    async (end) => {
      scene.upstream.script = () => streamReaction(events().slice(0, 4), { end });
      const headers = { 'idempotency-key': newId() };
      const broken = await tell({ stream: true }, headers);
      expect(broken.events.at(-1)?.error).toMatchObject({ code: 502 });
      expect(broken.text).not.toMatch(/\[DONE\]|"done"/);
      const spent = await scene.spentNanoUsd();
      expect(spent).toBeGreaterThan(BASE_NANO_USD + TOKEN_NANO_USD * 50n);
      expect(await storedStories(scene.world)).toBe(0);
      scene.upstream.script = () => streamReaction(events());
      expect((await tell({ stream: true }, headers)).events.at(-1)?.type).toBe('done');
      expect(await storedStories(scene.world)).toBe(1);
    },
  );

  it.each([true, false])(
    'aborts the upstream, charges and stores nothing of a caller who left, stream: %s',
    async (stream) => {
      const chunks = stream ? events().slice(0, 5) : [];
      scene.upstream.script = () => streamReaction(chunks, { end: 'silence' });
      const call = new StreamedCall({
        url: `${scene.running.url}${PATH}`,
        key: scene.world.owner.key,
        requestId: newId(),
        body: { ...BODY, stream },
      });
      const asked = scene.upstream.calls.length;
      await (stream
        ? call.receives(1)
        : until('the upstream is asked', () => scene.upstream.calls.length > asked));
      call.leave();
      await until('the upstream is left', () => scene.upstream.lastCall.leftByClientAt !== null);
      await until('the call is charged', async () => (await scene.spentNanoUsd()) > BASE_NANO_USD);
      expect(await storedStories(scene.world)).toBe(0);
    },
  );

  it('pays what the upstream counted for a whole story', async () => {
    scene.upstream.script = () => jsonReaction(chatAnswer(MODEL, { texts: [STORY], finishReason: 'length' }));
    const answer = await tell({});
    expect(dataOf(answer.text)).toMatchObject({ title: 'The Letter', finish_reason: 'length' });
    expect(await scene.spentNanoUsd()).toBe(BASE_NANO_USD + TOKEN_NANO_USD * BigInt(9 + 6));
  });

  it('breaks off, and charges, where the story cannot be stored at the end', async () => {
    const { service } = scene.running;
    const database = service.app.get(AccountDatabases).of(scene.world.owner.id);
    scene.upstream.script = async () => {
      await database.query('ALTER TABLE stories RENAME TO away');
      return streamReaction(events());
    };
    const answer = await tell({ stream: true });
    await database.query('ALTER TABLE away RENAME TO stories');
    expect([answer.delivered, answer.events.at(-1)?.error?.code]).toEqual(['Mara read it twice.', 500]);
    expect(answer.text).not.toMatch(/\[DONE\]|"done"/);
    expect(await scene.spentNanoUsd()).toBeGreaterThan(BASE_NANO_USD);
    expect(await storedStories(scene.world)).toBe(0);
  });
});

interface Usage {
  readonly total_tokens: number;
}

function dataOf(text: string): unknown {
  return (JSON.parse(text) as { data: unknown }).data;
}
