import type OpenAI from 'openai';
import { answering, FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { dataEvent, errorReaction, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';

const TEXT = 'The first one answers.';
const FASTAPI = jsonReaction({ detail: 'Not Found' });
const LM_STUDIO = jsonReaction({ error: 'Unexpected endpoint or method. (POST /v1/responses)' });

/** How servers say that they have no such API, and whether a stream is what finds out. */
const ABSENCES: readonly [string, Reaction, boolean][] = [
  ['404', errorReaction(404, 'Not Found'), false],
  ['405', errorReaction(405, 'Method Not Allowed'), true],
  ['501', errorReaction(501, 'no'), true],
  ['500', errorReaction(500, 'The method is not implemented yet.'), false],
  ['500-streamed', errorReaction(500, 'Not Implemented'), true],
  ['400', errorReaction(400, 'The requested operation is unsupported.'), false],
  ['200-error', LM_STUDIO, false],
  ['200-error-streamed', LM_STUDIO, true],
  ['200-detail', FASTAPI, true],
  [
    '200-page',
    jsonReaction('<!doctype html><p>Chat</p>', { headers: { 'content-type': 'text/html' } }),
    false,
  ],
  ['200-event', streamReaction([dataEvent({ error: { message: 'no such API' } })]), true],
];
const BROKEN = 'broken';

describe('the openai package: responses over an upstream that has none', () => {
  let upstreams: FaultyUpstreams;
  let client: OpenAI;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start([...ABSENCES.map(([name]) => name), BROKEN]);
    client = upstreams.service.clientOf(await upstreams.account());
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const pathsOf = (name: string) => upstreams.of(name).calls.map(({ path }) => path.replace('/v1', ''));
  const whole = async (model: string) => (await client.responses.create({ model, input: 'x' })).output_text;
  const streamed = async (model: string) =>
    (await client.responses.stream({ model, input: 'x' }).finalResponse()).output_text;

  it.each(ABSENCES)('learns it once, then asks for chats: %s', async (name, reaction, isStreamed) => {
    upstreams.of(name).script = (request, count) =>
      request.path.endsWith('/responses') ? reaction : answering(TEXT)(request, count);
    const [first, second] = isStreamed ? [streamed, whole] : [whole, streamed];
    for (const ask of [first, second, first, second, first, second]) {
      expect(await ask(name)).toBe(TEXT);
    }
    const chats = Array.from({ length: 6 }, () => '/chat/completions');
    expect(pathsOf(name)).toEqual(['/responses', ...chats]);
  });

  it('takes no other failure for that', async () => {
    const upstream = upstreams.of(BROKEN);
    for (const [status, told] of [
      [500, 502],
      [429, 503],
      [400, 400],
    ] as const) {
      upstream.script = () => errorReaction(status, "Unsupported value: 'x'");
      await expect(whole(BROKEN)).rejects.toMatchObject({ status: told });
    }
    expect(new Set(pathsOf(BROKEN))).toEqual(new Set(['/responses']));
  });
});
