import { RawUpstream } from '../../test/support/upstream/raw-upstream';
import { embeddingAnswer, errorReaction, jsonReaction } from '../../test/support/upstream/upstream-answers';
import { Configuration } from '../config/configuration';
import { EmbeddedProvider } from '../models/embedded-provider';
import { ModelNotConfigured, UpstreamFailed, UpstreamUnavailable } from '../models/errors';
import { Models } from '../models/models';
import { Upstreams } from '../models/upstream/upstream-provider';
import { SystemClock } from '../runtime/clock';
import { TextThreads } from '../text/text-threads';
import { ChunkEmbeddings } from './chunk-embeddings';

const options = { signal: new AbortController().signal, allowDegraded: false };
const entry = (data: unknown) => jsonReaction({ object: 'list', data, model: 'm' });

describe('ChunkEmbeddings', () => {
  let first: RawUpstream;
  let second: RawUpstream;
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const opened: Upstreams[] = [];

  beforeAll(async () => {
    first = await RawUpstream.start(() => ({}));
    second = await RawUpstream.start(() => ({}));
  });
  beforeEach(() => {
    for (const upstream of [first, second]) {
      upstream.script = (request) => jsonReaction(embeddingAnswer(request));
      upstream.requests.length = 0;
    }
  });
  afterEach(async () => Promise.all(opened.splice(0).map((upstreams) => upstreams.onApplicationShutdown())));
  afterAll(async () => Promise.all([first.stop(), second.stop(), threads.close()]));

  it('asks for the default model of the first upstream that embeds, in the order of the texts', async () => {
    const texts = Array.from({ length: 70 }, (_, index) => `${'x'.repeat(index)} chunk`);
    const embedded = await embeddings([['gpt-4o'], ['gpt-4o', 'embed-a', 'embed-b']]).embed(texts, options);
    expect([embedded?.model, embedded?.provider]).toEqual(['embed-a', 'second']);
    expect([first.calls.length, second.calls.length]).toEqual([0, 3]);
    expect(second.calls.flatMap(({ body }) => body?.input as string[]).sort()).toEqual([...texts].sort());
    expect(embedded?.vectors).toHaveLength(70);
    for (const [index, vector] of (embedded?.vectors ?? []).entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect((vector[0] ?? 0) / -(vector[2] ?? 0)).toBeCloseTo(texts[index]?.length ?? 0, 3);
    }
  });

  it('asks for the model that is named, and never for more than 8,000 characters of a text', async () => {
    await embeddings([['embed-a', 'embed-b']], 'embed-b').embed(['y'.repeat(9000)], options);
    expect(first.lastCall.body?.model).toBe('embed-b');
    expect(String((first.lastCall.body?.input as string[])[0])).toHaveLength(8000);
  });

  it.each([
    ['no upstream is there', [], ''],
    ['none of the upstreams embeds', [['gpt-4o']], ''],
    ['vectors are switched off', [['embed-a']], 'none'],
  ])('gives no vectors where %s', async (_, models, name) => {
    expect(await embeddings(models, name).embed(['text'], options)).toBeNull();
    expect(first.calls).toEqual([]);
  });

  it('refuses with 503 where no upstream serves the model that is named', async () => {
    const named = embeddings([['embed-a']], 'embed-x');
    await expect(named.embed(['text'], options)).rejects.toThrow(ModelNotConfigured);
    expect(await named.embed(['text'], { ...options, allowDegraded: true })).toBeNull();
  });

  it('asks another upstream for the same model alone', async () => {
    first.script = () => errorReaction(503, 'down');
    const same = await embeddings([['embed-a'], ['embed-b', 'embed-a']], 'embed-a').embed(['text'], options);
    expect([same?.model, same?.provider]).toEqual(['embed-a', 'second']);
    second.requests.length = 0;
    await expect(embeddings([['embed-a'], ['embed-b']]).embed(['text'], options)).rejects.toThrow(
      UpstreamFailed,
    );
    expect(second.calls).toEqual([]);
  });

  it('throws the failure of the upstream, or does without vectors where that is allowed', async () => {
    first.script = () => errorReaction(429, 'slow down');
    const asked = embeddings([['embed-a']]);
    await expect(asked.embed(['text'], options)).rejects.toThrow(UpstreamUnavailable);
    expect(await asked.embed(['text'], { ...options, allowDegraded: true })).toBeNull();
  });

  it('takes an upstream that refuses the texts for one that failed', async () => {
    first.script = () => errorReaction(400, 'too long');
    await expect(embeddings([['embed-a']]).embed(['text'], options)).rejects.toThrow(UpstreamFailed);
  });

  it.each([
    ['too few vectors', [{ index: 0, embedding: [1] }]],
    ['no list', 'vectors'],
    ['no number', [1, 2].map((index) => ({ index: index - 1, embedding: [1, 'x'] }))],
    ['null', [0, 1].map((index) => ({ index, embedding: [null, 1] }))],
    ['zeros', [0, 1].map((index) => ({ index, embedding: [0, 0] }))],
    ['endless numbers', [0, 1].map((index) => ({ index, embedding: [1e300, 1] }))],
    ['empty vectors', [0, 1].map((index) => ({ index, embedding: [] }))],
    ['other dimensions', [0, 1].map((index) => ({ index, embedding: Array(index + 1).fill(1) }))],
    ['4,097 dimensions', [0, 1].map((index) => ({ index, embedding: Array(4097).fill(1) }))],
    ['one place twice', [0, 0].map((index) => ({ index, embedding: [1] }))],
    ['a place beyond', [0, 2].map((index) => ({ index, embedding: [1] }))],
    ['half a float', [0, 1].map((index) => ({ index, embedding: 'AAAAAAA=' }))],
  ])('takes %s for a failure of the upstream', async (_, data) => {
    first.script = () => entry(data);
    await expect(embeddings([['embed-a']]).embed(['one', 'two'], options)).rejects.toThrow(UpstreamFailed);
  });

  it('puts vectors where they belong, and reads base64', async () => {
    const base64 = (...numbers: number[]) =>
      Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
    first.script = () =>
      entry([
        { index: 1, embedding: base64(0, 3) },
        { index: 0, embedding: base64(2, 0) },
      ]);
    const embedded = await embeddings([['embed-a']]).embed(['one', 'two'], options);
    expect(embedded?.vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('refuses batches of different dimensions, and gives up when the caller goes away', async () => {
    first.script = ({ count }) =>
      entry(Array.from({ length: 32 }, (_, index) => ({ index, embedding: Array(1 + (count % 2)).fill(1) })));
    const texts = Array<string>(64).fill('text');
    await expect(embeddings([['embed-a']]).embed(texts, options)).rejects.toThrow(UpstreamFailed);
    first.script = () => ({ instead: 'silence' });
    const gone = new AbortController();
    const asking = embeddings([['embed-a']]).embed(texts, { signal: gone.signal, allowDegraded: true });
    gone.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
  });

  /** @param models the models of each upstream */
  function embeddings(models: string[][], name = ''): ChunkEmbeddings {
    const places = [first, second];
    const upstreams = new Upstreams(
      models.map((ids, index) => ({
        name: index === 0 ? 'first' : 'second',
        baseUrl: String(places[index]?.baseUrl),
        apiKey: null,
        models: ids.map((id) => ({
          id,
          aliases: [],
          inputPricePerTokenUsd: null,
          outputPricePerTokenUsd: null,
        })),
        connectTimeoutMs: 1000,
        firstByteTimeoutMs: 60_000,
        totalTimeoutMs: 60_000,
      })),
    );
    opened.push(upstreams);
    const standIn = new EmbeddedProvider(new SystemClock(), threads, 100);
    const all = new Models([...upstreams.providers, standIn], { strictModels: false, standIn });
    return new ChunkEmbeddings(all, upstreams, Configuration.read({ RETRIEVAL_EMBEDDING_MODEL: name }));
  }
});
