import { callOutcome } from '../support/ledger/call-outcome';
import { LockStep } from '../support/ledger/lock-step';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { dataEvent, streamReaction } from '../support/upstream/upstream-answers';
import { until } from '../support/until';

const CHUNKS = 20;
/** A twentieth of a second of the only format that is streamed: 24,000 samples a second of two bytes. */
const SOUND = 'AAAA'.repeat(800);
const ARGUMENTS = { city: 'Rome' };

/** What each chunk adds, and the fewest tokens of all chunks together. */
const DELTAS: readonly [string, object, number][] = [
  ['sound', { audio: { id: 'audio_1', data: SOUND } }, CHUNKS],
  ['the text of a sound', { audio: { transcript: ' word' } }, CHUNKS],
  ['thoughts', { reasoning_content: ' word' }, CHUNKS],
  ['thoughts in details', { reasoning_details: [{ type: 'reasoning.text', text: ' word' }] }, CHUNKS],
  ['a refusal', { refusal: ' word' }, CHUNKS],
  ['arguments', { tool_calls: [{ index: 0, function: { arguments: ' word' } }] }, CHUNKS],
  [
    'arguments that are an object',
    { tool_calls: [{ function: { name: 'f', arguments: ARGUMENTS } }] },
    CHUNKS,
  ],
  ['the input of a custom tool', { tool_calls: [{ index: 0, custom: { input: ' word' } }] }, CHUNKS],
  ['images', { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }, 20_000],
  ['what nobody knows', { vendor: { said: ' word' } }, CHUNKS],
];

describe('deltas without usage', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['speaking']);
  });
  afterAll(async () => {
    expect(await upstreams.service.faults()).toEqual([]);
    await upstreams.stop();
  });

  const begin = async () => {
    const account = await upstreams.account();
    const requestId = `deltas-${account.id}`;
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/chat/completions`,
      key: account.key,
      requestId,
      body: {
        model: 'speaking',
        messages: [{ role: 'user', content: 'Speak.' }],
        modalities: ['text', 'audio'],
        max_tokens: 30_000,
        stream: true,
      },
    });
    return { call, ended: () => callOutcome(upstreams.service.service, account, requestId) };
  };
  const chunksOf = (delta: object, count: number) =>
    Array.from({ length: count }, () => dataEvent({ choices: [{ index: 0, delta, finish_reason: null }] }));

  it.each(DELTAS)('of %s are charged where the upstream breaks off', async (_, delta, tokensMin) => {
    upstreams.of('speaking').script = () => streamReaction(chunksOf(delta, CHUNKS), { end: 'cut' });
    const { call, ended } = await begin();
    await call.ends();
    const { outputTokens } = await ended();
    expect(outputTokens).toBeGreaterThanOrEqual(tokensMin);
    expect(outputTokens).toBeLessThan(Math.max(10 * tokensMin, 30_001));
  });

  it('of sound are charged up to where the client goes away', async () => {
    const lockStep = new LockStep();
    upstreams.of('speaking').script = () =>
      streamReaction(chunksOf({ audio: { id: 'audio_1', data: SOUND } }, 200), { lockStep });
    const { call, ended } = await begin();
    lockStep.release(150);
    await until('150 chunks are there', () => call.data.length >= 150);
    call.leave();
    const { outputTokens } = await ended();
    expect(outputTokens).toBe(150);
  });
});
