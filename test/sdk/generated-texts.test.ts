import { callAs } from '../support/api/call-as';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { typedAnswer } from '../support/upstream/typed-events';

const USAGE = { prompt_tokens: 80, completion_tokens: 20, total_tokens: 100 };
const CONTENT = 'High water is at two. Low water is at eight.';

describe('an upstream written by others: texts that the service asks for', () => {
  const scene = sdkScene(MockUpstream.start);
  beforeEach(() => scene.upstream.reset());

  it('has a story written, whole and as a stream', async () => {
    scene.upstream.mock.onMessage('lighthouse', { content: '# The Tide\n\nMara waited.', usage: USAGE });
    const body = { prompt: 'A lighthouse.', max_tokens: 200 };
    const story = (await callAs('generateStory', scene.world, { body })).body.data;
    expect(story).toMatchObject({ title: 'The Tide', text: 'Mara waited.', kind: 'prose', model: MODEL });
    expect(await scene.spentNanoUsd()).toBe(3_000_000n + 20_000n * 100n);
    const streamed = await told('/api/hub/story/generate', { ...body, stream: true });
    expect(streamed.delivered).toBe('Mara waited.');
    expect(streamed.events.at(-1)?.data).toMatchObject({ title: 'The Tide', text: 'Mara waited.' });
  });

  it('has a question answered from documents, whole and as a stream', async () => {
    scene.upstream.mock.onMessage('When is low water', { content: 'It is at eight [1].', usage: USAGE });
    await callAs('indexRagDocument', scene.world, { body: { content: CONTENT } });
    const before = await scene.spentNanoUsd();
    const body = { query: 'When is low water?', max_tokens: 200 };
    const answer = (await callAs('generateWithRag', scene.world, { body })).body.data;
    const citation = { index: 1, quote: 'Low water is at eight.', start: 22, end: 44 };
    expect(answer).toMatchObject({ answer: 'It is at eight [1].', found: true, citations: [citation] });
    expect((await scene.spentNanoUsd()) - before).toBe(3_000_000n + 10_000n * 100n);
    const streamed = await told('/api/hub/rag/generate', { ...body, stream: true });
    expect(streamed.events.at(-1)?.data).toMatchObject({ answer: streamed.delivered, citations: [citation] });
  });

  const told = (path: string, body: object) =>
    typedAnswer(scene.running, path, { key: scene.world.owner.key, body });
});
