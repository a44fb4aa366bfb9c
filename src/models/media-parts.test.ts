import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import { estimateRequestTokens } from './request-tokens';
import { completionChoices } from './model-provider';

const IMAGE = 1_000;
const DATA = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}`;

describe('the tokens of media', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  const count = (part: object) =>
    estimateRequestTokens({ messages: [{ content: [part] }] }, counter, { imageTokensMax: IMAGE });

  afterAll(() => threads.close());

  it.each([
    ['an image', { type: 'image_url', image_url: { url: DATA } }, IMAGE],
    ['an image as a bare text', { type: 'image_url', image_url: DATA }, IMAGE],
    ['an image of a response', { type: 'input_image', image_url: DATA }, IMAGE],
    ['an image in high detail', { type: 'image_url', image_url: { url: DATA, detail: 'high' } }, IMAGE],
    ['an image in low detail', { type: 'image_url', image_url: { url: DATA, detail: 'low' } }, IMAGE],
    ['a short sound', { type: 'input_audio', input_audio: { data: 'A'.repeat(512), format: '' } }, IMAGE],
    ['a long sound', { type: 'input_audio', input_audio: { data: 'A'.repeat(600_001) } }, 1_172],
    ['a sound by its address', { type: 'audio_url', audio_url: { url: 'https://a' } }, IMAGE],
    ['a film by its address', { type: 'video_url', video_url: { url: 'https://a' } }, IMAGE],
    ['a long film', { type: 'video_url', video_url: { url: `data:${'A'.repeat(599_995)}` } }, 1_172],
    ['a file', { type: 'file', file: { file_data: 'A'.repeat(600_000) } }, 1_172],
    ['a file of a response', { type: 'input_file', file_data: 'A'.repeat(600_000) }, 1_172],
    ['a file that the upstream has', { type: 'file', file: {} }, IMAGE],
  ])('are by kind, not by letters: %s', async (_, part, tokens) => {
    const typeAlone = (await count({ type: part.type })) - IMAGE;
    const words = (await count(part)) - typeAlone;
    expect(words).toBeGreaterThanOrEqual(tokens);
    expect(words).toBeLessThan(tokens + 5);
  });

  it.each([
    ['a list', [{ type: 'input_image', image_url: 'https://a.b/c' }]],
    ['a screenshot', { type: 'computer_screenshot', image_url: 'https://a.b/c' }],
  ])('are counted in the output of a tool, %s', async (_, output) => {
    const input = [{ type: 'function_call_output', call_id: 'c', output }];
    const tokens = await estimateRequestTokens({ input }, counter, { imageTokensMax: IMAGE });
    expect(tokens).toBeGreaterThanOrEqual(IMAGE);
  });

  it('leave a text a text, whatever it begins with and whatever stands beside it', async () => {
    const letters = await counter.count(DATA);
    expect(await count({ type: 'text', text: DATA })).toBeGreaterThanOrEqual(letters);
    expect(await count({ type: 'image_url', image_url: { url: DATA }, text: DATA })).toBeGreaterThan(
      letters + IMAGE,
    );
    const tools = [{ type: 'image_url', image_url: { url: DATA } }];
    expect(await estimateRequestTokens({ messages: [], tools }, counter)).toBeGreaterThanOrEqual(letters);
  });
});

describe('completionChoices', () => {
  it.each([
    [1, { prompt: 'a' }],
    [3, { prompt: 'a', n: 3 }],
    [5, { prompt: 'a', n: 3, best_of: 5 }],
    [2, { prompt: ['a', 'b'], n: null }],
    [1, { prompt: [1, 2, 3] }],
    [2, { prompt: [[1, 2], [3]] }],
    [2, { prompt: ['a', 1] }],
    [12, { prompt: ['a', 'b', 'c'], n: 2, best_of: 4 }],
  ])('is %d for %j', (choices, fields) => {
    expect(completionChoices({ model: 'm', ...fields })).toBe(choices);
  });
});
